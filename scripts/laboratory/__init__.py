"""The parts of `scripts/regret.py`, `scripts/suite.py` and `scripts/report.py`: an engine to ask, a cache of answers, and the
statistics and pictures made of them."""
