//! Asks memory for what a walk will come to.
//!
//! The machine sees by itself that a walk goes on, but not past the end of a page; and a block takes so many
//! instructions that no other is begun while its numbers are waited for.

use fearless_simd::Simd;

/// How many blocks ahead.
pub(crate) const AHEAD: usize = 8;

/// So many blocks do not stay near from one walk to the next. Fewer do, and asking for them costs more than it saves.
pub(crate) const fn is_far(blocks: usize) -> bool {
    blocks >= 1_000
}

/// Has the block of this index brought near, if there is one. Nothing is read by it, and nothing changes.
#[inline(always)]
pub(crate) fn ask_for<S: Simd, T>(simd: S, blocks: &[T], idx: usize) {
    let Some(block) = blocks.get(idx) else { return };
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(sse2) = simd.level().as_sse2() {
        let start = std::ptr::from_ref(block).cast::<i8>();
        let mut line = 0;
        while line < size_of::<T>() {
            x86::ask_for_line(sse2, start.wrapping_add(line));
            line += 64;
        }
    }
    let _ = (simd, block);
}

/// Has the line near that begins or lies so many bytes after the beginning of a value, whatever is there.
#[inline(always)]
pub(crate) fn ask_beyond<S: Simd, T>(simd: S, value: &T, bytes: usize) {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(sse2) = simd.level().as_sse2() {
        x86::ask_for_line(sse2, std::ptr::from_ref(value).cast::<i8>().wrapping_add(bytes));
    }
    let _ = (simd, value, bytes);
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86 {
    #[cfg(target_arch = "x86")]
    use std::arch::x86::{_MM_HINT_T0, _mm_prefetch};
    #[cfg(target_arch = "x86_64")]
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

    fearless_simd::kernel!(
        #[inline(always)]
        pub fn ask_for_line(token: Sse2, at: *const i8) {
            let _ = token;
            _mm_prefetch::<_MM_HINT_T0>(at);
        }
    );
}
