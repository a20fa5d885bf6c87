//! Inside stage 4: the ticks a delta buys, the flow that publishes the view, and the phases with their agents.

use super::{Census, FrameCore, Looking, MotionOfFrame};
use crate::frame::agents::{Agent, Cadence};
use crate::frame::application::TickWorld;
use crate::frame::details::{AgentRow, Note, TickRow, TimedRow};
use crate::frame::record::{FrameKind, HandoffMode};
use crate::frame::zones::zone;
use crate::time::source::TimeSource;
use crate::time::{Nanos, Tick};
use crate::world::TickStep;

impl FrameCore {
    /// `advance`, then the ticks it granted.
    pub(super) fn run_ticks(&mut self, time: &mut impl TimeSource) {
        let advance = if self.grant.kind == FrameKind::SteppedTick {
            self.fixed_step.step_tick()
        } else {
            let allowed = self.tick_limit.map_or(u64::MAX, |limit| limit.saturating_sub(self.tick.0));
            self.fixed_step.advance_by(self.grant.delta, allowed, self.usual_delta())
        };
        let record = &mut self.record;
        record.clamped = advance.clamped;
        record.time_reversal = advance.time_reversal;
        record.ticks = advance.ticks;
        record.stepped_ticks = u32::from(self.grant.kind == FrameKind::SteppedTick);
        record.capped_ticks = advance.capped_ticks;
        record.cut_ticks = advance.cut_ticks;
        record.overstep = advance.overstep;
        record.alpha = advance.alpha;
        for tick in 0..advance.ticks {
            self.run_tick(tick > 0 && self.producer.mode() == HandoffMode::Free, time);
        }
        self.time.alpha = self.record.alpha;
        self.time.tick = self.tick;
        self.record.tick = self.tick;
        self.record.simulated_time = self.simulated.nanos();
        self.record.shown_time = self.previous_simulated.shown(self.last_tick_rate, self.record.alpha);
        self.record.totals = self.fixed_step.totals();
        self.stall_log.note(&self.record);
    }

    /// In the free handoff a frame takes as long as a tick does on the clock, however long that is: such a delta is no
    /// stall, nor is one that is late by less than a tick.
    fn usual_delta(&self) -> Nanos {
        if self.producer.mode() != HandoffMode::Free {
            return Nanos::ZERO;
        }
        let tick = self.record.speed.on_the_clock(self.record.tick_length);
        tick.map_or(Nanos::ZERO, |tick| Nanos(tick.0.saturating_mul(2)))
    }

    /// `further`: it goes on with the motion of the tick before, so that no picture of this frame misses any of it.
    fn run_tick(&mut self, further: bool, time: &mut impl TimeSource) {
        zone!("tick");
        let looking = self.looking == Looking::AtThisFrame;
        let start = if looking { time.stamp() } else { Nanos::ZERO };
        let rate = self.fixed_step.rate();
        if further {
            self.motion.ticks += 1;
        } else {
            self.motion = MotionOfFrame { begin: self.simulated, ticks: 1 };
        }
        self.previous_simulated = self.simulated;
        self.simulated.add_ticks(1, rate);
        self.last_tick_rate = Some(rate);
        self.tick = Tick(self.tick.0 + 1);
        self.time.tick = self.tick;
        let input = self.input.take_tick_input();
        if input.since.is_some() {
            self.record.input_arrived = self.record.input_arrived.or(input.since);
            self.record.input_seen = self.record.input_seen.or(Some(time.now()));
        }
        let mut outcome = self.world.begin_tick(&TickStep {
            tick: self.tick,
            seconds: self.simulated.seconds_f64(),
            tick_rate: rate,
            input: &input,
        });
        if let Some(app_tick) = &mut self.app_tick {
            zone!("app_tick");
            app_tick(&self.time, &input, &mut TickWorld::new(&mut self.world, &mut outcome));
        }
        self.world.end_tick(&mut outcome);
        self.record.figures.sound_cues += self.world.sound_cues().len() as u32;
        if let Some(sounds) = &mut self.sounds {
            sounds.send_cues(&self.world);
        }
        time.spend(self.world.loads().tick);
        {
            zone!("roll poses");
            if further {
                self.interpolation.roll_further(&self.world);
            } else {
                self.interpolation.roll(&self.world);
            }
        }
        self.record.figures.spawned += outcome.spawned;
        self.record.figures.despawned += outcome.despawned;
        if looking {
            self.details.ticks.push(TickRow {
                tick: self.tick,
                start,
                duration: time.stamp() - start,
                pressed: input.pressed,
                released: input.released,
                spawned: outcome.spawned,
                despawned: outcome.despawned,
                teleported: outcome.teleported,
            });
        }
    }

    /// The one flow of today: projects the world and its poses into the snapshot, and changes nothing.
    pub(super) fn run_flow(&mut self, time: &mut impl TimeSource) {
        zone!("scene_view");
        let start = time.stamp();
        let snapshot = self.producer.snapshot_mut();
        snapshot.alpha = self.motion.alpha(self.record.alpha);
        snapshot.motion_ticks = self.motion.ticks;
        snapshot.fill(&self.world, &self.interpolation);
        self.record.figures.flows = 1;
        if self.looking == Looking::AtThisFrame {
            let items = &snapshot.items;
            self.details.flows.push(TimedRow {
                name: "scene_view".into(),
                duration: time.stamp() - start,
                note: Note::Blended { entities: items.len(), simulated: items.simulated() },
            });
        }
    }

    /// The fixed list of agents, in the order of their phases. Those with a fixed step ran in the ticks.
    pub(super) fn run_phases(&mut self, time: &mut impl TimeSource) {
        let mut row_start = time.stamp();
        let mut ran = 0;
        for agent in Agent::ALL {
            let is_there = match agent {
                // Where nobody listens.
                Agent::Audio => self.sounds.is_some(),
                Agent::Application => self.app_tick.is_some(),
                _ => true,
            };
            if !is_there {
                continue;
            }
            let skipped = match agent.cadence() {
                Cadence::FixedStep => "fixed step: ran in the ticks",
                Cadence::OnceAFrame => {
                    self.run_agent(agent);
                    ran += 1;
                    ""
                }
            };
            if self.looking == Looking::AtThisFrame {
                let now = time.stamp();
                self.details.agents.push(AgentRow {
                    phase: agent.phase(),
                    name: agent.name().into(),
                    duration: now - row_start,
                    skipped: skipped.into(),
                });
                row_start = now;
            }
        }
        self.record.figures.agents = ran;
    }

    fn run_agent(&mut self, agent: Agent) {
        zone!(agent.name());
        match agent {
            Agent::Spawning | Agent::Motion | Agent::Physics | Agent::Teleporting | Agent::Application => {}
            Agent::Rendering => {
                let render_time = self.record.render_time;
                self.producer.snapshot_mut().render_time = render_time;
            }
            Agent::Audio => {
                if let Some(sounds) = &mut self.sounds {
                    sounds.send_places(self.record.frame, &self.world, self.producer.snapshot_mut());
                }
            }
            Agent::Census => {
                let items = &self.producer.snapshot_mut().items;
                self.handed_back =
                    Some(Census { entities: items.len() as u32, simulated: items.simulated() });
            }
        }
    }
}
