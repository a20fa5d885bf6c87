//! The viewport: the picture on screen, what is written over it, and what mouse and keys do in it.

pub mod authored;
pub mod camera;
pub mod game_mouse;
pub mod gizmo;
mod kept;
pub mod keys;
mod mouse;
mod over;
pub mod overlay;
pub mod picking;
pub mod port;
pub mod texture;
pub mod trail;

use std::sync::Arc;

use egui::{Color32, Context, Pos2, Rect, Sense, Ui, pos2, vec2};
use framewalk_inspector::theme::Theme;
use framewalk_runtime::render::picture::{Outlook, Picture};
use framewalk_runtime::render::view::{SecondView, View, ViewCamera};
use framewalk_runtime::scene::EntityId;
use framewalk_runtime::time::{FrameIndex, Nanos};

use self::authored::AuthoredPicture;
use self::camera::{CameraMove, FlyCamera};
use self::game_mouse::Place;
use self::gizmo::{Gizmo, Sight, Stand, Tool};
use self::picking::Spot;
use self::port::Port;
use self::texture::Screen;
use self::trail::Trails;
use crate::command::Action;
use crate::command::keymap::Keymap;
use crate::document::selection::Selection;
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
    /// Where bodies were drawn in the last pictures.
    pub trails: Trails,
    pub show_trails: bool,
    /// The tool, and what it holds.
    pub gizmo: Gizmo,
    /// Size of the picture that is wanted in the scene's panel, in pixels.
    pub size: [u32; 2],
    // Sizes of the panels that were drawn in this pass, and in the last one; `None` for one that is out of sight.
    sizes: [Option<[u32; 2]>; 2],
    drawing: [Option<[u32; 2]>; 2],
    /// Where the game's own picture stands in its window, while the Camera panel is in sight.
    pub game_place: Option<Place>,
    /// The screen of whoever draws now, and the one before until the new one has a picture.
    pub screen: Option<Screen>,
    pub before: Option<Screen>,
    /// Draws the authored scene, and the document's revision it was shown last.
    pub authored: Option<(AuthoredPicture, (u64, u64))>,
    /// Why there is no picture, in a sentence.
    pub problem: Option<String>,
    // Painted in this pass, until the window says that it was presented.
    painted: Option<Painted>,
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
            trails: Trails::default(),
            show_trails: false,
            gizmo: Gizmo::default(),
            size: [960, 600],
            sizes: [None; 2],
            drawing: [None; 2],
            game_place: None,
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
    /// The one of the two panels that has the keyboard.
    #[must_use]
    pub fn focused(ctx: &Context) -> Option<Port> {
        ctx.memory(|memory| [Port::Scene, Port::Camera].into_iter().find(|port| memory.has_focus(port.id())))
    }

    /// Neither panel has the keyboard any more.
    pub fn surrender_focus(ctx: &Context) {
        ctx.memory_mut(|memory| {
            for port in [Port::Scene, Port::Camera] {
                if memory.has_focus(port.id()) {
                    memory.surrender_focus(port.id());
                }
            }
        });
    }

    /// The panel that is to have the keyboard: the scene's, unless only the camera's is in sight.
    #[must_use]
    pub fn port_in_sight(&self) -> Port {
        if self.sizes[Port::Scene as usize].is_none() && self.sizes[Port::Camera as usize].is_some() {
            Port::Camera
        } else {
            Port::Scene
        }
    }

    /// Before a pass: which panels are in sight is found out by drawing them.
    pub fn begin_pass(&mut self) {
        self.drawing = [None; 2];
        self.game_place = None;
    }

    /// After a pass.
    pub fn end_pass(&mut self) {
        self.sizes = self.drawing;
    }

    #[must_use]
    pub fn look(&self, live: bool) -> Look {
        if live { self.run_look } else { self.edit_look }
    }

    pub fn set_look(&mut self, live: bool, look: Look) {
        *(if live { &mut self.run_look } else { &mut self.edit_look }) = look;
    }

    /// What is asked of the renderer: the panels that are in sight, each at its size.
    #[must_use]
    pub fn view(&self, live: bool, selection: &Selection) -> View {
        let look = match self.look(live) {
            Look::Free => self.camera.view(),
            Look::Camera => ViewCamera::Scene,
        };
        let of_camera = self.sizes[Port::Camera as usize];
        let (camera, size, second) = match (self.port_in_sight(), of_camera) {
            (Port::Camera, Some(size)) => (ViewCamera::Scene, size, None),
            (_, of_camera) => {
                let second = of_camera.map(|size| SecondView { camera: ViewCamera::Scene, size });
                (look, self.size, second)
            }
        };
        View {
            camera,
            size,
            second,
            selection: selection.primary(),
            also_selected: also_selected(selection),
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

    /// Asks whoever draws what the picture on screen shows at a place; false where nobody can be asked.
    pub fn ask(&mut self, number: u64, spot: &Spot, free: impl FnMut(EntityId) -> bool) -> bool {
        let Some(mut pick) = self.screen.as_mut().map(|screen| screen.asker.blank()) else { return false };
        let asks = self.picture().map(|picture| pick.ask(picture, &spot.outlook, spot.pixel, free)).is_some();
        pick.number = number;
        self.screen.as_mut().is_some_and(|screen| asks && screen.asker.ask(pick))
    }

    /// Takes the newest target. The old screen goes when the new one has a picture.
    pub fn take_picture(&mut self) {
        if let Some(screen) = &mut self.screen {
            screen.take();
            if screen.picture().is_some() {
                self.before = None;
            }
        }
        if let Some(picture) = self.screen.as_ref().and_then(Screen::picture) {
            self.trails.note(picture);
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

    /// Another authored scene is to be drawn, whatever its revision.
    pub fn draw_anew(&mut self) {
        if let Some((_, drawn)) = &mut self.authored {
            *drawn = (u64::MAX, u64::MAX);
        }
    }

    /// A move of the camera is a wish to fly: looking through the scene's camera ends where it stood.
    pub fn move_camera(&mut self, live: bool, change: CameraMove) {
        self.camera = self.seen_from(live);
        self.set_look(live, Look::Free);
        self.camera.apply(change);
    }

    /// From where the scene is looked at: through the scene's camera, from where that stood in the picture on screen.
    #[must_use]
    pub fn seen_from(&self, live: bool) -> FlyCamera {
        match self.picture().filter(|_| self.look(live) == Look::Camera) {
            Some(picture) => {
                let outlook = picture.outlook;
                let middle = glam::vec2(outlook.size[0] as f32, outlook.size[1] as f32) * 0.5;
                let (eye, direction) = outlook.ray(middle);
                FlyCamera::looking_at(eye, eye + direction * self.camera.distance)
            }
            None => self.camera,
        }
    }

    /// The frame that the last pass painted for the first time; asked for once it has been presented.
    pub fn take_painted(&mut self) -> Option<Painted> {
        self.painted.take()
    }

    /// What the last pass painted did not reach the window: the next that paints it paints it for the first time.
    pub fn unpaint(&mut self) {
        if let Some(painted) = self.painted.take() {
            self.newest_painted = painted.before;
        }
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
            let before = std::mem::replace(&mut self.newest_painted, frame);
            self.painted = Some(Painted {
                before,
                run: picture.run,
                frame: picture.frame,
                shown_time: (!picture.ends).then_some(picture.shown_time),
            });
        }
    }
}

/// A frame that was painted for the first time, in which of its pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Painted {
    pub run: u32,
    pub frame: FrameIndex,
    /// The simulated time that this picture shows; none where that belongs to no moment.
    pub shown_time: Option<Nanos>,
    // Run and frame that were the newest painted until then.
    before: (u32, FrameIndex),
}

/// What the viewport needs to know to draw itself.
pub struct ViewportFacts<'a> {
    pub keymap: &'a Keymap,
    pub phase: Phase,
    pub live: bool,
    pub open_frame: FrameIndex,
    /// The primary one of those that are selected.
    pub selection: Option<EntityId>,
    pub selected: &'a Selection,
    /// What a click does not pick.
    pub locked: &'a std::collections::HashSet<EntityId>,
    pub settings_wait: bool,
    pub game_has_keys: bool,
    /// In the Camera panel.
    pub game_has_mouse: bool,
    pub scene_has_camera: bool,
}

