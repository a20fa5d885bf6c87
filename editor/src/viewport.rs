//! The viewport: the picture on screen, what is written over it, and what mouse and keys do in it.

pub mod authored;
pub mod camera;
pub mod keys;
pub mod overlay;
pub mod picking;
pub mod texture;

use egui::{Color32, Key, PointerButton, Pos2, Rect, Response, RichText, Sense, Ui, Vec2, pos2, vec2};
use framewalk_inspector::theme::Theme;
use framewalk_runtime::render::picture::Picture;
use framewalk_runtime::render::view::{View, ViewCamera};
use framewalk_runtime::scene::EntityId;
use framewalk_runtime::time::FrameIndex;

use self::authored::AuthoredPicture;
use self::camera::{CameraMove, FlyCamera};
use self::texture::Screen;
use crate::command::keymap::Keymap;
use crate::command::{Action, EditorCommand};
use crate::session::Phase;

/// Where the view is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Flown by a person.
    Free,
    /// The scene's own camera.
    Camera,
}

/// What is shown and from where. Kept from one run to the next.
pub struct Viewport {
    pub camera: FlyCamera,
    /// While nothing runs, and while a scene lives.
    pub edit_look: Look,
    pub run_look: Look,
    pub grid: bool,
    pub ghosts: bool,
    pub last_tick: bool,
    /// Size of the picture that is wanted, in pixels.
    pub size: [u32; 2],
    /// The screen of whoever draws now, and the one before until the new one has a picture.
    pub screen: Option<Screen>,
    pub before: Option<Screen>,
    /// Draws the authored scene, and the document's revision it was shown last.
    pub authored: Option<(AuthoredPicture, u64)>,
    /// Why there is no picture, in a sentence.
    pub problem: Option<String>,
    // Run and frame painted in this pass, until the window says that it was presented.
    painted: Option<(u32, FrameIndex)>,
    newest_painted: (u32, FrameIndex),
}

impl Default for Viewport {
    fn default() -> Self {
        Self {
            camera: FlyCamera::default(),
            edit_look: Look::Free,
            run_look: Look::Camera,
            grid: true,
            ghosts: true,
            last_tick: false,
            size: [960, 600],
            screen: None,
            before: None,
            authored: None,
            problem: None,
            painted: None,
            newest_painted: (0, FrameIndex(0)),
        }
    }
}

impl Viewport {
    /// The place the viewport has in egui: what has the keyboard when the game has it.
    #[must_use]
    pub fn id() -> egui::Id {
        egui::Id::unique("framewalk_viewport")
    }

    #[must_use]
    pub fn look(&self, live: bool) -> Look {
        if live { self.run_look } else { self.edit_look }
    }

    pub fn set_look(&mut self, live: bool, look: Look) {
        *(if live { &mut self.run_look } else { &mut self.edit_look }) = look;
    }

    /// What is asked of the renderer.
    #[must_use]
    pub fn view(&self, live: bool, selection: Option<EntityId>) -> View {
        let camera = match self.look(live) {
            Look::Free => self.camera.view(),
            Look::Camera => ViewCamera::Scene,
        };
        View {
            camera,
            size: self.size,
            selection,
            ghosts: self.ghosts,
            grid: self.grid,
            last_tick: self.last_tick,
        }
    }

    /// The picture on screen.
    #[must_use]
    pub fn picture(&self) -> Option<&Picture> {
        self.screen
            .as_ref()
            .and_then(Screen::picture)
            .or_else(|| self.before.as_ref().and_then(Screen::picture))
    }

    /// Takes the newest target. The old screen goes when the new one has a picture.
    pub fn take_picture(&mut self) {
        if let Some(screen) = &mut self.screen {
            screen.take();
            if screen.picture().is_some() {
                self.before = None;
            }
        }
    }

    /// Whoever draws changes; the last picture stays until the new one has drawn.
    pub fn replace_screen(&mut self, screen: Option<Screen>) {
        if let Some(old) = std::mem::replace(&mut self.screen, screen)
            && old.picture().is_some()
        {
            self.before = Some(old);
        }
    }

    /// A move of the camera is a wish to fly: looking through the scene's camera ends where it stood.
    pub fn move_camera(&mut self, live: bool, change: CameraMove) {
        if self.look(live) == Look::Camera {
            if let Some(picture) = self.picture() {
                let middle = glam::vec2(picture.size[0] as f32, picture.size[1] as f32) * 0.5;
                let (eye, direction) = picture.ray(middle);
                self.camera = FlyCamera::looking_at(eye, eye + direction * self.camera.distance);
            }
            self.set_look(live, Look::Free);
        }
        self.camera.apply(change);
    }

    /// The frame that the last pass painted for the first time; asked for once it has been presented.
    pub fn take_painted(&mut self) -> Option<(u32, FrameIndex)> {
        self.painted.take()
    }

