"""The parts of `scripts/regret.py`, `scripts/report.py` and `scripts/time_shares.py`: an engine to ask, a cache of answers, and the
statistics and pictures made of them."""
