//! What a zone costs, beside puffin's in the same process.
//!
//! `cargo bench -p framewalk-runtime --no-default-features --bench zone`

#[path = "shared/row.rs"]
mod row;

use std::hint::black_box;

use framewalk_runtime::frame::zones::{Recording, switch, zone, zone_ring};
use framewalk_runtime::time::source::RealClock;
use row::{Aim, Row};

/// Zones a round; both sides give up what they hold after each, untimed.
const ZONES: usize = 4_000;

fn main() {
    let rounds = if row::is_measured() { 301 } else { 1 };
    let (sender, mut receiver) = zone_ring(ZONES + 1);
    sender.record_this_thread();
    puffin::set_scopes_on(true);
    let clock = RealClock::new();
    let mut nanos = [(); 5].map(|()| Vec::with_capacity(rounds));
    let mut lost = 0;
    for _ in 0..rounds {
        let start = clock.now();
        {
            zone!("outer");
            for n in 0..ZONES {
                zone!("zone");
                black_box(n);
            }
        }
        let ours = clock.now();
        switch(Recording::Off);
        let switched = clock.now();
        for n in 0..ZONES {
            zone!("zone");
            black_box(n);
        }
        let off = clock.now();
        switch(Recording::On);
        receiver.drain(|zone| _ = black_box(zone));
        lost += receiver.lost();

        let puffin_start = clock.now();
        {
            puffin::profile_scope!("outer");
            for n in 0..ZONES {
                puffin::profile_scope!("zone");
                black_box(n);
            }
        }
        let theirs = clock.now();
        puffin::set_scopes_on(false);
        let puffin_switched = clock.now();
        for n in 0..ZONES {
            puffin::profile_scope!("zone");
            black_box(n);
        }
        let theirs_off = clock.now();
        puffin::set_scopes_on(true);
        puffin::GlobalProfiler::lock().new_frame();

        // The floor: what any zone has to do.
        let floor_start = clock.now();
        for _ in 0..ZONES {
            black_box((clock.raw(), clock.raw()));
        }
        let floor = clock.now();
        let costs = [
            ours - start,
            off - switched,
            theirs - puffin_start,
            theirs_off - puffin_switched,
            floor - floor_start,
        ];
        nanos.iter_mut().zip(costs).for_each(|(nanos, cost)| nanos.push(cost.0 as f64 / ZONES as f64));
    }
    assert_eq!(lost, 0, "the ring holds a round");
    let [ours, off, theirs, theirs_off, floor] = nanos.map(row::median);
    row::header();
    let row = |what, ours, peer, aim| Row { what, unit: "ns", ours, peer: Some(peer), aim }.print();
    row("zone, inside another", ours, ("puffin", theirs), Some(Aim::Ratio(0.4)));
    row("zone, inside another", ours, ("two readings of the counter", floor), None);
    row("zone, switched off", off, ("puffin, switched off", theirs_off), Some(Aim::Cost(2.0)));
}