    /// Another project: its runs are counted from 1 again.
    pub fn forget_painted(&mut self) {
        self.painted = None;
        self.newest_painted = (0, FrameIndex(0));
    }

    fn note_painted(&mut self) {
        let Some(screen) = &self.screen else { return };
        let Some(picture) = screen.picture() else { return };
        let frame = (picture.run, picture.frame);
        if picture.frame.0 > 0 && frame > self.newest_painted {
            self.newest_painted = frame;
            self.painted = Some(frame);
        }
    }
}

/// What the viewport needs to know to draw itself.
pub struct ViewportFacts<'a> {
    pub keymap: &'a Keymap,
    pub phase: Phase,
    pub live: bool,
    pub open_frame: FrameIndex,
    pub selection: Option<EntityId>,
    pub settings_wait: bool,
    pub game_has_keys: bool,
    pub scene_has_camera: bool,
}

/// Draws the viewport into all of `ui`.
pub fn ui(ui: &mut Ui, viewport: &mut Viewport, facts: &ViewportFacts<'_>, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let rect = ui.max_rect();
    let response = ui.interact(rect, Viewport::id(), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Viewport"));
    let pixels = rect.size() * ui.ctx().pixels_per_point();
    if pixels.x >= 1.0 && pixels.y >= 1.0 {
        viewport.size = [pixels.x.round() as u32, pixels.y.round() as u32];
    }
    let shown = viewport.screen.as_mut().and_then(Screen::texture);
    let shown = shown.or_else(|| viewport.before.as_mut().and_then(Screen::texture));
    if let Some((texture, size)) = shown {
        tracing::trace!(
            target: "framewalk",
            frame = viewport.picture().map_or(0, |picture| picture.frame.0),
            drawn = %format_args!("{}x{}", size[0], size[1]),
            wanted = %format_args!("{}x{}", viewport.size[0], viewport.size[1]),
            "picture_painted"
        );
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        ui.painter().image(texture, rect, whole, Color32::WHITE);
        viewport.note_painted();
    } else {
        ui.painter().rect_filled(rect, 0.0, theme.bg0);
        empty_ui(ui, &theme, rect, viewport.problem.as_deref());
    }
    // The picture is dark in both themes, and so is what is written over it.
    let over = Theme::dark();
    overlay_ui(ui, &over, rect, viewport, facts);
    ghost_labels_ui(ui, &over, rect, viewport, facts);
    keys_ui(ui, &over, rect, facts);
    mouse(ui, rect, &response, viewport, facts, actions);
    looks_ui(ui, &over, rect, viewport, facts, actions);
    if response.has_focus() {
        let stroke = egui::Stroke::new(1.0, if facts.game_has_keys { theme.run } else { theme.accent });
        ui.painter().rect_stroke(rect.shrink(0.5), 0.0, stroke, egui::StrokeKind::Inside);
    }
}

fn empty_ui(ui: &Ui, theme: &Theme, rect: Rect, problem: Option<&str>) {
    let text = problem.unwrap_or("The scene is drawn here.");
    let color = if problem.is_some() { theme.late } else { theme.dim };
    let galley = ui.painter().layout(text.to_owned(), Theme::text_font(ui), color, rect.width() * 0.7);
    let at = egui::Align2::CENTER_CENTER.align_size_within_rect(galley.size(), rect).min;
    ui.painter().galley(at, galley, color);
}

/// Text that stays readable over any picture: on a faint plate of the window's own colour.
fn plate_text(ui: &Ui, theme: &Theme, at: Pos2, text: &str, font: egui::FontId, color: Color32) -> Rect {
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, color);
    let rect = Rect::from_min_size(at, galley.size());
    ui.painter().rect_filled(rect.expand2(vec2(5.0, 2.0)), 3.0, theme.bg0.gamma_multiply(0.72));
    ui.painter().galley(at, galley, color);
    rect
}

fn overlay_ui(ui: &mut Ui, theme: &Theme, rect: Rect, viewport: &Viewport, facts: &ViewportFacts<'_>) {
    let lines = overlay::lines(facts.phase, facts.open_frame, viewport.picture(), facts.settings_wait);
    let at = rect.min + vec2(14.0, 12.0);
    // As labels, so that they are read by screen readers and found by tests.
    let mut place = at;
    let ui = &mut ui.new_child(egui::UiBuilder::new().max_rect(rect));
    for (text, font, color) in [
        (&lines.state, Theme::text_font(ui), theme.text),
        (&lines.drawn, Theme::figure_font(ui), theme.alpha),
    ] {
        if text.is_empty() {
            continue;
        }
        let galley = ui.painter().layout_no_wrap(text.clone(), font.clone(), color);
        let size = galley.size();
        let plate = Rect::from_min_size(place, size).expand2(vec2(5.0, 2.0));
        ui.painter().rect_filled(plate, 3.0, theme.bg0.gamma_multiply(0.72));
        let label = egui::Label::new(RichText::new(text).font(font).color(color)).selectable(false);
        ui.put(Rect::from_min_size(place, size), label.wrap_mode(egui::TextWrapMode::Extend));
        place.y += size.y + 5.0;
    }
}

