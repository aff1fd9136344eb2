"""What the Python tests share: where things are, and the engine under test."""

import os
import shutil
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
sys.path.insert(0, str(SCRIPTS))

FAKE_ENGINE = Path(__file__).resolve().parent / "fake_engine.py"


def engine_path() -> str:
    """The engine under test: `REGULUS` in the environment, which `cargo test` sets, or the newest build."""
    if given := os.environ.get("REGULUS"):
        return given
    builds = [
        ROOT / "target" / profile / f"regulus{suffix}"
        for profile in ("release", "debug")
        for suffix in ("", ".exe")
    ]
    found = [path for path in builds if path.exists()]
    if not found:
        raise unittest.SkipTest("no engine: build it, or set REGULUS to its path")
    return str(max(found, key=lambda path: path.stat().st_mtime))


def fake_engine_spec(name: str, *behaviour: str, limits: str = "") -> str:
    """A `match.py` engine argument for the engine of `fake_engine.py`."""
    python = sys.executable or shutil.which("python3")
    return f'\'cmd="{python}" "{FAKE_ENGINE}" {" ".join(behaviour)}\' name={name} {limits}'
