//! The authored scene as a world that stands still: what Edit draws, lists and reads properties from.

use std::collections::HashSet;

use crate::document::Document;
use crate::document::edit::Reach;
use crate::document::indexed::IndexedScene;
use crate::stamp::ListStamp;
use framewalk_runtime::frame::recorder::{RecordReceiver, record_ring};
use framewalk_runtime::handoff::{FrameDescriptor, FrameProducer, frame_handoff};
use framewalk_runtime::interpolation::Interpolation;
use framewalk_runtime::render::gpu::GpuRenderer;
use framewalk_runtime::render::{Attention, RenderThread, RenderThreadOptions, Renderer};
use framewalk_runtime::scene::look::Look;
use framewalk_runtime::scene::{EntityId, Scene};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::pacer::Pacing;
use framewalk_runtime::time::source::RealClock;
use framewalk_runtime::time::{FrameIndex, Nanos, Rate, Tick};
use framewalk_runtime::world::{EntityObservation, EntityRow, HandEdit, World};

/// How long after the last picture a changed view is drawn.
const REDRAW_AFTER: Nanos = Nanos::from_millis(8);

/// Above every revision of a document.
const FIRST_PREVIEW: u64 = 1 << 63;

/// The scene of one revision of the document, as a world at tick 0.
pub struct AuthoredWorld {
    world: World,
    // Empty: everything is drawn as it stands.
    store: Interpolation,
    revision: u64,
    rows: Vec<EntityRow>,
    listed: ListStamp,
    observed: Option<EntityObservation>,
    previewed: HashSet<EntityId>,
    // With all that hangs on what is marked so, as of this list.
    hidden: HashSet<EntityId>,
    marked: HashSet<EntityId>,
    hidden_of: Option<ListStamp>,
    // Counts up whenever others are hidden.
    hides: u64,
}

impl AuthoredWorld {
    /// # Errors
    /// Why the scene cannot be a world, every reason in a sentence.
    pub fn new(scene: &Scene, tick_rate: Rate, revision: u64) -> Result<Self, String> {
        let world = World::standing(scene, tick_rate).map_err(|error| error.to_string())?;
        let mut rows = Vec::new();
        world.entity_rows(&mut rows);
        let store = Interpolation::default();
        let (observed, previewed, hidden, marked, hidden_of) = Default::default();
        let listed = ListStamp::new();
        Ok(Self {
            world,
            store,
            revision,
            rows,
            listed,
            observed,
            previewed,
            hidden,
            marked,
            hidden_of,
            hides: 0,
        })
    }

    /// Takes over what has changed since: these entities alone, which costs what they cost, or the whole scene where
    /// it was replaced.
    ///
    /// # Errors
    /// Why the scene cannot be a world; this one is as it was.
    pub fn follow(&mut self, document: &Document, reach: &Reach, tick_rate: Rate) -> Result<(), String> {
        let scene = document.indexed();
        self.world.reseed(scene.seed);
        // What was shown as it would be is shown as it is, with all that hangs on it.
        let also = std::mem::take(&mut self.previewed);
        let touched = match also.is_empty() {
            true => reach.touched.clone(),
            false => scene.with_descendants(reach.touched.iter().copied().chain(also)),
        };
        if reach.order {
            let reached = (&touched[..], &reach.above[..]);
            self.world.rearrange(scene, &|id| scene.place(id), reached, &mut self.rows);
            self.listed.revision += 1;
        } else {
            let revised = touched.iter().all(|id| {
                let revised = scene.entity(*id).is_some_and(|entity| self.world.revise(entity));
                if self.world.renew_row(*id, &mut self.rows) {
                    self.listed.revision += 1;
                }
                revised
            });
            if !revised {
                let fresh = Self::new(document.scene(), tick_rate, document.revision())?;
                *self = Self { hidden: std::mem::take(&mut self.hidden), hides: self.hides, ..fresh };
                return Ok(());
            }
        }
        self.observed = None;
        self.revision = document.revision();
        Ok(())
    }

    /// The document's revision it was made from.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Changes whenever it is to be drawn again: the revision, and what is hidden.
    #[must_use]
    pub fn drawn_revision(&self) -> (u64, u64) {
        (self.revision, self.hides)
    }

    /// Draws none of these, nor what hangs on them in the scene.
    pub fn hide(&mut self, marked: &HashSet<EntityId>, scene: &IndexedScene) {
        let of = self.listed;
        if self.marked == *marked && (marked.is_empty() || self.hidden_of == Some(of)) {
            return;
        }
        self.marked.clone_from(marked);
        self.hidden_of = Some(of);
        // Bodies that physics will move hang on nothing in the world, but do in the scene.
        let hidden = scene.with_descendants(marked.iter().copied()).into_iter().collect();
        if self.hidden != hidden {
            self.hidden = hidden;
            self.hides += 1;
        }
    }

    /// Every entity, in drawing order.
    #[must_use]
    pub fn rows(&self) -> &[EntityRow] {
        &self.rows
    }

    /// Tells the list of these rows from any other.
    #[must_use]
    pub fn listed(&self) -> ListStamp {
        self.listed
    }

    /// The selected entity at length.
    #[must_use]
    pub fn observed(&self) -> Option<&EntityObservation> {
        self.observed.as_ref()
    }

    /// Where an entity is, in the world.
    #[must_use]
    pub fn world_pose(&self, id: EntityId) -> Option<framewalk_runtime::scene::Pose> {
        self.world.world_pose(id)
    }

