//! What every fault promises.

use framewalk_runtime::scene::fault::Fault;

/// Every fault has a line and a column inside the text, and says something.
pub fn assert_placed(text: &str, faults: &[Fault]) {
    assert!(!faults.is_empty(), "refused without a reason");
    let lines: Vec<&str> = text.split('\n').collect();
    for fault in faults {
        let (line, column) = (fault.line.unwrap_or(0) as usize, fault.column.unwrap_or(0) as usize);
        let width = line.checked_sub(1).and_then(|line| lines.get(line)).map(|line| line.chars().count());
        let inside = width.is_some_and(|width| (1..=width + 1).contains(&column));
        assert!(inside && !fault.message.is_empty(), "{fault:?}");
    }
}
