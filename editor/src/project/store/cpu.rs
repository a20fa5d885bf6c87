//! What each thread of this program has cost, as the system accounts for it.

use framewalk_runtime::time::Nanos;

/// One thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadCost {
    pub id: u64,
    pub name: String,
    /// Time on a core since it began.
    pub cost: Nanos,
}

/// Every thread of this process; none where the system does not say, or not in this way.
#[must_use]
pub fn thread_costs() -> Option<Vec<ThreadCost>> {
    let threads = std::fs::read_dir("/proc/self/task").ok()?;
    let mut costs = Vec::new();
    for thread in threads.flatten() {
        let Some(id) = thread.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // A thread that ends meanwhile is gone from here too.
        let Ok(name) = std::fs::read_to_string(thread.path().join("comm")) else { continue };
        let Ok(schedule) = std::fs::read_to_string(thread.path().join("schedstat")) else { continue };
        let cost = on_core(&schedule)?;
        costs.push(ThreadCost { id, name: name.trim_end().to_owned(), cost });
    }
    (!costs.is_empty()).then_some(costs)
}

/// The first figure of `schedstat`: nanoseconds on a core.
fn on_core(schedule: &str) -> Option<Nanos> {
    schedule.split_whitespace().next()?.parse().ok().map(Nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_figure_is_the_time_on_a_core() {
        assert_eq!(on_core("1234567 89 10\n"), Some(Nanos(1_234_567)));
        assert_eq!(on_core(""), None);
        assert_eq!(on_core("x 1 2"), None);
    }
}
