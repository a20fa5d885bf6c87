//! The same done to every entity that has the parts for it: in one go, or as jobs.

use crate::frame::zones::zone;
use crate::jobs::{Jobs, Queue};
use hecs::Query;

/// Entities of one job: some tens of microseconds, a hundred times what handing it over costs.
pub(crate) const JOB_ENTITIES: u32 = 1024;

/// As many as are worth sharing.
pub(super) const fn is_wide(entities: usize) -> bool {
    entities >= 2 * JOB_ENTITIES as usize
}

/// Does `each` to every entity that has the parts of `Q`. Where several jobs' worth of them is there, and somebody to
/// share them with, they are shared; no job has entities of two archetypes.
pub fn sweep<'w, Q: Query + 'w>(
    jobs: Option<&Jobs>,
    name: &'static str,
    entities: &'w mut hecs::World,
    each: impl Fn(Q::Item<'w>) + Sync,
) where
    for<'a> Q::Item<'a>: Send,
{
    let jobs = jobs.filter(|jobs| jobs.are_shared());
    match jobs {
        Some(jobs) if is_wide(entities.query_mut::<Q>().into_iter().len()) => {
            zone!(name);
            let batches = entities.query_mut::<Q>().into_iter_batched(JOB_ENTITIES);
            jobs.each(Queue::Logic, batches, |batch| {
                zone!(name);
                batch.for_each(&each);
            });
        }
        _ => entities.query_mut::<Q>().into_iter().for_each(each),
    }
}
