use framewalk_inspector::panels::pacing::decimate::Decimator;

#[test]
fn few_points_stay_as_they_are() {
    let mut decimator = Decimator::new(0.0, 10.0, 100);
    for x in 0..10 {
        decimator.push(f64::from(x), f64::from(x * x));
    }
    let segments = decimator.finish();
    assert_eq!(segments.len(), 1);
    assert_eq!(segments[0].len(), 10);
    assert!(segments[0].contains(&[3.0, 9.0]));
}

#[test]
fn a_single_spike_survives_among_ten_thousand() {
    let mut decimator = Decimator::new(0.0, 10_000.0, 300);
    for x in 0..10_000 {
        decimator.push(f64::from(x), if x == 5_003 { 21.0 } else { 7.0 });
    }
    let segments = decimator.finish();
    assert!(segments[0].len() <= 4 * 300, "{}", segments[0].len());
    assert!(segments[0].contains(&[5_003.0, 21.0]));
}

#[test]
fn a_break_is_kept_and_a_point_alone_stays() {
    let mut decimator = Decimator::new(0.0, 10.0, 100);
    decimator.push(0.0, 1.0);
    decimator.push(1.0, 1.0);
    decimator.break_line();
    decimator.break_line();
    decimator.push(5.0, 2.0);
    decimator.break_line();
    assert_eq!(decimator.finish(), vec![vec![[0.0, 1.0], [1.0, 1.0]], vec![[5.0, 2.0]]]);
}

#[test]
fn what_is_not_finite_breaks_the_line() {
    let mut decimator = Decimator::new(0.0, 3.0, 10);
    decimator.push(0.0, 1.0);
    decimator.push(1.0, f64::NAN);
    decimator.push(2.0, f64::INFINITY);
    decimator.push(3.0, 1.0);
    assert_eq!(decimator.finish(), vec![vec![[0.0, 1.0]], vec![[3.0, 1.0]]]);
}

#[test]
fn a_range_of_no_length_is_one_column() {
    let mut decimator = Decimator::new(4.0, 4.0, 10);
    decimator.push(4.0, 1.0);
    decimator.push(4.0, 3.0);
    assert_eq!(decimator.finish(), vec![vec![[4.0, 1.0], [4.0, 3.0]]]);
}
