//! What each stage of one frame produced, at length: filled only while somebody looks.
//!
//! Rows are kept as what they say, and become words where somebody reads them. So the frame that fills them writes no text,
//! and once a list is long enough it allocates nothing; nor does a copy of it made by `clone_from`.

use std::borrow::Cow;
use std::fmt;

use super::stage::Phase;
use crate::handoff::Holder;
use crate::input::{InputKind, KeySet};
use crate::time::{FrameIndex, Nanos, Tick};

/// A few words about a piece of work: what there is to say, written where it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Note {
    /// There is nothing to say.
    #[default]
    Nothing,
    Text(Cow<'static, str>),
    Input(InputKind),
    ChangedByHand {
        entities: usize,
    },
    Changed {
        entities: usize,
    },
    Load(Nanos),
    /// It runs at the frame rate, and this frame is a tick between two of its turns.
    NotDue,
    Roster {
        entities: usize,
        changed: bool,
    },
    Blended {
        entities: usize,
        simulated: u32,
    },
    Census {
        entities: u32,
        simulated: u32,
    },
    NothingHandedBack,
    RowsFreed(u32),
    Pruned {
        entries: u32,
        kept: usize,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::Text(text) => f.write_str(text),
            Self::Input(kind) => kind.fmt(f),
            Self::ChangedByHand { entities } => write!(f, "{entities} changed by hand"),
            Self::Changed { entities } => write!(f, "{entities} changed"),
            Self::Load(load) => write!(f, "{} µs of load", load.0 / 1000),
            Self::NotDue => f.write_str("not due: it runs at the frame rate"),
            Self::Roster { entities, changed } => {
                write!(f, "{entities} entities, {}", if *changed { "changed" } else { "unchanged" })
            }
            Self::Blended { entities, simulated } => {
                write!(f, "{entities} entities, {simulated} of them blended")
            }
            Self::Census { entities, simulated } => {
                write!(f, "census: {entities} entities, {simulated} simulated")
            }
            Self::NothingHandedBack => f.write_str("nothing handed back"),
            Self::RowsFreed(rows) => write!(f, "{rows} rows freed"),
            Self::Pruned { entries, kept } => {
                write!(f, "{entries} interpolation entries pruned, {kept} kept")
            }
        }
    }
}

impl From<&'static str> for Note {
    fn from(text: &'static str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Note {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

/// A named piece of work and the time it took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimedRow {
    pub name: Cow<'static, str>,
    pub duration: Nanos,
    /// What it did.
    pub note: Note,
}

/// One tick of this frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TickRow {
    pub tick: Tick,
    pub start: Nanos,
    pub duration: Nanos,
    /// Keys of which this tick saw that they went down, and those that went up.
    pub pressed: KeySet,
    pub released: KeySet,
    pub spawned: u32,
    pub despawned: u32,
    pub teleported: u32,
}

impl TickRow {
    /// The edges it saw, downs first, each in the order of the keys.
    pub fn edges(&self) -> impl Iterator<Item = InputKind> + use<> {
        self.pressed.iter().map(InputKind::KeyDown).chain(self.released.iter().map(InputKind::KeyUp))
    }
}

/// One agent and the phase that ran it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentRow {
    pub phase: Phase,
    pub name: Cow<'static, str>,
    pub duration: Nanos,
    /// Why it did not run in the phase ("fixed step, ran in the ticks"); empty where it ran.
    pub skipped: Cow<'static, str>,
}

/// The descriptor of a frame, as it was published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DescriptorRow {
    pub frame: FrameIndex,
    pub tick: Tick,
    pub render_time: Nanos,
    /// Which of the buffers the snapshot is in, from 0.
    pub buffer: u8,
    /// The untaken frame that it replaced.
    pub replaced: Option<FrameIndex>,
}

/// What the six stages produced. Rows of a stage that has not run are empty.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct StageDetails {
    /// Stage 1: the input events taken, one readable line each.
    pub events: Vec<Note>,
    /// Keys held after stage 1.
    pub held_keys: KeySet,
    /// Stage 2: systems in running order.
    pub systems: Vec<TimedRow>,
    /// Stage 3: who holds which of the buffers of the present handoff.
    pub buffers: Vec<Holder>,
    /// Stage 4: the ticks, the flows with what their view holds, the agents by phase.
    pub ticks: Vec<TickRow>,
    pub flows: Vec<TimedRow>,
    pub agents: Vec<AgentRow>,
    /// Stage 5.
    pub descriptor: Option<DescriptorRow>,
    /// Stage 6: what maintenance drained, compacted and pruned.
    pub maintenance: Vec<TimedRow>,
}

/// As many input events of one frame as there is room for from the start; more make their list longer, once.
pub const ROOM_FOR_EVENTS: usize = 64;

/// As many ticks of one frame; above the default cap of every tick rate.
pub const ROOM_FOR_TICKS: usize = 96;

impl StageDetails {
    /// Nothing yet, and room for a usual frame, so that the first such frame allocates nothing either.
    #[must_use]
    pub fn with_room() -> Self {
        const FEW: usize = 8;
        Self {
            events: Vec::with_capacity(ROOM_FOR_EVENTS),
            systems: Vec::with_capacity(FEW),
            buffers: Vec::with_capacity(FEW),
            ticks: Vec::with_capacity(ROOM_FOR_TICKS),
            flows: Vec::with_capacity(FEW),
            agents: Vec::with_capacity(FEW),
            maintenance: Vec::with_capacity(FEW),
            ..Self::default()
        }
    }

    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.events.clear();
        self.held_keys = KeySet::EMPTY;
        self.systems.clear();
        self.buffers.clear();
        self.ticks.clear();
        self.flows.clear();
        self.agents.clear();
        self.descriptor = None;
        self.maintenance.clear();
    }
}

/// `clone_from` uses the memory that is there.
impl Clone for StageDetails {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { events, held_keys, systems, buffers, ticks, flows, agents, descriptor, maintenance } =
            source;
        self.events.clone_from(events);
        self.held_keys = *held_keys;
        self.systems.clone_from(systems);
        self.buffers.clone_from(buffers);
        self.ticks.clone_from(ticks);
        self.flows.clone_from(flows);
        self.agents.clone_from(agents);
        self.descriptor = *descriptor;
        self.maintenance.clone_from(maintenance);
    }
}
