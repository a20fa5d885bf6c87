//! What each stage of one frame produced, at length: filled only while somebody looks.

use super::stage::Phase;
use crate::time::{Nanos, Tick};

/// A named piece of work and the time it took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimedRow {
    pub name: String,
    pub duration: Nanos,
    /// What it did, in a few words; empty where there is nothing to say.
    pub note: String,
}

/// One tick of this frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TickRow {
    pub tick: Tick,
    pub start: Nanos,
    pub duration: Nanos,
    /// Input edges this tick saw, by name ("ArrowRight down").
    pub edges: Vec<String>,
    pub spawned: u32,
    pub despawned: u32,
    pub teleported: u32,
}

/// One agent and the phase that ran it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentRow {
    pub phase: Phase,
    pub name: String,
    pub duration: Nanos,
    /// Why it did not run in the phase ("fixed step, ran in the ticks"); empty where it ran.
    pub skipped: String,
}

/// What the six stages produced. Rows of a stage that has not run are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StageDetails {
    /// Stage 1: the input events taken, one readable line each.
    pub events: Vec<String>,
    /// Keys held after stage 1.
    pub held_keys: Vec<String>,
    /// Stage 2: systems in running order.
    pub systems: Vec<TimedRow>,
    /// Stage 3: who holds which of the buffers of the present handoff, from 1 ("buffer 1: sim", …).
    pub buffers: Vec<String>,
    /// Stage 4: the ticks, the flows with what their view holds, the agents by phase.
    pub ticks: Vec<TickRow>,
    pub flows: Vec<TimedRow>,
    pub agents: Vec<AgentRow>,
    /// Stage 5: the descriptor as published, one `name value` pair a row.
    pub descriptor: Vec<(String, String)>,
    /// Stage 6: what maintenance drained, compacted and pruned.
    pub maintenance: Vec<TimedRow>,
}

impl StageDetails {
    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.events.clear();
        self.held_keys.clear();
        self.systems.clear();
        self.buffers.clear();
        self.ticks.clear();
        self.flows.clear();
        self.agents.clear();
        self.descriptor.clear();
        self.maintenance.clear();
    }
}
