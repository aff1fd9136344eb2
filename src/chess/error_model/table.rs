//! The measured tables. Made by `regulus error-model`; not to be edited by hand.

use super::Table;

pub(super) const TABLE: Table = [
    [40, 85, 120, 187, 187],
    [40, 85, 120, 187, 187],
    [40, 85, 120, 187, 187],
    [40, 85, 120, 187, 187],
    [40, 80, 110, 180, 180],
    [40, 75, 100, 180, 180],
    [35, 60, 80, 150, 150],
    [30, 50, 70, 140, 140],
    [30, 45, 60, 120, 120],
    [28, 40, 55, 110, 110],
    [26, 38, 52, 100, 100],
    [24, 36, 50, 90, 90],
    [22, 34, 48, 80, 80],
];

pub(super) const NARROWING: Table = [[100; super::CLASSES]; super::DEPTHS];