    /// Shows it with some changes, which are in no scene: what is dragged, until it is let go.
    pub fn preview(&mut self, edits: &[(EntityId, HandEdit)]) {
        for (id, edit) in edits {
            self.world.edit_by_hand(*id, edit);
        }
        self.previewed.extend(edits.iter().map(|(id, _)| *id));
        self.observed = None;
        // Of no document: whoever draws sees that it is another one, and so does who draws the document again.
        self.revision = self.revision.max(FIRST_PREVIEW) + 1;
    }

    /// Reads the selected entity.
    pub fn observe(&mut self, selection: Option<EntityId>) {
        if self.observed.as_ref().map(|observed| observed.id) == selection {
            return;
        }
        self.observed = selection.and_then(|id| {
            let mut observed = EntityObservation::default();
            self.world.observe(id, &mut observed).then_some(observed)
        });
    }

    /// Fills a snapshot of it: previous = current, frame 0.
    pub fn fill(&self, snapshot: &mut Snapshot) {
        snapshot.fill(&self.world, &self.store);
        snapshot.add_crowds(&self.world);
        (snapshot.frame, snapshot.tick, snapshot.run) = (FrameIndex(0), Tick(0), 0);
        (snapshot.alpha, snapshot.shown_time) = (0.0, Nanos::ZERO);
        snapshot.submit_load = Nanos::ZERO;
        if self.hidden.is_empty() {
            return;
        }
        let mut hidden = vec![false; snapshot.items.len()];
        for idx in 0..snapshot.items.len() {
            let Some(item) = snapshot.items.get(idx) else { break };
            // Parents stand before their children.
            let below = hidden.get(item.parent as usize).copied().unwrap_or(false);
            hidden[idx] = below || self.hidden.contains(&item.entity);
            if hidden[idx] {
                snapshot.items.set_look(idx, Look::default());
            }
        }
    }
}

/// Longest that the window waits for Edit's render thread to end.
const END_PATIENCE: std::time::Duration = std::time::Duration::from_millis(100);

/// Draws the authored scene, again whenever it or the view changes; uncounted.
pub enum AuthoredPicture {
    Threaded(Box<Threaded>),
    /// In the calls of whoever owns it: for tests.
    Direct {
        renderer: Box<GpuRenderer>,
        snapshot: Box<Snapshot>,
    },
}

/// The editor as the producer of a handoff of its own.
pub struct Threaded {
    producer: FrameProducer<Snapshot>,
    thread: RenderThread,
    clock: RealClock,
    // Frame 0 leaves no record; the ring is held so that its other end is not alone.
    _records: RecordReceiver,
}

impl Drop for Threaded {
    /// A thread that is in the middle of a long picture ends after it, by itself.
    fn drop(&mut self) {
        if self.thread.shutdown_within(END_PATIENCE).is_some() {
            tracing::warn!(target: "framewalk", thread = "render", run = 0, "thread_left");
        }
    }
}

impl AuthoredPicture {
    /// On a render thread of its own.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn threaded(renderer: Box<dyn Renderer<Snapshot>>) -> Result<Self, String> {
        let (producer, consumer, _) = frame_handoff(Default::default());
        let (sender, records) = record_ring(16);
        let clock = RealClock::new();
        let options = RenderThreadOptions {
            name: "render".to_owned(),
            run: 0,
            submit_cost: Nanos::ZERO,
            redraw_after: Some(REDRAW_AFTER),
            pacing: Pacing::Relaxed,
            // Its handoff is the slot, which waits for nobody.
            patience: Nanos::MAX,
            records: sender,
            zones: None,
            jobs: None,
            seat: None,
        };
        let thread = RenderThread::start(consumer, renderer, clock.clone(), options)
            .map_err(|error| error.to_string())?;
        Ok(Self::Threaded(Box::new(Threaded { producer, thread, clock, _records: records })))
    }

    /// In the caller's thread.
    #[must_use]
    pub fn direct(renderer: GpuRenderer) -> Self {
        Self::Direct { renderer: Box::new(renderer), snapshot: Box::default() }
    }

    /// Draws another scene.
    ///
    /// # Errors
    /// What the device refused, or why the thread is gone.
    pub fn show(&mut self, world: &AuthoredWorld) -> Result<(), String> {
        match self {
            Self::Threaded(threaded) => {
                world.fill(threaded.producer.snapshot_mut());
                let now = threaded.clock.now();
                threaded
                    .producer
                    .publish(FrameIndex(0), Tick(0), now)
                    .map(|_| ())
                    .map_err(|error| threaded.thread.failure().unwrap_or_else(|| error.to_string()))
            }
            Self::Direct { renderer, snapshot } => {
                world.fill(snapshot);
                let frame = FrameDescriptor::default();
                renderer.batch(&frame, snapshot).map_err(|error| error.to_string())?;
                renderer.submit(&frame, snapshot).map_err(|error| error.to_string())
            }
        }
    }

    /// Whoever draws is asked something beside its pictures.
    pub fn attend(&mut self) {
        match self {
            Self::Threaded(threaded) => threaded.thread.wake(),
            Self::Direct { renderer, .. } => while renderer.attend() != Attention::Idle {},
        }
    }

    /// Draws the same scene again where the view has changed.
    ///
    /// # Errors
    /// What the device refused.
    pub fn view_changed(&mut self) -> Result<(), String> {
        match self {
            Self::Threaded(threaded) => threaded.thread.wake(),
            Self::Direct { renderer, snapshot } => {
                renderer.redraw(snapshot).map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }
}
