//! When a search on a clock has thought enough. Both modes ask here, so that neither has the better clock.

/// The part of the soft budget after which no deepening is begun. `share`: of the work so far, what went below the best
/// move (0 to 1). `stability`: complete deepenings in a row, the last one included, with the same best move.
///
/// The more of the work went below the best move, and the longer it has been the best, the sooner; a fresh change of mind
/// may take more than the whole. A deepening costs about as much as all before it, so the mean lies well below 1. The form is
/// the usual one of alpha-beta engines; the figures are not tuned by matches yet.
pub fn patience(share: f64, stability: u32) -> f64 {
    let by_work = 1.6 - share.clamp(0.0, 1.0);
    let by_stability = match stability {
        0 | 1 => 1.3,
        2 => 1.1,
        3 => 0.95,
        4 => 0.85,
        _ => 0.75,
    };
    0.75 * by_work * by_stability
}

#[cfg(test)]
mod tests {
    use super::patience;

    #[test]
    fn who_is_sure_stops_sooner() {
        assert!(patience(0.9, 3) < patience(0.4, 3));
        assert!(patience(0.6, 6) < patience(0.6, 1));
        assert!(patience(0.3, 1) > 1.0, "a change of mind may take more than the whole");
        assert!(patience(7.0, 9) > 0.0);
    }
}
