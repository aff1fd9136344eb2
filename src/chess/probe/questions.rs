//! What a tree above the probe asks of it: the probe's root is then an inner node of that tree.

use super::margins::MAX_PLY;
use super::ordering::{Picker, Sources, is_noisy};
use super::search::Run;
use super::table::Entry;
use super::{Bound, FRAMES_BEFORE_ROOT, PackedMove, Probe, ProbeResult, RootMoves, Window};
use crate::bstar::{Interrupted, Monitor, Unwatched};
use crate::chess::dials::Dial;
use crate::chess::score::probe_scale::INFINITE;
use cozy_chess::Move;

impl Probe {
    /// Answers `window` about the current position, `depth` plies deep, as a search answers about one of its inner nodes: by
    /// the table, a null move or a margin where one of them decides. `cut`: the answer is expected to be "at least beta".
    ///
    /// # Errors
    /// As for [`search`](Self::search).
    pub fn answer(
        &mut self,
        window: Window,
        depth: i32,
        cut: bool,
        monitor: &mut dyn Monitor,
    ) -> Result<ProbeResult, Interrupted> {
        let board = self.board().clone();
        let depth = depth.clamp(1, MAX_PLY as i32 - 1);
        self.guarded(monitor, RootMoves::All, |run: &mut Run| {
            run.stand_inside();
            run.root_as(&board, window, depth, cut)
        })
    }

    /// Every legal move of the current position but `best` is worth less than `target`, as far as a search of `depth` plies (at least
    /// one) tells; so is none.
    ///
    /// # Errors
    /// As for [`search`](Self::search).
    pub fn stands_alone(
        &mut self,
        best: Move,
        target: i32,
        depth: i32,
        monitor: &mut dyn Monitor,
    ) -> Result<bool, Interrupted> {
        let board = self.board().clone();
        let window = Window::above(target - 1);
        let others = self.guarded(monitor, RootMoves::All, |run: &mut Run| {
            run.stand_inside();
            run.leave_out(Some(best));
            let result = run.root_as(&board, window, depth.max(1), false);
            run.leave_out(None);
            result
        })?;
        Ok(others.value < target)
    }

    /// The depth to which the table knows the current position, 0 when it does not.
    fn known_depth(&self) -> i32 {
        self.table.get(self.key()).map_or(0, |entry| entry.depth)
    }

    /// In company: what the shared table knows of the current position, so deep or deeper: a value, mates counted from here, and what
    /// it is. Alone: nothing, for all that there is this probe has found itself.
    pub fn told_by_others(&self, depth: i32) -> Option<(i32, Bound)> {
        self.company.as_ref()?;
        let entry = self.table.get(self.key()).filter(|entry| entry.depth >= depth)?;
        Some((entry.value, entry.bound))
    }

    /// The best move that the shared table has for the current position.
    pub fn table_move(&self) -> Option<Move> {
        let known = self.table.get(self.key()).and_then(|entry| entry.action.unpack());
        known.filter(|&action| self.board().is_legal(action))
    }

    /// Tells the shared table what a tree above found of the current position: a value from its side to move, what it
    /// is, how deep, and the best move. An entry that is deeper stays.
    pub fn remember(&mut self, value: i32, bound: Bound, depth: i32, best: Option<Move>) {
        if self.known_depth() > depth {
            return;
        }
        let action = best.or_else(|| self.table_move()).map_or(PackedMove::NONE, PackedMove::from);
        let entry = Entry { action, value, static_value: None, depth, bound, on_line: true };
        self.table.put(self.key(), entry);
    }

    /// All legal moves of the current position in the order in which a probe of it would try them. The position is from now on
    /// known as the one below which the next probes stand: they see its static value, and share killers.
    pub fn moves_by_promise(&mut self) -> Vec<Move> {
        let board = self.board().clone();
        let at = self.path_ply() + FRAMES_BEFORE_ROOT;
        self.frames[at].static_value = board.checkers().is_empty().then(|| self.static_value());
        self.frames[at + 2].killers = [PackedMove::NONE; 2];
        let contexts = [self.frames[at - 1].context, self.frames[at - 2].context];
        let killers = self.frames[at].killers;
        let refutations = [killers[0], killers[1], self.histories.countermove(contexts[0])];
        let mut picker = Picker::new(&self.stacks, self.table_move(), refutations, contexts);
        let mut moves = Vec::with_capacity(48);
        loop {
            let sources = Sources { stacks: &mut self.stacks, histories: &self.histories };
            match picker.next(&board, sources) {
                Some(action) => moves.push(action),
                None => break,
            }
        }
        picker.finish(&mut self.stacks);
        moves
    }

    /// Plies by which the `number`th move (from 1) of the current position, a node of the principal line searched `depth` plies
    /// deep, is reduced: as inside a probe.
    pub fn late_move_reduction(&mut self, depth: i32, number: usize, action: Move) -> i32 {
        if number < 3 {
            return 0;
        }
        let board = self.board().clone();
        let mut after = board.clone();
        after.play_unchecked(action);
        let noisy = is_noisy(&board, action);
        let relief = if self.path_ply() == 0 { Dial::RootRelief } else { Dial::TreeRelief };
        let mut monitor = Unwatched;
        let mut run = Run::new(self, &mut monitor, RootMoves::All, None);
        let mut node = run.look_up(&board, depth, -INFINITE, INFINITE, 0, false);
        node.improving = run.improves(0);
        run.reduction(&node, &after, action, noisy, number, relief.get()).max(0)
    }
}