/// "tick 499" and "tick 500" beside the ghosts of the selected body, as far as they stand apart.
fn ghost_labels_ui(ui: &Ui, theme: &Theme, rect: Rect, viewport: &Viewport, facts: &ViewportFacts<'_>) {
    let Some(picture) = viewport.picture().filter(|_| viewport.ghosts && facts.phase != Phase::Edit) else {
        return;
    };
    let Some(item) = facts.selection.and_then(|id| picture.item(id)).filter(|item| item.simulated) else {
        return;
    };
    if picture.tick.0 == 0 {
        return;
    }
    let scale =
        vec2(rect.width() / picture.size[0].max(1) as f32, rect.height() / picture.size[1].max(1) as f32);
    let place =
        |position| picture.pixel(position).map(|pixel| rect.min + vec2(pixel.x * scale.x, pixel.y * scale.y));
    let (Some(previous), Some(current)) = (place(item.previous.position), place(item.current.position))
    else {
        return;
    };
    let font = egui::FontId::new(11.0, egui::FontFamily::Monospace);
    let radius = place(item.drawn.position + glam::Vec3::Y * item.radius)
        .zip(place(item.drawn.position))
        .map_or(16.0, |(top, middle)| (middle.y - top.y).abs().clamp(8.0, 160.0));
    let older = format!("tick {}", overlay_tick(picture.tick.0 - 1));
    let newer = format!("tick {}", overlay_tick(picture.tick.0));
    // One label above, one below, on the left of the body: they never lie on each other.
    let (upper, lower) = if previous.y <= current.y { (older, newer) } else { (newer, older) };
    let left = previous.x.min(current.x) - radius - 66.0;
    let middle = (previous.y + current.y) * 0.5;
    let apart = (previous.y - current.y).abs().max(24.0) * 0.5;
    if !rect.contains(pos2(left, middle)) {
        return;
    }
    plate_text(ui, theme, pos2(left, middle - apart - 7.0), &upper, font.clone(), theme.alpha);
    plate_text(ui, theme, pos2(left, middle + apart - 7.0), &lower, font, theme.alpha);
}

fn overlay_tick(tick: u64) -> String {
    framewalk_inspector::wording::grouped(tick)
}

fn keys_ui(ui: &Ui, theme: &Theme, rect: Rect, facts: &ViewportFacts<'_>) {
    if !facts.live {
        return;
    }
    let (text, color) = if facts.game_has_keys {
        ("Keys go to the game · Esc takes them back", theme.run)
    } else {
        ("Keys go to the editor · click the picture to give them to the game", theme.dim)
    };
    let font = egui::FontId::new(11.5, egui::FontFamily::Proportional);
    let at = pos2(rect.left() + 14.0, rect.bottom() - 26.0);
    plate_text(ui, theme, at, text, font, color);
}

/// Two small buttons at the top right: from where the scene is looked at.
fn looks_ui(
    ui: &mut Ui,
    theme: &Theme,
    rect: Rect,
    viewport: &Viewport,
    facts: &ViewportFacts<'_>,
    actions: &mut Vec<Action>,
) {
    if !facts.scene_has_camera {
        return;
    }
    let area = Rect::from_min_max(
        pos2(rect.right() - 150.0, rect.top() + 8.0),
        pos2(rect.right() - 10.0, rect.top() + 34.0),
    );
    let ui = &mut ui.new_child(
        egui::UiBuilder::new().max_rect(area).layout(egui::Layout::right_to_left(egui::Align::Center)),
    );
    ui.spacing_mut().item_spacing.x = 6.0;
    let look = viewport.look(facts.live);
    let keys = facts.keymap.text(ui.ctx(), EditorCommand::LookThroughCamera);
    for (label, this) in [("Camera", Look::Camera), ("Free", Look::Free)] {
        let active = look == this;
        let border = egui::Stroke::new(1.0, if active { theme.accent } else { theme.line });
        let ink = if active { theme.text } else { theme.dim };
        let button = egui::Button::new(RichText::new(label).color(ink)).fill(theme.bg2).stroke(border);
        let tip = match this {
            Look::Camera => format!("What the scene's own camera sees.\n{keys}"),
            Look::Free => format!("Right button to look and fly with W A S D, wheel to zoom.\n{keys}"),
        };
        if ui.add(button).on_hover_text(tip).clicked() && !active {
            actions.push(Action::Command(EditorCommand::LookThroughCamera));
        }
    }
}

