//! One value that holds what the panels look at.

use egui::Ui;
use framewalk_runtime::frame::record::{FrameRecord, RenderRecord, ShownRecord};
use framewalk_runtime::frame::zones::{Zone, ZoneThread};
use framewalk_runtime::time::FrameIndex;

use crate::comparison::ComparisonWanted;
use crate::history::passes::WindowPass;
use crate::history::{DEFAULT_CAPACITY, Entry, History};
use crate::live::{InspectorAction, LiveView};
use crate::panels::{
    Panel, compare, figures, handoff, histogram, pacing, record, stages, strip, threads, timeline,
};
use crate::selection::Selection;
use crate::view::View;

/// Takes records in, and draws panels from them.
#[derive(Debug)]
pub struct Inspector {
    history: History,
    selection: Selection,
    stages: stages::State,
    pacing: pacing::State,
    strip: strip::State,
    timeline: timeline::State,
    histogram: histogram::State,
    threads: threads::State,
    compare: compare::State,
    /// What the last pass over the panels cost, in ms, where the program measures it.
    pub pass_cost_millis: Option<f32>,
    /// Panels draw their own caption line. A program that puts [`Inspector::caption`] beside the tab switches it off.
    pub captions_in_panels: bool,
}

impl Default for Inspector {
    fn default() -> Self {
        Self::new(DEFAULT_CAPACITY)
    }
}

impl Inspector {
    /// Keeps at most `capacity_frames` recent frames, at least 1.
    #[must_use]
    pub fn new(capacity_frames: usize) -> Self {
        Self {
            history: History::new(capacity_frames),
            selection: Selection::Live,
            stages: stages::State::default(),
            pacing: pacing::State::default(),
            strip: strip::State::default(),
            timeline: timeline::State::default(),
            histogram: histogram::State::default(),
            threads: threads::State::default(),
            compare: compare::State::default(),
            pass_cost_millis: None,
            captions_in_panels: true,
        }
    }

    /// How a person wants the handoffs to be compared.
    #[must_use]
    pub const fn comparison_wanted(&self) -> ComparisonWanted {
        self.compare.wanted
    }

    /// Keeps at most so many recent frames from now on; the oldest go where there are more. The view goes live.
    pub fn set_capacity(&mut self, capacity_frames: usize) {
        self.go_live();
        self.history.set_capacity(capacity_frames);
        // They count in indices, which are others now.
        let (scale, time) = (self.strip.scale, self.pacing.time);
        (self.strip, self.pacing) = (strip::State::default(), pacing::State::default());
        (self.strip.scale, self.pacing.time) = (scale, time);
    }

    /// A new run begins: its frames are told apart from all earlier ones, and the view goes live.
    pub fn begin_run(&mut self, run: u32) {
        self.history.begin_run(run);
        self.selection.go_live();
    }

    /// The newest run is over: what was still under way is abandoned.
    pub fn end_run(&mut self) {
        self.selection.end_run(self.history.totals().run);
        self.history.end_run();
    }

    /// Whether a window shows the frames and reports it; see [`History::set_windowed`].
    pub fn set_windowed(&mut self, windowed: bool) {
        self.history.set_windowed(windowed);
    }

    pub fn ingest_frame(&mut self, record: FrameRecord) {
        self.selection.ingest_frame(&record);
        self.history.ingest_frame(record);
    }

    pub fn ingest_render(&mut self, record: RenderRecord) {
        self.selection.ingest_render(record);
        self.history.ingest_render(record);
    }

    /// A zone of one of the run's threads; those of a thread in the order in which they ended.
    pub fn ingest_zone(&mut self, thread: ZoneThread, zone: Zone) {
        self.history.ingest_zone(thread, zone);
    }

    /// A pass of the window that shows these panels, in the order in which they were made; see [`WindowPass`].
    pub fn ingest_pass(&mut self, pass: WindowPass) {
        self.history.ingest_pass(pass);
    }

    pub fn ingest_shown(&mut self, record: ShownRecord) {
        self.selection.ingest_shown(record);
        self.history.ingest_shown(record);
    }

    #[must_use]
    pub const fn history(&self) -> &History {
        &self.history
    }

    #[must_use]
    pub const fn selection(&self) -> &Selection {
        &self.selection
    }

    /// The chosen frame; the newest while live.
    #[must_use]
    pub fn chosen(&self) -> Option<&Entry> {
        self.selection.entry(&self.history)
    }

    /// Frames held.
    #[must_use]
    pub fn frames_held(&self) -> usize {
        self.history.len()
    }

    /// Bytes held for frames, those of a frozen view included.
    #[must_use]
    pub fn bytes_held(&self) -> usize {
        self.history.bytes() + self.selection.bytes()
    }

