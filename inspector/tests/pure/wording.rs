use framewalk_inspector::wording::{
    alpha, bytes, count, grouped, grouped_signed, millis, millis_signed, nanos, short,
};
use framewalk_runtime::time::Nanos;

#[test]
fn numbers_read_as_they_are_shown() {
    assert_eq!(grouped(0), "0");
    assert_eq!(grouped(999), "999");
    assert_eq!(grouped(1_204), "1 204");
    assert_eq!(grouped(1_234_567), "1 234 567");
    assert_eq!(grouped_signed(-1_204), "−1 204");
    assert_eq!(millis(Nanos(6_944_445)), "6.94 ms");
    assert_eq!(millis(Nanos(-4_999)), "0.00 ms");
    assert_eq!(millis_signed(Nanos(-8_000_000)), "−8.00 ms");
    assert_eq!(millis_signed(Nanos(6_944_445)), "+6.94 ms");
    assert_eq!(nanos(Nanos(16_666_667)), "16 666 667 ns");
    assert_eq!(count(1, "event", "events"), "1 event");
    assert_eq!(count(2, "event", "events"), "2 events");
    assert_eq!(bytes(10_400_000), "10.4 MB");
    assert_eq!(short(501.25), "501.25");
    assert_eq!(short(1204.0), "1 204");
    assert_eq!(short(0.5), "0.5");
    assert_eq!(short(-0.001), "0");
}

#[test]
fn alpha_never_reads_one() {
    assert_eq!(alpha(0.999_999), "0.999");
    assert_eq!(alpha(0.25), "0.250");
    assert_eq!(alpha(f64::NAN), "–");
}

#[test]
fn the_longest_times_do_not_overflow() {
    assert!(millis(Nanos(i64::MIN)).starts_with('−'));
    assert!(millis(Nanos(i64::MAX)).ends_with(" ms"));
}
