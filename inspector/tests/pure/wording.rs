use framewalk_inspector::history::{Entry, Fate};
use framewalk_inspector::panels::record::model::groups;
use framewalk_inspector::wording::{
    alpha, bytes, count, grouped, grouped_signed, millis, millis_signed, nanos, off_display, short,
};
use framewalk_runtime::frame::record::FrameRecord;
use framewalk_runtime::time::{FrameIndex, Nanos};

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
    for (error, said) in [
        (-260_000, "−0.3 ms off the display"),
        (-40_000, "+0.0 ms off the display"),
        (1_250_000, "+1.3 ms off the display"),
    ] {
        assert_eq!(off_display(Nanos(error)), said);
    }
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

#[test]
fn the_record_says_how_long_input_took_to_its_tick_and_to_its_picture() {
    let value = |entry: &Entry, name: &str| {
        let group = groups(entry).into_iter().find(|group| group.title == "input").unwrap();
        group.rows.into_iter().find(|row| row.name == name).unwrap().value
    };
    let seen = FrameRecord {
        input_arrived: Some(Nanos(1_000_000)),
        input_seen: Some(Nanos(3_500_000)),
        ..FrameRecord::default()
    };
    let entry = Entry { record: seen, fate: Fate::Shown { at: Nanos(21_000_000) }, ..Entry::default() };
    assert_eq!(value(&entry, "to its tick"), "2.50 ms  (2 500 000 ns)");
    assert_eq!(value(&entry, "to its picture"), "20.00 ms  (20 000 000 ns)");
    let dropped = Entry { fate: Fate::Dropped { by: FrameIndex(2) }, ..entry };
    assert_eq!(value(&dropped, "to its picture"), "–");
    assert_eq!(value(&Entry::default(), "to its tick"), "–");
}