    /// Freezes the view on a frame of the run on show. False where it is held nowhere.
    pub fn select(&mut self, frame: FrameIndex) -> bool {
        let run = self.selection.run(&self.history);
        self.selection.select(&self.history, run, frame)
    }

    /// Selects a stretch of frames of the run on show, and freezes on its frame `to`. False where that one is held
    /// nowhere.
    pub fn select_range(&mut self, from: FrameIndex, to: FrameIndex) -> bool {
        let run = self.selection.run(&self.history);
        self.selection.select_range(&self.history, run, from, to)
    }

    /// Back to the newest frame.
    pub fn go_live(&mut self) {
        self.selection.go_live();
    }

    #[must_use]
    pub const fn is_live(&self) -> bool {
        self.selection.is_live()
    }

    /// Zooms strip and plots out until every frame of the run on show is in them; `columns` is about how many points
    /// wide they are.
    pub fn show_everything(&mut self, columns: usize) {
        let view_frames = self.selection.history(&self.history).run(self.selection.run(&self.history));
        self.strip.scale = strip::model::Scale::that_holds(view_frames.len(), columns / 2);
        self.strip.end = None;
        if let (Some(oldest), Some(newest)) = (view_frames.at(0), view_frames.last()) {
            let span = newest.played - oldest.played;
            self.pacing.time = pacing::model::TimeView { span, end: None };
        }
    }

    /// Moves the selection by so many frames, freezing the view where it was live.
    pub fn walk(&mut self, steps: i64) -> Option<FrameIndex> {
        self.selection.walk(&self.history, steps)
    }

    /// One line of figures for the right end of a panel's tab bar; empty where there is nothing to say.
    #[must_use]
    pub fn caption(&self, panel: Panel, live: &LiveView<'_>) -> String {
        match panel {
            Panel::Stages => stages::caption(self.view(live)),
            Panel::Record => record::caption(self.view(live)),
            Panel::Pacing => self.pacing.caption(self.view(live)),
            Panel::Timeline => timeline::caption(self.view(live)),
            Panel::Handoff => handoff::caption(self.view(live)),
            Panel::Histogram => self.histogram.caption(),
            Panel::Threads => threads::caption(self.view(live)),
            // What was compared stands above its table.
            Panel::Compare => String::new(),
        }
    }

    /// Draws one panel into all of `ui`.
    pub fn panel_ui(&mut self, ui: &mut Ui, panel: Panel, live: &LiveView<'_>) -> Option<InspectorAction> {
        let view = View {
            history: &self.history,
            selection: &self.selection,
            live,
            captions: self.captions_in_panels,
        };
        let action = match panel {
            Panel::Stages => stages::ui(ui, &mut self.stages, view),
            Panel::Record => record::ui(ui, view),
            Panel::Pacing => pacing::ui(ui, &mut self.pacing, view),
            Panel::Timeline => timeline::ui(ui, &mut self.timeline, view),
            Panel::Handoff => handoff::ui(ui, view),
            Panel::Histogram => histogram::ui(ui, &mut self.histogram, view),
            Panel::Threads => threads::ui(ui, &mut self.threads, self.pass_cost_millis, view),
            Panel::Compare => compare::ui(ui, &mut self.compare, view),
        };
        self.follow(action)
    }

    /// Draws the frame strip over the full width of `ui`.
    pub fn strip_ui(&mut self, ui: &mut Ui, live: &LiveView<'_>) -> Option<InspectorAction> {
        let view = View { history: &self.history, selection: &self.selection, live, captions: true };
        let action = strip::ui(ui, &mut self.strip, view);
        self.follow(action)
    }

    /// Draws the six live figures: frame, tick, alpha, overstep, dropped, late. Their widths never change.
    pub fn figures_ui(&self, ui: &mut Ui, live: &LiveView<'_>) -> Option<InspectorAction> {
        figures::ui(ui, self.view(live))
    }

    /// What [`Self::figures_ui`] takes.
    pub fn figures_width(&self, ui: &Ui) -> f32 {
        figures::width(ui, self.view(&LiveView::default()))
    }

    fn view<'a>(&'a self, live: &'a LiveView<'a>) -> View<'a> {
        View { history: &self.history, selection: &self.selection, live, captions: self.captions_in_panels }
    }

    /// The selection is ours; everything else is for the program.
    fn follow(&mut self, action: Option<InspectorAction>) -> Option<InspectorAction> {
        match &action {
            Some(InspectorAction::Select(frame)) => {
                let _ = self.select(*frame);
            }
            Some(InspectorAction::SelectRange(from, to)) => {
                let _ = self.select_range(*from, *to);
            }
            Some(InspectorAction::GoLive) => self.go_live(),
            _ => {}
        }
        action
    }
}
