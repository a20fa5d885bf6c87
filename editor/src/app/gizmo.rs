//! Dragging handles: the authored scene is shown as it would be until the handle is let go, which is one step; a running
//! world is changed at once, and only there.

use std::collections::HashMap;

use framewalk_runtime::scene::EntityId;
use framewalk_runtime::sim::Control;
use framewalk_runtime::world::HandEdit;
use glam::{Vec2, Vec3};

use super::EditorApp;
use crate::document::edit::{Edit, Reach};
use crate::document::selection::SelectionChange;
use crate::session::Phase;
use crate::shell::status::Message;
use crate::viewport::Look;
use crate::viewport::camera::Side;
use crate::viewport::gizmo::drag::{Change, Drag};
use crate::viewport::gizmo::place::{self, Follower, Start, Turning};
use crate::viewport::gizmo::{Grip, Handle, Held, Sight, Space, Stand, Steps, Tool};

impl EditorApp {
    /// Does what the mouse asks of the handles.
    pub(crate) fn grip(&mut self, grip: Grip) {
        match grip {
            Grip::Take { handle, stand, sight, at } => self.take_handle(handle, stand, &sight, at),
            Grip::Drag { sight, at, snap } => self.drag_handle(&sight, at, snap),
            Grip::LetGo => self.let_go(),
            Grip::Box(corners) => self.viewport.gizmo.selecting = corners,
            Grip::Cancel => self.cancel_drag(),
        }
    }

    fn take_handle(&mut self, handle: Handle, stand: Stand, sight: &Sight, at: Vec2) {
        let (live, tool) = (self.is_live(), self.viewport.gizmo.tool);
        let Some(drag) = Drag::begin(tool, handle, stand, sight, at) else { return };
        let starts = if live { self.running_starts() } else { self.authored_starts() };
        let Some(workspace) = &self.workspace else { return };
        let poses: Vec<_> = starts.iter().map(|start| start.world).collect();
        let Some(about) = place::turning(&poses, tool, self.viewport.gizmo.space) else { return };
        // One turns where it stands; several about the handles, which stand in the middle of all that are selected.
        let pivot =
            if workspace.scenes.front.document.selection.len() > 1 { stand.center } else { about.pivot };
        let turning = Turning { pivot, axes: stand.axes };
        let world = workspace.scenes.front.authored.as_ref().filter(|_| !live);
        let hang = |(id, of)| Some(Follower { id, of, drawn: world?.world_pose(id)? });
        let scene = workspace.scenes.front.document.indexed();
        let followers = place::followers(scene, &starts).into_iter().filter_map(hang).collect();
        let revision = workspace.scenes.front.document.revision();
        let change = Change::Move(Vec3::ZERO);
        let held = Held { drag, change, starts, turning, followers, revision, live, at: (at, false) };
        self.viewport.gizmo.held = Some(held);
    }

    /// In the order in which they were chosen.
    pub(super) fn selected_ids(&self) -> Vec<EntityId> {
        let document = self.workspace.as_ref().map(|workspace| &workspace.scenes.front.document);
        document.map_or_else(Vec::new, |document| document.selection.ids().to_vec())
    }

    fn authored_starts(&self) -> Vec<Start> {
        let Some(workspace) = &self.workspace else { return Vec::new() };
        let locked = &workspace.scenes.front.document.marks.locked;
        let mut free = self.selected_ids();
        free.retain(|id| !locked.contains(id));
        let mut starts = place::starts(workspace.scenes.front.document.indexed(), &free);
        for start in &mut starts {
            // What moves by itself is drawn where it is at tick 0.
            let drawn = workspace.scenes.front.authored.as_ref().and_then(|world| world.world_pose(start.id));
            start.drawn = drawn.unwrap_or(start.world);
        }
        starts
    }

    /// As the picture shows them, without those that hang on another of them.
    fn running_starts(&self) -> Vec<Start> {
        let Some(workspace) = &self.workspace else { return Vec::new() };
        let rows = workspace.session.observation().map_or(&[][..], |seen| &seen.entities);
        let parents: HashMap<EntityId, EntityId> =
            rows.iter().filter_map(|row| Some((row.id, row.parent?))).collect();
        let parent = |id: &EntityId| parents.get(id).copied();
        let chosen = &workspace.scenes.front.document.selection;
        let hangs = |id: EntityId| {
            std::iter::successors(parent(&id), parent).take(rows.len()).any(|above| chosen.contains(above))
        };
        let picture = self.viewport.picture();
        let roots: Vec<EntityId> = chosen.ids().iter().copied().filter(|id| !hangs(*id)).collect();
        let items = picture.map_or_else(Vec::new, |picture| picture.items_of(&roots));
        items
            .into_iter()
            .map(|item| {
                // Where the last tick has it, as far as that is known: so that it can be put back to just there.
                let poses = picture.and_then(|picture| picture.tick_poses(item.entity));
                let pose = poses.map_or(item.drawn, |poses| poses.current);
                let (transform, above) = Default::default();
                Start { id: item.entity, transform, above, world: pose, drawn: pose }
            })
            .collect()
    }

    fn drag_handle(&mut self, sight: &Sight, at: Vec2, snap: bool) {
        let steps = self.viewport.gizmo.steps;
        let Some(held) = &mut self.viewport.gizmo.held else { return };
        held.at = (at, snap);
        if let Some(change) = held.drag.to(sight, at, snap.then_some(&steps)) {
            held.change = change;
        }
        let revision = self.workspace.as_ref().map(|workspace| workspace.scenes.front.document.revision());
        if held.live != self.workspace.as_ref().is_some_and(|workspace| workspace.session.is_live())
            || (!held.live && revision != Some(held.revision))
        {
            // The scene became another one under the drag.
            self.viewport.gizmo.held = None;
            return;
        }
        if held.live { self.teleport_held() } else { self.preview_held() }
    }

