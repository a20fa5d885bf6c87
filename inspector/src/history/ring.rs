//! A ring of values in chunks that copies share.
//!
//! A copy of the ring costs a pointer a chunk; a chunk is copied only when one side writes to it while the other still
//! holds it. So a history of any length is frozen in microseconds.

use std::sync::Arc;

/// Values a chunk: small enough that copying one is not felt, large enough that their pointers are few.
const CHUNK: usize = 128;

/// The newest `capacity` values of a sequence. Each has its index in the whole sequence, from 0, which it keeps.
#[derive(Clone, Debug)]
pub struct SharedRing<T> {
    // Value `i` lies at slot `i % capacity`: chunk `slot / CHUNK`, place `slot % CHUNK`.
    chunks: Vec<Arc<Vec<T>>>,
    capacity: usize,
    next: u64,
}

impl<T: Clone> SharedRing<T> {
    /// Room for `capacity` values, at least 1. Memory is taken a chunk at a time, as values come.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { chunks: Vec::new(), capacity: capacity.max(1), next: 0 }
    }

    /// Appends; where the ring is full, the oldest value goes.
    pub fn push(&mut self, value: T) {
        let (chunk, place) = self.place(self.next);
        if chunk == self.chunks.len() {
            self.chunks.push(Arc::new(Vec::with_capacity(self.chunk_capacity(chunk))));
        }
        let values = self.chunk_mut(chunk);
        if place == values.len() {
            values.push(value);
        } else {
            values[place] = value;
        }
        self.next += 1;
    }

    /// Index of the oldest value held; that of the next one while there is none.
    #[must_use]
    pub fn first(&self) -> u64 {
        self.next.saturating_sub(self.capacity as u64)
    }

    /// Index that the next value will have: how many there ever were.
    #[must_use]
    pub const fn next(&self) -> u64 {
        self.next
    }

    #[must_use]
    pub fn len(&self) -> usize {
        (self.next - self.first()) as usize
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.next == 0
    }

    #[must_use]
    pub fn get(&self, index: u64) -> Option<&T> {
        if index >= self.next || index < self.first() {
            return None;
        }
        let (chunk, place) = self.place(index);
        self.chunks.get(chunk)?.get(place)
    }

    /// To write to a value; copies its chunk where a copy of the ring still holds it.
    pub fn get_mut(&mut self, index: u64) -> Option<&mut T> {
        self.get(index)?;
        let (chunk, place) = self.place(index);
        self.chunk_mut(chunk).get_mut(place)
    }

    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.get(self.next.checked_sub(1)?)
    }

    /// Bytes taken for values, used or not, shared or not.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.capacity() * size_of::<T>()).sum()
    }

    /// Bytes of the chunks that no other copy holds.
    #[must_use]
    pub fn own_bytes(&self) -> usize {
        let own = self.chunks.iter().filter(|chunk| Arc::strong_count(chunk) == 1);
        own.map(|chunk| chunk.capacity() * size_of::<T>()).sum()
    }

    const fn place(&self, index: u64) -> (usize, usize) {
        let slot = (index % self.capacity as u64) as usize;
        (slot / CHUNK, slot % CHUNK)
    }

    fn chunk_capacity(&self, chunk: usize) -> usize {
        CHUNK.min(self.capacity - chunk * CHUNK)
    }

    fn chunk_mut(&mut self, chunk: usize) -> &mut Vec<T> {
        if Arc::get_mut(&mut self.chunks[chunk]).is_none() {
            // Not `make_mut`: the copy of a chunk must have room for the rest of it.
            let mut copy = Vec::with_capacity(self.chunk_capacity(chunk));
            copy.extend_from_slice(&self.chunks[chunk]);
            self.chunks[chunk] = Arc::new(copy);
        }
        Arc::make_mut(&mut self.chunks[chunk])
    }
}