/// A picture as a texture, how the world stands in it, and its size in pixels.
type Shown = (egui::TextureId, Outlook);

impl Viewport {
    /// What a panel has to show: its own picture, once one has been drawn for it.
    fn shown(&mut self, port: Port) -> Option<Shown> {
        let (screen, before) = (self.screen.as_mut(), self.before.as_mut());
        let of = |screen: &mut Screen| match port {
            Port::Scene => screen.texture(),
            Port::Camera => screen.camera_texture(),
        };
        screen.and_then(of).or_else(|| before.and_then(of))
    }
}

impl Viewport {
    /// Where the handles of the selection stand in the picture; `None` where there is nothing to take hold of.
    fn handles(&self, frame: &Frame, facts: &ViewportFacts<'_>) -> Option<(Stand, Sight)> {
        let sight = frame.sight();
        if let Some(held) = &self.gizmo.held {
            return Some((held.drag.stand, sight));
        }
        if self.gizmo.tool == Tool::Select || facts.phase == Phase::Failed {
            return None;
        }
        let picture = self.picture()?;
        let mut items = picture.items_of(facts.selected.ids());
        // What is locked stays where it is, however it was selected.
        items.retain(|item| facts.live || !facts.locked.contains(&item.entity));
        let poses: Vec<_> = items.iter().map(|item| item.drawn).collect();
        let about = gizmo::place::turning(&poses, self.gizmo.tool, self.gizmo.space)?;
        Some((Stand::at(about.pivot, about.axes, &sight)?, sight))
    }
}