    /// Where each held entity is now, in the world.
    fn held_poses(&self) -> Vec<(EntityId, HandEdit)> {
        let Some(held) = &self.viewport.gizmo.held else { return Vec::new() };
        let moved = |start: &Start| place::moved(&start.drawn, &held.change, &held.turning);
        let own = held.starts.iter().map(|start| (start.id, HandEdit::WorldPose(moved(start))));
        let following = held.followers.iter().filter_map(|follower| {
            let start = held.starts.get(follower.of)?;
            let local = start.drawn.child_of(&follower.drawn)?;
            Some((follower.id, HandEdit::WorldPose(moved(start).of_child(&local))))
        });
        own.chain(following).collect()
    }

    /// The authored scene as it would be; nothing of it is changed.
    fn preview_held(&mut self) {
        let edits = self.held_poses();
        if let Some(world) =
            self.workspace.as_mut().and_then(|workspace| workspace.scenes.front.authored.as_mut())
        {
            world.preview(&edits);
        }
    }

    /// Each move of a handle is a teleport. While the world plays, what is held does not fall meanwhile.
    fn teleport_held(&mut self) {
        let mut edits = self.held_poses();
        if self.phase() == Phase::Playing {
            let rest = HandEdit::Velocity { linear: Vec3::ZERO, angular: Vec3::ZERO };
            let resting: Vec<_> = edits.iter().map(|(id, _)| (*id, rest.clone())).collect();
            edits.extend(resting);
        }
        self.change_run(edits);
    }

    /// Changes the running world, and remembers which parts of it are no longer as they ran.
    pub(crate) fn change_run(&mut self, edits: Vec<(EntityId, HandEdit)>) {
        if !self.is_live() || edits.is_empty() {
            return;
        }
        if self.phase() == Phase::Failed {
            let text = "The run has failed: nothing in it can be changed any more. Stop it first.";
            if self.message.as_ref().is_none_or(|message| message.text != text) {
                self.say(Message::warning(text));
            }
            return;
        }
        self.by_hand.note(&edits);
        self.control(Control::ByHand(edits));
        if let Phase::FrameOpen { .. } = self.phase() {
            let text = "A frame is open: what is changed by hand acts in the second stage that runs next.";
            if self.message.as_ref().is_none_or(|message| message.text != text) {
                self.say(Message::info(text));
            }
        }
    }

    fn let_go(&mut self) {
        let Some(held) = self.viewport.gizmo.held.take() else { return };
        if held.live {
            return;
        }
        let places: Vec<Edit> = held
            .starts
            .iter()
            .map(|start| (start, place::placed(start, &held.change, &held.turning)))
            .filter(|(start, transform)| start.transform != *transform)
            .map(|(start, transform)| Edit::Place { id: start.id, transform })
            .collect();
        let name = self.step_name(&held);
        let edit = match places.len() {
            0 => None,
            1 => places.into_iter().next(),
            _ => Some(Edit::Several(places)),
        };
        if let Some(edit) = edit {
            self.edit(&name, edit, None);
        }
        let revision = self.workspace.as_ref().map(|workspace| workspace.scenes.front.document.revision());
        if revision == Some(held.revision) {
            // Nothing was moved, or it was refused.
            self.show_as_authored();
        }
    }

    fn step_name(&self, held: &Held) -> String {
        let scene = self.workspace.as_ref().map(|workspace| workspace.scenes.front.document.scene());
        let verb = held.drag.tool.name();
        match &held.starts[..] {
            [one] => {
                let name = scene.and_then(|scene| scene.entity(one.id)).map_or("", |entity| &entity.name);
                format!("{verb} {name}")
            }
            many => format!("{verb} {} entities", many.len()),
        }
    }

    /// Puts everything back to where it was when the handle was taken.
    fn cancel_drag(&mut self) {
        self.viewport.gizmo.selecting = None;
        let Some(held) = self.viewport.gizmo.held.take() else { return };
        if held.live {
            let back = held.starts.iter().map(|start| (start.id, HandEdit::WorldPose(start.drawn)));
            self.change_run(back.collect());
        } else {
            self.show_as_authored();
        }
    }

    fn show_as_authored(&mut self) {
        self.show_change(&Reach::default());
    }

    /// A box was drawn around these.
    pub(crate) fn select_box(&mut self, ids: Vec<EntityId>, add: bool) {
        self.change_selection(if add { SelectionChange::Extend(ids) } else { SelectionChange::Set(ids) });
    }

    pub(crate) fn set_tool(&mut self, tool: Tool) {
        self.cancel_drag();
        self.viewport.gizmo.tool = tool;
        self.save_settings();
    }

    pub(crate) fn toggle_local_axes(&mut self) {
        let space = &mut self.viewport.gizmo.space;
        *space = if *space == Space::World { Space::Local } else { Space::World };
        self.save_settings();
    }

    pub(crate) fn set_steps(&mut self, steps: Steps) {
        self.settings.steps = steps.checked();
        self.viewport.gizmo.steps = self.settings.steps;
        self.save_settings();
    }

    pub(crate) fn look_from(&mut self, side: Side) {
        self.look_freely();
        self.viewport.camera.look_from(side);
    }

    pub(crate) fn toggle_orthographic(&mut self) {
        let was_free = self.viewport.look(self.is_live()) == Look::Free;
        self.look_freely();
        // Through the scene's camera there is always perspective.
        self.viewport.camera.orthographic = !was_free || !self.viewport.camera.orthographic;
    }

    fn look_freely(&mut self) {
        let live = self.is_live();
        self.viewport.camera = self.viewport.seen_from(live);
        self.viewport.set_look(live, Look::Free);
    }
}
