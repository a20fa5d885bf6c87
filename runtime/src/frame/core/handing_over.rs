//! Stage 5: the snapshot is closed and handed over, whichever way that goes.

use super::{FrameCore, FrameError, Looking};
use crate::frame::details::DescriptorRow;
use crate::frame::record::{FrameKind, FrameRecord, HandoffMode};
use crate::frame::stage::Stage;
use crate::handoff::{Publication, PublishError, TickSpan, Times};
use crate::time::Nanos;
use crate::time::source::TimeSource;

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
            span: self.span(stands, time.now()),
            times: Times { published: Some(arrived), next_due: self.grant.next_due },
            patience: (!stands).then_some(self.patience),
        };
        let published =
            self.producer.hand_over_by(publication, &mut self.helping).map_err(|error| match error {
                PublishError::Closed(_) => FrameError::HandoffClosed,
                PublishError::TooLong { waited } => FrameError::RendererTooLate { frame, waited },
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

    /// When the last tick's motion is drawn, by a renderer that keeps its own time.
    fn span(&mut self, stands: bool, now: Nanos) -> TickSpan {
        let record = &self.record;
        let begin = self.previous_simulated.nanos();
        let length = self.simulated.nanos() - begin;
        if stands {
            return TickSpan::standing(begin, length);
        }
        // The tick's own time lies before the frame's by what the frame left over, as after one that was late or where
        // the frames' grid began between two ticks.
        let since = TickSpan::on_the_clock(record.overstep, record.speed).unwrap_or(Nanos::ZERO);
        let lateness = (now - record.render_time + since).max(Nanos::ZERO);
        let margin = match TickSpan::on_the_clock(record.tick_length, record.speed) {
            Some(length) if record.ticks > 0 => self.margin.after(lateness, length),
            _ => self.margin.now(),
        };
        let (tick_length, speed) = (record.tick_length, record.speed);
        TickSpan::running(record.render_time, record.overstep, tick_length, speed, margin, begin, length)
    }

    /// The longest wait for the renderer in lockstep, for a run that is to find a hang sooner than by default.
    pub fn set_patience(&mut self, patience: Nanos) {
        self.patience = patience;
    }
}
