//! The only place where what is asked for changes anything: one match, one line per arm.

use framewalk_inspector::InspectorAction;
use framewalk_runtime::sim::Control;
use framewalk_runtime::time::Speed;

use crate::app::EditorApp;
use crate::command::{Action, EditorCommand, TourStep};
use crate::document::arrange::Shift;
use crate::document::marks::Mark;
use crate::project::leaving::Next;
use crate::settings::ThemeChoice;
use crate::shell::areas;
use crate::shell::toolbar::Field;

impl EditorApp {
    /// Does everything that was asked for in this pass, in order.
    pub(crate) fn run_actions(&mut self, ctx: &egui::Context) {
        let actions = self.take_actions();
        if !actions.is_empty() {
            ctx.request_repaint();
        }
        for action in actions {
            // Whatever is done next finds selected what was clicked before it.
            if !matches!(action, Action::Click(_) | Action::Camera(_) | Action::Inspector(_)) {
                self.settle_clicks();
            }
            self.dispatch(action, ctx);
        }
    }

    fn dispatch(&mut self, action: Action, ctx: &egui::Context) {
        match action {
            Action::Command(command) => self.command(command, ctx),
            Action::SetSpeed(speed) => self.set_speed(speed),
            Action::SetTickRate(rate) => self.set_tick_rate(rate),
            Action::SetFrameRate(choice) => self.set_frame_rate(choice),
            Action::Click(click) => self.click(click),
            Action::SetPhysicsDivisor(divisor) => self.set_physics_divisor(divisor),
            Action::ChangeProject(change) => self.change_project(&change),
            Action::Select(entity) => self.select(entity),
            Action::ChangeSelection(change) => self.change_selection(change),
            Action::OpenPath(path) => self.unless_unsaved(Next::OpenPath(path), ctx),
            Action::OpenScene(name) => self.open_scene(&name),
            Action::CloseScene(name) => self.close_scene(&name, ctx),
            Action::CloseOtherScenes(name) => self.close_other_scenes(&name, ctx),
            Action::SaveScene(name) => self.save_scene(&name, ctx),
            Action::ShiftTab { from, to } => self.shift_tab(from, to),
            Action::OpenFolderOf(file) => self.open_folder_of(&file),
            Action::Edit { name, edit, gesture } => self.edit(&name, *edit, gesture),
            Action::Grip(grip) => self.grip(grip),
            Action::SelectBox { ids, add } => self.select_box(ids, add),
            Action::SetSteps(steps) => self.set_steps(steps),
            Action::ChangeRun(edits) => self.change_run(edits),
            Action::Keep(parts) => self.keep(parts),
            Action::MoveEntities { ids, to } => self.move_entities(&ids, to),
            Action::ToggleMark { mark, id } => self.toggle_mark(mark, &[id]),
            Action::Paste(text) => self.paste(&text),
            Action::MakeProject { folder, template } => {
                self.unless_unsaved(Next::MakeProject(folder, template), ctx);
            }
            Action::Named { what, name } => self.named(what, &name),
            Action::OpenFile(path) => self.open_file(&path),
            Action::JumpInHistory(count) => self.jump_in_history(count),
            Action::Answer(answer) => self.answer(answer, ctx),
            Action::ForgetRecent(path) => self.forget_recent(&path),
            Action::Camera(change) => self.move_camera(change),
            Action::Inspector(action) => self.inspector_action(action, ctx),
            Action::SetWhenHidden(choice) => self.set_when_hidden(choice),
            Action::CopyText(text) => ctx.copy_text(text),
            Action::ShowPane(pane) => self.show_pane(pane, ctx),
            Action::Maximise(pane) => self.maximise(pane),
            Action::SetKeys(command, keys) => self.set_keys(command, keys),
            Action::Tour(step) => self.tour(step),
            Action::ResetKeys => self.reset_keys(),
            Action::SetZoom(zoom) => self.set_zoom(zoom, ctx),
            Action::ClearLog => self.clear_log(),
            Action::SetHistoryFrames(frames) => self.set_history_frames(frames),
            Action::SetAutosave(seconds) => self.set_autosave(seconds),
            Action::SetThreads(threads) => self.set_threads(threads),
            Action::SetFlight { frames_in_flight, instance_buffers } => {
                self.set_flight(frames_in_flight, instance_buffers);
            }
            Action::SetVolume(hundredths) => self.set_volume(hundredths),
            Action::SetUndoMemory(mebibytes) => self.set_undo_memory(mebibytes),
            Action::CancelTakeOver => self.cancel_take_over(),
            Action::Undock(pane) => self.undock(pane),
            Action::Dock(pane) => self.dock(pane),
        }
    }

