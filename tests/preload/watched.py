"""Programs that know nothing of Inlens, run without and with libinlens-preload.so, and what its console says.

The library's path comes from the environment variable INLENS_PRELOAD. A program says "held" on a line of its own when
its work is done, and goes on until its standard input ends; meanwhile the console inside of it is asked.
"""

import http.client
import json
import os
import subprocess
import tempfile
import time

from postgres import PATIENCE_S, free_port

TOKEN = "a-token-for-the-preload-tests-0123456789"


def environment_of(port, level="full", **settings):
    return {**os.environ, "LD_PRELOAD": os.environ["INLENS_PRELOAD"], "INLENS_CONSOLE_PORT": str(port),
            "INLENS_CONSOLE_TOKEN": TOKEN, "INLENS_COLLECT_LEVEL": level, "INLENS_LIMITS_STATEMENTS_PER_REQUEST": "10000",
            "INLENS_LIMITS_SPANS_PER_REQUEST": "10000", **settings}


def run_bare(command, script=""):
    """Status, output and errors of a run that nobody watches."""
    done = subprocess.run(command, input=script, capture_output=True, text=True, timeout=5 * PATIENCE_S)
    return done.returncode, done.stdout, done.stderr


class Watched:
    """Started by `with`, under preload; on entry its work is done. `end()` gives the same as run_bare()."""

    def __init__(self, command, script="", level="full", **settings):
        self.command, self.script, self.level, self.settings = command, script, level, settings

    def __enter__(self):
        self.port = free_port()
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(self.command, env=environment_of(self.port, self.level, **self.settings),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.process.stdin.write(self.script)
        self.process.stdin.flush()
        self.output = ""
        for line in self.process.stdout:
            self.output += line
            if line == "held\n":
                break
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end()
        self.process.stdout.close()
        self.errors.close()

    def end(self):
        self.process.stdin.close()
        self.output += self.process.stdout.read()
        status = self.process.wait(5 * PATIENCE_S)
        self.errors.seek(0)
        return status, self.output, self.errors.read()

    def api(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            connection.request("GET", "/~inlens/api/" + path, headers={"Authorization": "Bearer " + TOKEN})
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != 200:
                raise AssertionError(f"{path}: {answer.status} {body!r}")
            return json.loads(body)
        finally:
            connection.close()

    def change(self, key, value):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            connection.request("PUT", "/~inlens/api/settings/" + key, json.dumps({"value": value}),
                               {"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json"})
            answer = connection.getresponse()
            if answer.status != 200:
                raise AssertionError(f"{key}: {answer.status} {answer.read()!r}")
        finally:
            connection.close()

    def settled(self, path, condition):
        """Asks until `condition` holds: work outside of requests is shown a second after it was done."""
        until = time.monotonic() + PATIENCE_S
        while True:
            answer = self.api(path)
            if condition(answer) or time.monotonic() > until:
                return answer
            time.sleep(0.05)

    def statements(self):
        """Rows of the statements by text, when all work has been shown."""
        self.settled("inflight", lambda answer: answer["total"] == 0)
        self.settled("agent", lambda answer: answer["queue"]["depth"] == 0)
        return {row["text"]: row for row in self.api("queries")["items"]}

    def totals(self):
        """Exact counts, of what has ended: runs and failures."""
        statements = self.api("overview")["statements"]
        return statements["runs"], statements["failures"]

    def records(self):
        """All kept requests with their details, oldest first."""
        self.settled("inflight", lambda answer: answer["total"] == 0)
        rows = self.api("requests?limit=200")["items"]
        return [self.api("requests/" + row["id"]) for row in reversed(rows)]

    def spans(self):
        return [span for record in self.records() for span in record["spans"]]
