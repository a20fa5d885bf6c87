use proptest::prelude::*;

use super::*;

#[test]
fn rates_are_read_exactly_and_written_as_short_as_they_can_be() {
    let table = [
        ("60", 60, 1, "60"),
        ("1", 1, 1, "1"),
        ("1000", 1000, 1, "1000"),
        ("1000.000", 1000, 1, "1000"),
        ("59.94", 2997, 50, "59.94"),
        ("5994/100", 2997, 50, "59.94"),
        ("60000/1001", 60_000, 1001, "60000/1001"),
        ("60000 / 1001", 60_000, 1001, "60000/1001"),
        (" 120 ", 120, 1, "120"),
        ("120/2", 60, 1, "60"),
        ("23.976", 2997, 125, "23.976"),
        ("1.000001", 1_000_001, 1_000_000, "1.000001"),
        ("119.880119", 119_880_119, 1_000_000, "119.880119"),
        ("143.999", 143_999, 1000, "143.999"),
        ("1.05", 21, 20, "1.05"),
        ("59.9400000000000000", 2997, 50, "59.94"),
    ];
    for (text, num, den, shown) in table {
        let rate: Rate = text.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((rate.num(), rate.den()), (num, den), "{text}");
        assert_eq!(rate.to_string(), shown, "{text}");
    }
}

#[test]
fn what_is_no_rate_is_refused_with_what_is_accepted() {
    let table = [
        "0",
        "0.5",
        "1001",
        "1000.0001",
        "-60",
        "+60",
        "NaN",
        "inf",
        "60/0",
        "0/0",
        "",
        " ",
        "60Hz",
        "6 0",
        ".5",
        "/",
        "60/",
        "/60",
        "60/1001/1",
        "1e2",
        "0x3c",
        "60,5",
        "1/2",
        "2001/2",
        "-60/-1",
        "٦٠",
        "60.-5",
        "60.+5",
        "60.5/1",
        "18446744073709551616",
        "18446744073709551615",
        "0.99999999999999999999",
        "1000.0000000001",
        "1.0000000001x",
    ];
    for text in table {
        let error = text.parse::<Rate>().expect_err(text);
        assert_eq!(error.given, text);
        assert!(error.to_string().contains("write 1 to 1000 Hz as a whole number (60)"), "{error}");
    }
    assert_eq!(Rate::hz(0).unwrap_err().to_string(), Rate::new(0, 1).unwrap_err().to_string());
    assert!(Rate::hz(1001).is_err());
    assert!(Rate::new(u64::MAX, u64::MAX).is_ok_and(|rate| rate == Rate::hz(1).unwrap()));
    assert!(Rate::new(1, u64::MAX).is_err() && Rate::new(u64::MAX, 1).is_err());
}

#[test]
fn a_rate_whose_exact_fraction_is_too_long_says_that_its_digits_are_too_many() {
    for text in
        ["143.8561439", "999.9999999", "1.0000000001", "1.99999999999999999999", "4000000001/4000000000"]
    {
        let error = text.parse::<Rate>().expect_err(text);
        assert_eq!(error.why, NoRate::TooFine);
        assert_eq!(
            error.to_string(),
            format!(
                "{text:?} has too many digits to be an exact rate: write at most 6 behind the point, or a fraction \
                 with terms of at most 1000000000"
            )
        );
    }
    for text in ["143.856144", "999.999999", "1.00000001", "1000000000/999999999"] {
        assert!(text.parse::<Rate>().is_ok(), "{text}");
    }
}

#[test]
fn one_period_is_rounded_up_to_whole_ns() {
    let table = [
        ("1", 1_000_000_000),
        ("10", 100_000_000),
        ("60", 16_666_667),
        ("59.94", 16_683_351),
        ("60000/1001", 16_683_334),
        ("75", 13_333_334),
        ("144", 6_944_445),
        ("240", 4_166_667),
        ("1000", 1_000_000),
    ];
    for (text, nanos) in table {
        assert_eq!(text.parse::<Rate>().unwrap().period(), Nanos(nanos), "{text}");
    }
}

#[test]
fn speeds_are_thousandths_from_0_to_8() {
    let table =
        [("0", 0), ("1", 1000), ("0.5", 500), ("0.001", 1), ("8", 8000), ("8.000", 8000), ("1.25", 1250)];
    for (text, thousandths) in table {
        assert_eq!(text.parse::<Speed>().unwrap().thousandths(), thousandths, "{text}");
    }
    for text in ["", "-1", "8.001", "9", "0.0005", "NaN", "1e0", "1x", ".5", "+1", "99999999999"] {
        let error = text.parse::<Speed>().expect_err(text);
        assert!(error.to_string().contains("write 0 to 8 in steps of 0.001"), "{error}");
    }
    assert!(Speed::from_thousandths(8001).is_err_and(|error| error.given == "8.001"));
}

#[test]
fn times_stop_at_their_ends_instead_of_wrapping() {
    assert_eq!(Nanos::MAX + Nanos(1), Nanos::MAX);
    assert_eq!(Nanos(i64::MIN) - Nanos(1), Nanos(i64::MIN));
    assert_eq!(Nanos::from_secs(i64::MAX), Nanos::MAX);
    assert_eq!(Nanos::from_millis(-250), Nanos(-250_000_000));
}

proptest! {
    #[test]
    fn a_rate_written_and_read_is_the_same_rate(den in 1_u64..1_000_000_000, num in 1_u64..1_000_000_000) {
        if let Ok(rate) = Rate::new(num, den) {
            prop_assert_eq!(rate.to_string().parse::<Rate>(), Ok(rate));
        }
        let shifted = Rate::new(num + den, den);
        if let Ok(rate) = shifted {
            prop_assert_eq!(rate.to_string().parse::<Rate>(), Ok(rate));
        }
    }

    #[test]
    fn a_speed_written_and_read_is_the_same_speed(thousandths in 0_u32..=8000) {
        let speed = Speed::from_thousandths(thousandths).unwrap();
        prop_assert_eq!(speed.to_string().parse::<Speed>(), Ok(speed));
    }

    #[test]
    fn the_last_point_at_a_time_is_the_last_one_not_after_it(
        num in 1_u64..1_000_000_000,
        den in 1_u64..1_000_000_000,
        elapsed in 0..i64::MAX,
    ) {
        let Ok(rate) = Rate::new(num.max(den), den.min(num)) else { return Ok(()) };
        let n = rate.last_point_at(Nanos(elapsed));
        prop_assert!(rate.time_of(n) <= Nanos(elapsed));
        prop_assert!(rate.time_of(n + 1) > Nanos(elapsed));
    }
}

#[test]
fn a_rate_at_a_speed_is_exact_or_none_and_is_held_within_its_bounds() {
    let at = |rate: &str, speed: &str| {
        let (rate, speed): (Rate, Speed) = (rate.parse().unwrap(), speed.parse().unwrap());
        (rate.times(speed).map(|rate| rate.to_string()), rate.scaled(speed).to_string())
    };
    let exactly = |rate: &str| (Some(rate.to_owned()), rate.to_owned());
    let held = |rate: &str| (None, rate.to_owned());
    assert_eq!(at("60", "0.5"), exactly("30"));
    assert_eq!(at("125", "8"), exactly("1000"));
    assert_eq!(at("60000/1001", "0.333"), exactly("19980/1001"));
    assert_eq!(at("126", "8"), held("1000"));
    assert_eq!(at("60", "0.016"), held("1"));
    assert_eq!(at("60", "0"), held("1"));
}
