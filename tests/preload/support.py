"""Programs run bare and under `inlens run`, and what the report of the latter says."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

LAUNCHER = os.environ["INLENS_LAUNCHER"]
LIBRARY = os.environ["INLENS_LIBRARY"]
SQLITE_HOST = os.environ["SQLITE_HOST"]
STATIC_HOST = os.environ["STATIC_HOST"]
PATIENCE_S = 120

ENVIRONMENT = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "INLENS_CONSOLE_PORT": "0"}


def run(command, environment=None, stdin=None, cwd=None):
    return subprocess.run([str(part) for part in command], capture_output=True, timeout=PATIENCE_S, cwd=cwd,
                          input=stdin, env={**ENVIRONMENT, **(environment or {})})


class Report:
    """What a process left behind when it exited."""

    def __init__(self, path):
        self.json = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))

    def lost(self):
        return {reason: count for reason, count in self.json["agent"]["lost"].items()
                if count and reason not in ("stringCut", "total")}

    def statements(self):
        """Runs, rows and failures by text."""
        return {item["text"]: (item["runs"], item["rows"], item["failures"])
                for item in self.json["queries"]["items"]}

    def totals(self):
        overview = self.json["overview"]["statements"]
        return overview["runs"], overview["failures"]


class PreloadTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="inlens-preload-")
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def attached(self, command, *options, environment=None, stdin=None, cwd=None):
        """Runs the program under the launcher; its result, and its report if it left one."""
        file = self.directory / "report.json"
        file.unlink(missing_ok=True)
        done = run([LAUNCHER, "run", "--report", file, *options, "--", *command], environment, stdin, cwd)
        return done, Report(file) if file.exists() else None

    def same(self, command, *options, environment=None, stdin=None, fresh=None):
        """Runs the program bare and attached, each after `fresh()`, and demands equal output and status."""
        results = []
        for go in (lambda: (run(command, environment, stdin), None),
                   lambda: self.attached(command, *options, environment=environment, stdin=stdin)):
            if fresh:
                fresh()
            results.append(go())
        (bare, _), (seen, report) = results
        self.assertEqual((seen.returncode, seen.stdout, seen.stderr), (bare.returncode, bare.stdout, bare.stderr))
        return report