/// Draws one of the two panels into all of `ui`.
pub fn ui(
    ui: &mut Ui,
    viewport: &mut Viewport,
    port: Port,
    facts: &ViewportFacts<'_>,
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(ui);
    let rect = ui.max_rect();
    if port == Port::Camera && !facts.scene_has_camera {
        ui.painter().rect_filled(rect, 0.0, theme.bg0);
        let text =
            "What the scene's own camera sees would be here, but no entity of this scene has a camera.";
        empty_ui(ui, rect, text, theme.dim);
        return;
    }
    let response = ui.interact(rect, port.id(), Sense::click_and_drag());
    let label = if port == Port::Scene { "Viewport" } else { "Camera viewport" };
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, label));
    let pixels = rect.size() * ui.ctx().pixels_per_point();
    if pixels.x >= 1.0 && pixels.y >= 1.0 {
        let size = [pixels.x.round() as u32, pixels.y.round() as u32];
        viewport.drawing[port as usize] = Some(size);
        match port {
            Port::Scene => viewport.size = size,
            Port::Camera => viewport.game_place = Some(Place::of(ui, &response)),
        }
    }
    let shown = viewport.shown(port);
    if let Some((texture, outlook)) = shown {
        tracing::trace!(
            target: "framewalk",
            frame = viewport.picture().map_or(0, |picture| picture.frame.0),
            drawn = %format_args!("{}x{}", outlook.size[0], outlook.size[1]),
            wanted = %format_args!("{}x{}", viewport.size[0], viewport.size[1]),
            "picture_painted"
        );
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        ui.painter().image(texture, rect, whole, Color32::WHITE);
        viewport.note_painted();
    } else {
        ui.painter().rect_filled(rect, 0.0, theme.bg0);
        match viewport.problem.as_deref() {
            Some(problem) => empty_ui(ui, rect, problem, theme.late),
            None => empty_ui(ui, rect, "The scene is drawn here.", theme.dim),
        }
    }
    // The picture is dark in both themes, and so is what is written over it.
    let dark = Theme::dark();
    let frame = shown.map(|(_, outlook)| Frame { rect, outlook });
    if port == Port::Scene
        && let Some((stand, sight)) = frame.and_then(|frame| viewport.handles(&frame, facts))
    {
        let at = response.hover_pos().map(|at| glam::vec2(at.x, at.y));
        let hovered = at.and_then(|at| gizmo::paint::under(&viewport.gizmo, &stand, &sight, at));
        if hovered.is_some() || viewport.gizmo.held.is_some() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::Grab);
        }
        let is_faint = over::shows_ghosts(viewport, facts);
        gizmo::paint::ui(ui, &dark, &viewport.gizmo, (&stand, &sight), hovered, is_faint);
    }
    over::ui(ui, &dark, rect, frame, viewport, port, facts, actions);
    mouse::ui(ui, rect, frame, &response, viewport, port, facts, actions);
    if response.has_focus() {
        let stroke = egui::Stroke::new(1.0, if facts.game_has_keys { theme.run } else { theme.accent });
        ui.painter().rect_stroke(rect.shrink(0.5), 0.0, stroke, egui::StrokeKind::Inside);
    }
}

