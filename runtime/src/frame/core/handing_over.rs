//! Stage 5: the snapshot is closed and handed over, whichever way that goes.

use super::free_pictures::FreeFrame;
use super::{FrameCore, FrameError, Looking};
use crate::frame::details::DescriptorRow;
use crate::frame::record::{FrameKind, FrameRecord, HandoffMode};
use crate::frame::stage::Stage;
use crate::handoff::{Publication, PublishError, TickSpan, Times};
use crate::time::simulated::SimulatedTime;
use crate::time::source::TimeSource;
use crate::time::{Nanos, Speed};

/// From where to where the poses of a snapshot are blended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MotionOfFrame {
    /// The simulated time of the tick before the first.
    pub begin: SimulatedTime,
    /// How many ticks; 0 before there was one.
    pub ticks: u32,
}

impl MotionOfFrame {
    /// Where in the whole motion that is which lies at `alpha` in its last tick.
    pub fn alpha(&self, alpha: f64) -> f64 {
        if self.ticks > 1 { (f64::from(self.ticks - 1) + alpha) / f64::from(self.ticks) } else { alpha }
    }
}

impl FrameCore {
    /// Stage 5: closes the snapshot and publishes the frame. In lockstep it waits until the renderer is done with the frame
    /// before; that wait is no part of the stage's duration and stands in the record by itself.
    ///
    /// # Errors
    /// The render thread is gone, or did not come to the meeting in time.
    pub fn end_render_frame(&mut self, time: &mut impl TimeSource) -> Result<(), FrameError> {
        let start = time.stamp();
        self.close_snapshot();
        let buffer = self.producer.snapshot_buffer();
        // A frame published at this same instant and not yet taken is taken first: it is not dropped.
        time.settle();
        let waited = self.hand_over(time)?;
        if self.looking == Looking::AtThisFrame {
            let FrameRecord { frame, tick, render_time, replaced, .. } = self.record;
            self.details.descriptor = Some(DescriptorRow { frame, tick, render_time, buffer, replaced });
        }
        self.stamp(Stage::EndRenderFrame, start + waited, time);
        // It began before it waited.
        self.record.stages[Stage::EndRenderFrame.index()].start = start;
        Ok(())
    }

    fn close_snapshot(&mut self) {
        let snapshot = self.producer.snapshot_mut();
        snapshot.run = self.record.run;
        snapshot.frame = self.record.frame;
        snapshot.tick = self.tick;
        snapshot.render_time = self.record.render_time;
        snapshot.shown_time = self.record.shown_time;
        snapshot.ends = false;
        snapshot.submit_load = self.world.loads().submit;
        for (pose, id) in self.probe_poses.iter_mut().zip(&self.probes) {
            *pose = snapshot.drawn_pose(*id);
        }
        self.record.figures.snapshot_entities = snapshot.items.len() as u32;
    }

    /// Of the buffers of the free handoff some are used seldom, and first long after the run has begun: they are made ready
    /// before, one in a frame, each at what the frame's own snapshot costs.
    pub(super) fn warm_a_buffer(&mut self) {
        let entities = self.interpolation.len();
        if entities > self.room {
            // With some to spare where entities keep coming, or each of them would cost another round.
            self.room = if self.room == 0 { entities } else { entities + entities / 2 };
            self.producer.cool_down();
        }
        let Some(snapshot) = self.producer.cold_snapshot_mut() else { return };
        snapshot.make_room(self.room);
        snapshot.fill(&self.world, &self.interpolation);
    }

    /// How long that took by the clock that durations are measured with, if it waited.
    fn hand_over(&mut self, time: &mut impl TimeSource) -> Result<Nanos, FrameError> {
        let (arrived, stamped) = (time.now(), time.stamp());
        let waits = self.producer.mode() == HandoffMode::Lockstep;
        if waits {
            self.producer.change_way().map_err(|_| FrameError::HandoffClosed)?;
            time.meet();
        }
        let stands = self.stands();
        let frame = self.record.frame;
        let publication = Publication {
            frame,
            tick: self.tick,
            render_time: self.record.render_time,
            span: self.span(time.now()),
            times: Times { published: Some(arrived), next_due: self.grant.next_due },
            patience: (!stands).then_some(self.patience),
        };
        let published =
            self.producer.hand_over_by(publication, &mut self.helping).map_err(|error| match error {
                PublishError::Closed(_) => FrameError::HandoffClosed,
                PublishError::TooLong { waited } => FrameError::RendererTooLate { frame, waited },
                PublishError::ObserverTooLong { waited } => FrameError::ObserverTooLate { frame, waited },
                PublishError::ObserverEnded => FrameError::ObserverEnded { frame },
            })?;
        self.record.replaced = published.replaced;
        self.published = frame;
        if !waits {
            return Ok(Nanos::ZERO);
        }
        let met = time.now();
        self.record.sim_wait = met - arrived;
        self.record.observer_waits = self.producer.observer_waits(met);
        Ok(time.stamp() - stamped)
    }

    /// No frame follows this one by itself.
    fn stands(&self) -> bool {
        matches!(self.record.kind, FrameKind::SteppedFrame | FrameKind::SteppedTick | FrameKind::ByHand)
    }

    /// No time passes from now on: the picture stays as it is until a step, or an edit by hand.
    pub fn stand(&mut self, now: Nanos) {
        self.pictures.stand(now);
        self.producer.set_motion(self.pictures.clock());
        self.producer.set_standing(true);
    }

    /// Time passes from now on, and frames come by themselves.
    pub fn go_on(&mut self, now: Nanos) {
        self.pictures.go_on(self.fixed_step.speed(), now);
        self.producer.set_motion(self.pictures.clock());
        self.producer.set_standing(false);
    }

    /// No frame follows: the newest is drawn, and then everything stands.
    pub fn end(&mut self, now: Nanos) {
        self.pictures.stand(now);
        self.pictures.show_newest(now);
        self.producer.set_motion(self.pictures.clock());
        self.producer.set_standing(true);
    }

    /// How fast simulated time runs from now on; the ticks of the next frame are counted so.
    pub fn set_speed(&mut self, speed: Speed, now: Nanos) {
        self.fixed_step.set_speed(speed);
        self.pictures.set_speed(speed, now);
        self.producer.set_motion(self.pictures.clock());
    }

    /// The motion of the newest frame has begun in the pictures of the free handoff: another that is drawn as that one keeps no
    /// older one from being seen.
    #[must_use]
    pub fn shows_newest(&self, now: Nanos) -> bool {
        self.pictures.shows_newest(now)
    }

    /// When the motion of this frame's ticks is drawn, by a renderer that keeps its own time.
    fn span(&mut self, now: Nanos) -> TickSpan {
        if self.producer.mode() != HandoffMode::Free {
            self.pictures.forget();
            return TickSpan::default();
        }
        let shown_begin = self.motion.begin.nanos();
        let record = &self.record;
        let span = self.pictures.span(&FreeFrame {
            render_time: record.render_time,
            now,
            ticks: record.ticks,
            tick_length: record.tick_length,
            overstep: record.overstep,
            speed: record.speed,
            motion_ticks: self.motion.ticks,
            shown_begin,
            shown_length: self.simulated.nanos() - shown_begin,
            alpha: self.motion.alpha(record.alpha),
        });
        // A step moves it.
        self.producer.set_motion(self.pictures.clock());
        span
    }

    /// The longest wait for the renderer in lockstep, for a run that is to find a hang sooner than by default.
    pub fn set_patience(&mut self, patience: Nanos) {
        self.patience = patience;
    }
}