fn mouse(
    ui: &Ui,
    rect: Rect,
    response: &Response,
    viewport: &Viewport,
    facts: &ViewportFacts<'_>,
    actions: &mut Vec<Action>,
) {
    let gives_keys = facts.live && !facts.game_has_keys;
    if response.clicked() || response.drag_started() {
        response.request_focus();
    }
    if response.has_focus() {
        // The arrow keys, Tab and Esc are the game's or ours while the viewport has the keyboard, not egui's.
        let filter =
            egui::EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(Viewport::id(), filter));
    }
    let travel = |delta: Vec2| glam::vec2(delta.x, delta.y);
    let (alt, shift) = ui.input(|input| (input.modifiers.alt, input.modifiers.shift));
    if response.dragged_by(PointerButton::Secondary) {
        let delta = response.drag_delta();
        if delta != Vec2::ZERO {
            actions.push(Action::Camera(CameraMove::Look(travel(delta))));
        }
        fly(ui, shift, actions);
    } else if response.dragged_by(PointerButton::Middle) && shift {
        actions.push(Action::Camera(CameraMove::Pan(travel(response.drag_delta() / rect.height().max(1.0)))));
    } else if response.dragged_by(PointerButton::Middle)
        || (alt && response.dragged_by(PointerButton::Primary))
    {
        let delta = response.drag_delta();
        if delta != Vec2::ZERO {
            actions.push(Action::Camera(CameraMove::Orbit(travel(delta))));
        }
    }
    if response.hovered() {
        let wheel = ui.input(|input| input.smooth_scroll_delta().y);
        if wheel != 0.0 {
            actions.push(Action::Camera(CameraMove::Zoom(wheel / 50.0)));
        }
    }
    if response.clicked_by(PointerButton::Primary) && !alt {
        let picked = response.interact_pointer_pos().and_then(|at| pick(viewport, rect, at));
        // A click that gives the game the keys is not meant for the floor: it selects bodies only.
        let is_meant = !gives_keys || picked.is_some_and(|id| is_simulated(viewport, id));
        if picked != facts.selection && is_meant {
            actions.push(Action::Select(picked));
        }
    }
}

/// While the right button is held: W A S D, and E and Q for up and down.
fn fly(ui: &Ui, fast: bool, actions: &mut Vec<Action>) {
    let (direction, seconds) = ui.input(|input| {
        let axis = |plus, minus| f32::from(input.key_down(plus)) - f32::from(input.key_down(minus));
        let direction = glam::vec3(axis(Key::D, Key::A), axis(Key::E, Key::Q), axis(Key::W, Key::S));
        (direction, input.stable_dt.min(0.1))
    });
    if direction != glam::Vec3::ZERO {
        actions.push(Action::Camera(CameraMove::Fly { direction, seconds, fast }));
        ui.ctx().request_repaint();
    }
}

fn is_simulated(viewport: &Viewport, id: EntityId) -> bool {
    viewport.picture().and_then(|picture| picture.item(id)).is_some_and(|item| item.simulated)
}

fn pick(viewport: &Viewport, rect: Rect, at: Pos2) -> Option<EntityId> {
    let picture = viewport.picture()?;
    let part = (at - rect.min) / rect.size();
    let pixel = glam::vec2(part.x * picture.size[0] as f32, part.y * picture.size[1] as f32);
    let (origin, direction) = picture.ray(pixel);
    let ray = picking::Ray { origin, direction };
    let things = picture.items.iter().filter_map(|item| Some((item.entity, item.drawn, item.shape?.kind)));
    picking::nearest(&ray, things).map(|(id, _)| id)
}

/// A sphere that holds the selected thing, or every shape of the picture.
#[must_use]
pub fn bounds(picture: &Picture, selection: Option<EntityId>) -> Option<(glam::Vec3, f32)> {
    if let Some(item) = selection.and_then(|id| picture.item(id)) {
        return Some((item.drawn.position, item.radius.max(0.25)));
    }
    // The largest shapes are grounds: what stands on them is what one wants to see.
    let mut shapes: Vec<_> = picture.items.iter().filter(|item| item.shape.is_some()).collect();
    shapes.sort_by(|a, b| a.radius.total_cmp(&b.radius));
    let small = shapes.iter().filter(|item| item.radius < 8.0).count();
    if small > 0 {
        shapes.truncate(small);
    }
    let low = shapes.iter().map(|item| item.drawn.position - item.radius).reduce(glam::Vec3::min)?;
    let high = shapes.iter().map(|item| item.drawn.position + item.radius).reduce(glam::Vec3::max)?;
    Some(((low + high) * 0.5, (high - low).length() * 0.5))
}