/// Where a picture stands on screen.
#[derive(Clone, Copy)]
struct Frame {
    rect: Rect,
    outlook: Outlook,
}

impl Frame {
    /// Where a point of the world is seen; `None` behind the eye.
    fn place(&self, point: glam::Vec3) -> Option<Pos2> {
        let [width, height] = self.outlook.size.map(|edge| edge.max(1) as f32);
        let pixel = self.outlook.pixel(point)?;
        let part = vec2(pixel.x / width, pixel.y / height);
        Some(self.rect.min + part * self.rect.size())
    }

    /// What lies under a place on screen, in the picture.
    fn spot(&self, at: Pos2) -> Spot {
        let part = (at - self.rect.min) / self.rect.size().max(vec2(1.0, 1.0));
        let [width, height] = self.outlook.size.map(|edge| edge.max(1) as f32);
        Spot { outlook: self.outlook, pixel: glam::vec2(part.x * width, part.y * height) }
    }

    fn sight(&self) -> Sight {
        let (min, size) = (self.rect.min, self.rect.size());
        Sight {
            outlook: self.outlook,
            min: glam::vec2(min.x, min.y),
            size: glam::vec2(size.x.max(1.0), size.y.max(1.0)),
        }
    }
}

fn empty_ui(ui: &Ui, rect: Rect, text: &str, color: Color32) {
    let galley = ui.painter().layout(text.to_owned(), Theme::text_font(ui), color, rect.width() * 0.7);
    let at = egui::Align2::CENTER_CENTER.align_size_within_rect(galley.size(), rect).min;
    ui.painter().galley(at, galley, color);
}

/// All that are selected but the primary one, by rising ids.
fn also_selected(selection: &Selection) -> Arc<[EntityId]> {
    let ids = selection.ids();
    let mut ids = ids[..ids.len().saturating_sub(1)].to_vec();
    ids.sort_unstable();
    ids.into()
}

/// A sphere that holds the selected things, or every shape of the picture.
#[must_use]
pub fn bounds(picture: &Picture, selection: &[EntityId]) -> Option<(glam::Vec3, f32)> {
    let known: std::collections::HashSet<EntityId> = selection.iter().copied().collect();
    let spheres = picture.items.iter().filter(|item| known.contains(&item.entity));
    let spheres = spheres.map(|item| (item.drawn.position, item.radius.max(0.25)));
    let spheres: Vec<(glam::Vec3, f32)> = spheres.collect();
    if let [sphere] = spheres[..] {
        return Some(sphere);
    }
    let low = spheres.iter().map(|(at, radius)| *at - *radius).reduce(glam::Vec3::min);
    let high = spheres.iter().map(|(at, radius)| *at + *radius).reduce(glam::Vec3::max);
    if let Some((low, high)) = low.zip(high) {
        return Some(((low + high) * 0.5, (high - low).length() * 0.5));
    }
    // The largest shapes are grounds: what stands on them is what one wants to see.
    let mut shapes: Vec<_> = picture.items.iter().filter(|item| item.look.is_something()).collect();
    shapes.sort_by(|a, b| a.radius.total_cmp(&b.radius));
    let small = shapes.iter().filter(|item| item.radius < 8.0).count();
    if small > 0 {
        shapes.truncate(small);
    }
    let low = shapes.iter().map(|item| item.drawn.position - item.radius).reduce(glam::Vec3::min)?;
    let high = shapes.iter().map(|item| item.drawn.position + item.radius).reduce(glam::Vec3::max)?;
    Some(((low + high) * 0.5, (high - low).length() * 0.5))
}
