//! Quiescence: captures and queen promotions until the position is quiet; in check, all evasions.

use super::margins::MAX_PLY;
use super::node::Node;
use super::ordering::{Picker, is_noisy};
use super::search::{Run, Step, mated};
use super::see::{EXCHANGE, exchange_reaches, victim};
use crate::chess::dials::Dial;
use crate::chess::eval::Evaluator;
use crate::chess::score::probe_scale::{INFINITE, MATE_FLOOR};
use cozy_chess::{Board, Move};

impl Run<'_> {
    /// The value of `board` within `alpha..beta` when only forcing moves are played and the side to move may stand pat.
    pub(super) fn quiescence(&mut self, board: &Board, alpha: i32, beta: i32, ply: usize) -> Step<i32> {
        self.count_node(ply)?;
        self.probe.lines[ply].length = 0;
        if ply > 0 {
            if let Some(value) = self.ending(board, ply) {
                return Ok(value);
            }
            if ply >= MAX_PLY {
                return Ok(self.probe.evaluation.evaluate(board));
            }
        }
        let mut node = self.look_up(board, 0, alpha, beta, ply, false);
        if let Some(value) = node.settled_by_table(0).filter(|_| !node.open()) {
            return Ok(value);
        }
        self.judge(&mut node);
        match node.estimate {
            Some(standing) if standing >= beta => {
                if node.entry.is_none() {
                    self.store_quiet(&node, standing, None);
                }
                Ok(standing)
            }
            standing => self.forcing_moves(&node, standing),
        }
    }

    /// The moves of a quiescence node; `standing` is the value of standing pat, `None` in check.
    fn forcing_moves(&mut self, node: &Node, standing: Option<i32>) -> Step<i32> {
        let Node { board, ply, beta, .. } = *node;
        let mut best = standing.unwrap_or(-INFINITE);
        let mut alpha = node.alpha.max(best);
        let mut best_move = None;
        let mut picker = match standing {
            Some(_) => {
                Picker::noisy(&self.probe.stacks, node.table_move.filter(|&action| is_noisy(board, action)))
            }
            None => {
                let (contexts, killers) = (self.contexts(ply), self.frame(ply).killers);
                let countermove = self.probe.histories.countermove(contexts[0]);
                Picker::new(
                    &self.probe.stacks,
                    node.table_move,
                    [killers[0], killers[1], countermove],
                    contexts,
                )
            }
        };
        while let Some(action) = picker.next(board, self.sources()) {
            if best > -MATE_FLOOR {
                if let Some(hopeless) = standing.and_then(|standing| hopeless(board, action, standing, alpha))
                {
                    best = best.max(hopeless);
                    continue;
                }
                // One quiet evasion that does not lose is enough to know that it is no mate.
                picker.skip_quiets();
            }
            let after = self.make(board, action, ply);
            let value = -self.quiescence(&after, -beta, -alpha, ply + 1)?;
            self.take_back();
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(action);
                    self.new_best(node, action, value);
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        picker.finish(&mut self.probe.stacks);
        if best == -INFINITE {
            return Ok(mated(ply));
        }
        self.store_quiet(node, best, best_move);
        Ok(best)
    }
}

/// Delta pruning: the most that a capture can bring, when that does not reach alpha.
fn hopeless(board: &Board, action: Move, standing: i32, alpha: i32) -> Option<i32> {
    if action.promotion.is_some() {
        return None;
    }
    let base = standing + Dial::Delta.get();
    let most = base + victim(board, action).map_or(0, |piece| EXCHANGE[piece as usize]);
    if most <= alpha {
        return Some(most);
    }
    (base <= alpha && !exchange_reaches(board, action, 1)).then_some(base)
}