    fn command(&mut self, command: EditorCommand, ctx: &egui::Context) {
        match command {
            EditorCommand::Name(what) => self.ask_name(what, ctx),
            EditorCommand::OpenProject => self.choose_project(),
            EditorCommand::CloseProject => self.unless_unsaved(Next::CloseProject, ctx),
            EditorCommand::Quit => self.unless_unsaved(Next::Quit, ctx),
            EditorCommand::Save => self.save(ctx),
            EditorCommand::SaveAll => self.save_all(ctx),
            EditorCommand::Revert => self.revert_front(ctx),
            EditorCommand::CloseScene => self.close_front(ctx),
            EditorCommand::CloseOtherScenes => self.close_all_behind(ctx),
            EditorCommand::NextScene => self.bring_beside(true),
            EditorCommand::PreviousScene => self.bring_beside(false),
            EditorCommand::SceneRight => self.shift_front(true),
            EditorCommand::SceneLeft => self.shift_front(false),
            EditorCommand::TakeOver => self.take_over(),
            EditorCommand::Undo => self.undo(),
            EditorCommand::Redo => self.redo(),
            EditorCommand::Cut => self.cut_selection(ctx),
            EditorCommand::Copy => self.copy_selection(ctx),
            EditorCommand::Paste => ctx.send_viewport_cmd(egui::ViewportCommand::RequestPaste),
            EditorCommand::Rename => self.rename_selection(ctx),
            EditorCommand::MoveUp => self.shift_selection(Shift::Up),
            EditorCommand::MoveDown => self.shift_selection(Shift::Down),
            EditorCommand::MakeChildOfPrevious => self.make_child_of_previous(),
            EditorCommand::Unparent => self.unparent(),
            EditorCommand::ToggleHidden => self.toggle_mark(Mark::Hidden, &[]),
            EditorCommand::ToggleLocked => self.toggle_mark(Mark::Locked, &[]),
            EditorCommand::ShowAll => self.clear_marks(),
            EditorCommand::Duplicate => self.duplicate_selection(),
            EditorCommand::Delete => self.delete_selection(),
            EditorCommand::Add(what) => self.add(what),
            EditorCommand::Settings => self.open_preferences(ctx),
            EditorCommand::Palette => self.open_palette(ctx),
            EditorCommand::PlayOrResume => self.play_or_resume(ctx),
            EditorCommand::Pause => self.pause(),
            EditorCommand::Stop => self.stop(),
            EditorCommand::Restart => self.restart(ctx),
            EditorCommand::StepStage => self.control(Control::StepStage),
            EditorCommand::StepFrame => self.control(Control::StepFrame),
            EditorCommand::StepTick => self.control(Control::StepTick),
            EditorCommand::Slower => self.scale_speed(false),
            EditorCommand::NormalSpeed => self.set_speed(Speed::NORMAL),
            EditorCommand::Faster => self.scale_speed(true),
            EditorCommand::EditSpeed => self.edit_field(Field::Speed),
            EditorCommand::EditTickRate => self.edit_field(Field::TickRate),
            EditorCommand::EditFrameRate => self.edit_field(Field::FrameRate),
            EditorCommand::EditPhysicsDivisor => self.edit_field(Field::Physics),
            EditorCommand::EditHandoff => self.edit_field(Field::Handoff),
            EditorCommand::CompareHandoffs => self.compare_handoffs(),
            EditorCommand::SetHandoff(handoff) => self.set_handoff(handoff),
            EditorCommand::MuteSounds => self.toggle_muted(),
            EditorCommand::FrameSelection => self.frame_selection(),
            EditorCommand::FrameAll => self.frame(&[]),
            EditorCommand::Tool(tool) => self.set_tool(tool),
            EditorCommand::LocalAxes => self.toggle_local_axes(),
            EditorCommand::LookFrom(side) => self.look_from(side),
            EditorCommand::Orthographic => self.toggle_orthographic(),
            EditorCommand::SelectAll => self.select_all(),
            EditorCommand::ClearSelection => self.select(None),
            EditorCommand::LookThroughCamera => self.toggle_look(),
            EditorCommand::DrawLastTick => self.toggle_last_tick(),
            EditorCommand::ShowGrid => self.toggle_grid(),
            EditorCommand::ShowGhosts => self.toggle_ghosts(),
            EditorCommand::ShowTrails => self.toggle_trails(),
            EditorCommand::GoLive => self.go_live(),
            EditorCommand::ThemeSystem => self.set_theme(ThemeChoice::System, ctx),
            EditorCommand::ThemeDark => self.set_theme(ThemeChoice::Dark, ctx),
            EditorCommand::ThemeLight => self.set_theme(ThemeChoice::Light, ctx),
            EditorCommand::OpenSceneFile => self.open_scene_file(),
            EditorCommand::OpenSceneFolder => self.open_scene_folder(),
            EditorCommand::OpenProjectFile => self.open_project_file(),
            EditorCommand::ZoomIn => self.zoom_by(1, ctx),
            EditorCommand::ZoomOut => self.zoom_by(-1, ctx),
            EditorCommand::ZoomReset => self.set_zoom(1.0, ctx),
            EditorCommand::MaximiseViewport => self.toggle_maximised(),
            EditorCommand::ResetLayout => self.reset_layout(),
            EditorCommand::TakeTour => self.tour(TourStep::To(0)),
            EditorCommand::GoToPlace(place) => self.go_to_place(place),
            EditorCommand::KeepPlace(place) => self.keep_place(place),
            EditorCommand::MenuBar => self.go_to_menu(),
            EditorCommand::NextArea => areas::walk(ctx, true),
            EditorCommand::PreviousArea => areas::walk(ctx, false),
            EditorCommand::TogglePanel(pane) => self.toggle_panel(pane),
            EditorCommand::ShowPanel(pane) => self.go_to_panel(pane, ctx),
            EditorCommand::OwnWindow(pane) => self.toggle_own_window(pane),
        }
    }

    fn inspector_action(&mut self, action: InspectorAction, ctx: &egui::Context) {
        match action {
            InspectorAction::StepStage => self.control(Control::StepStage),
            InspectorAction::StepFrame => self.control(Control::StepFrame),
            InspectorAction::StepTick => self.control(Control::StepTick),
            InspectorAction::Select(frame) => self.select_frame(frame),
            // The inspector has selected it already.
            InspectorAction::SelectRange(..) => {}
            InspectorAction::GoLive => self.go_live(),
            InspectorAction::Copy(text) => ctx.copy_text(text),
            InspectorAction::Compare(wanted) => self.compare(wanted),
            InspectorAction::CancelComparison => self.cancel_comparison(),
        }
    }
}
