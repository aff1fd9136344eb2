//! What a real search by one worker asked, and what each answer cost: a [`Recorder`] is the search's monitor and writes down the
//! choices that several workers would share, in B\*'s graph and inside its probes, or in the twin.

use super::lockstep;
use cozy_chess::Move;
use regulus::bstar::settled::root::{Overseer, Progress, Verdict};
use regulus::bstar::{Interrupted, Layer, Monitor};
use regulus::chess::probe::Table;
use regulus::chess::{Position, Score, TreeSearch};
use regulus::engine::options::Options;
use std::sync::Arc;

/// A part of a search.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// So many nodes in which there is nothing to share.
    Nodes(u64),
    /// The choices of one position in the order in which they were asked about, each with its steps, one after the other.
    Choices {
        /// At least one.
        choices: Vec<Vec<Step>>,
        /// The last one decided the position: had it been asked first, the others would not have been asked.
        decided: bool,
    },
}

/// The steps of a search of `position` by one worker to this depth, from empty memory.
pub fn search(position: &Position, depth: u32, options: &Options, whole_probes: bool) -> Vec<Step> {
    let mut tree = TreeSearch::new(Arc::new(Table::new((options.hash_mib as usize) << 20)), 1 << 20);
    let mut recorder = Recorder::new(whole_probes);
    lockstep::search_one(&mut tree, position, depth, options, &mut recorder);
    recorder.steps()
}

/// Writes a search down. It ends nothing.
#[derive(Default)]
pub struct Recorder {
    /// The steps of the search, of the choice under way, of one under way inside that, and so on.
    open: Vec<Vec<Step>>,
    /// What a probe shares inside is not written down: to answer it is one step.
    whole_probes: bool,
    /// The steps of the search so far, but for what is open.
    done: Vec<Step>,
}

impl Recorder {
    /// With the choices inside the probes, or with each probe as one step.
    pub fn new(whole_probes: bool) -> Self {
        Self { whole_probes, ..Self::default() }
    }

    /// The steps of the search, one after the other.
    pub fn steps(self) -> Vec<Step> {
        self.done
    }

    fn innermost(&mut self) -> &mut Vec<Step> {
        self.open.last_mut().unwrap_or(&mut self.done)
    }

    fn leaves_out(&self, layer: Layer) -> bool {
        self.whole_probes && layer == Layer::Domain
    }
}

impl Monitor for Recorder {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        match self.innermost().last_mut() {
            Some(Step::Nodes(nodes)) => *nodes += units,
            _ => self.innermost().push(Step::Nodes(units)),
        }
        Ok(())
    }

    /// Each node is told at once, so that it counts where it belongs.
    fn allowance(&self) -> u64 {
        1
    }

    fn begins(&mut self, rank: usize, layer: Layer) {
        if self.leaves_out(layer) {
            return;
        }
        // What follows belongs to the position begun last, unless it is a first choice.
        if rank == 1 || !matches!(self.innermost().last(), Some(Step::Choices { .. })) {
            self.innermost().push(Step::Choices { choices: Vec::new(), decided: false });
        }
        self.open.push(Vec::new());
    }

    fn ends(&mut self, decides: bool, layer: Layer) {
        if self.leaves_out(layer) {
            return;
        }
        let steps = self.open.pop().unwrap_or_default();
        if let Some(Step::Choices { choices, decided }) = self.innermost().last_mut() {
            choices.push(steps);
            *decided = decides;
        }
    }
}

impl Overseer<Move, Score> for Recorder {
    fn progress(&mut self, _progress: &Progress<Move, Score>) -> Verdict {
        Verdict::Continue
    }
    fn wants_separation(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::nodes;
    use super::*;
    use regulus::chess::probe::TELLS_CHOICES;
    use regulus::engine::options::SearchMode;

    /// Two choices of a position, the second one with two choices of its own; then another position.
    fn recorded(whole_probes: bool) -> Vec<Step> {
        let mut recorder = Recorder::new(whole_probes);
        let work = |recorder: &mut Recorder, nodes| recorder.work(nodes).unwrap();
        work(&mut recorder, 1);
        recorder.begins(1, Layer::Graph);
        work(&mut recorder, 2);
        work(&mut recorder, 3);
        recorder.ends(false, Layer::Graph);
        recorder.begins(2, Layer::Graph);
        for rank in [1, 2] {
            recorder.begins(rank, Layer::Domain);
            work(&mut recorder, 4);
            recorder.ends(rank == 2, Layer::Domain);
        }
        recorder.ends(false, Layer::Graph);
        recorder.begins(1, Layer::Graph);
        recorder.ends(true, Layer::Graph);
        recorder.steps()
    }

    fn choices(choices: Vec<Vec<Step>>, decided: bool) -> Step {
        Step::Choices { choices, decided }
    }

    #[test]
    fn what_is_told_is_what_is_written_down() {
        let inner = choices(vec![vec![Step::Nodes(4)], vec![Step::Nodes(4)]], true);
        let outer = choices(vec![vec![Step::Nodes(5)], vec![inner]], false);
        assert_eq!(recorded(false), [Step::Nodes(1), outer, choices(vec![vec![]], true)]);
    }

    #[test]
    fn a_real_search_is_written_down_to_the_last_node() {
        if !TELLS_CHOICES {
            return;
        }
        const DEPTH: u32 = 11;
        let position = Position::startpos();
        for search_mode in SearchMode::ALL {
            let options = Options { search_mode, hash_mib: 4, ..Options::default() };
            let (lone, _) = lockstep::Workers::new(1, 4, 16).search(&position, DEPTH, &options);
            let [fine, coarse] = [false, true].map(|whole| search(&position, DEPTH, &options, whole));
            assert_eq!([nodes(&fine), nodes(&coarse)], [lone, lone], "{search_mode:?}");
            let roots = |steps: &[Step]| {
                steps.iter().filter(|step| matches!(step, Step::Choices { .. })).count() as u32
            };
            // The twin's first two deepenings have nothing to share, and what is left is all inside a probe.
            match search_mode {
                SearchMode::BStar => assert!(roots(&fine) >= DEPTH && roots(&coarse) >= DEPTH),
                SearchMode::AlphaBeta => assert!(roots(&fine) >= DEPTH - 2 && roots(&coarse) == 0),
            }
            assert_ne!(fine, coarse, "{search_mode:?}");
        }
    }

    #[test]
    fn a_whole_probe_is_one_step() {
        let outer = choices(vec![vec![Step::Nodes(5)], vec![Step::Nodes(8)]], false);
        assert_eq!(recorded(true), [Step::Nodes(1), outer, choices(vec![vec![]], true)]);
    }
}
