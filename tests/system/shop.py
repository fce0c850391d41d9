"""The demo shop as the system tests use it: a process of its own on free ports, asked over real sockets.

The program's path comes from the environment variable INLENS_SHOP. Everything it writes goes to a temporary
directory that is removed at the end.
"""

import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time

TOKEN = "a-token-for-the-system-tests-0123456789"
PATIENCE_S = 60
# How long the load tests press; a long run sets 60.
LOAD_SECONDS = int(os.environ.get("INLENS_LOAD_SECONDS", "10"))


class Shop:
    """Started by `with`; `settings` are Inlens settings beside port and token."""

    def __init__(self, level="light", workers=4, settings=None):
        self.settings = {"collect.level": level, "console.port": 0, "console.token": TOKEN, **(settings or {})}
        self.workers = workers

    def __enter__(self):
        self.directory = tempfile.TemporaryDirectory(prefix="inlens-shop-")
        config = pathlib.Path(self.directory.name, "inlens.json")
        config.write_text(json.dumps(self.settings))
        self.errors = open(pathlib.Path(self.directory.name, "stderr"), "w+b")
        self.process = subprocess.Popen(
            [os.environ["INLENS_SHOP"], "--port", "0", "--workers", str(self.workers), "--db", self.directory.name,
             "--config", str(config)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.port = self._port_after("Shop")
        self.console_port = self._port_after("Console")
        self.link = self.process.stdout.readline().split()[-1]
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.exit_code = self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.exit_code = self.process.wait()
        self.process.stdout.close()
        self.errors.close()
        self.directory.cleanup()

    def _port_after(self, word):
        for line in self.process.stdout:
            if line.startswith(word):
                return int(re.search(r":(\d+)/", line)[1])
        raise RuntimeError(f"the shop ended before it named its {word}")

    def is_alive(self):
        return self.process.poll() is None

    def log(self):
        self.errors.flush()
        return pathlib.Path(self.directory.name, "stderr").read_text(errors="replace")

    def get(self, path, **headers):
        """Status, headers and body of one page, on a connection of its own."""
        return ask(self.port, "GET", path, headers)

    def api(self, path):
        """JSON of the console's API, or the status of a refusal."""
        status, _, body = ask(self.console_port, "GET", "/~inlens/api/" + path, {"Authorization": "Bearer " + TOKEN})
        return json.loads(body) if status == 200 else status

    def settled(self, path, condition):
        """Asks the API until `condition` holds: a request ends a moment after its client has the answer."""
        until = time.monotonic() + PATIENCE_S
        while True:
            answer = self.api(path)
            if condition(answer) or time.monotonic() > until:
                return answer


def ask(port, method, path, headers=None, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


class Raw:
    """A connection that sends bytes as they are given."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        """False once the other side has gone."""
        try:
            self.socket.sendall(data if isinstance(data, bytes) else data.encode())
            return True
        except OSError:
            return False

    def read_to_end(self):
        received = b""
        try:
            while chunk := self.socket.recv(65536):
                received += chunk
        except OSError:
            pass
        return received

    def status(self):
        """Status of the one answer that the other side sends before it closes; 0 without one."""
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        match = re.match(rb"HTTP/1\.\d (\d{3}) ", self.read_to_end())
        return int(match[1]) if match else 0


class Visitors:
    """Threads that ask the shop for pages until the scope ends, each on a connection that it keeps."""

    def __init__(self, port, paths, count=4):
        self.port, self.paths = port, paths
        self.answers, self.failures = 0, []
        self._ended, self._lock = threading.Event(), threading.Lock()
        self._threads = [threading.Thread(target=self._visit, args=(number,)) for number in range(count)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _visit(self, number):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        answers, failures = 0, []
        while not self._ended.is_set():
            path = self.paths[(number + answers + len(failures)) % len(self.paths)]
            try:
                connection.request("GET", path)
                answer = connection.getresponse()
                answer.read()
                answers += 1
                if answer.status >= 400:
                    failures.append(f"{path}: {answer.status}")
            except (OSError, http.client.HTTPException) as problem:
                failures.append(f"{path}: {problem!r}")
                connection.close()
        connection.close()
        with self._lock:
            self.answers += answers
            self.failures += failures


def milliseconds_of(action):
    before = time.perf_counter()
    result = action()
    return (time.perf_counter() - before) * 1000, result


def wrk(port, path, seconds, connections=64, script=None):
    """Runs wrk; returns its count of answers, of failed ones, and what it printed."""
    command = ["wrk", "-t2", f"-c{connections}", f"-d{seconds}s", "--timeout", f"{PATIENCE_S}s"]
    if script:
        command += ["-s", str(script)]
    done = subprocess.run([*command, f"http://127.0.0.1:{port}{path}"], capture_output=True, text=True,
                          timeout=seconds + PATIENCE_S, check=True)
    answers = int(re.search(r"(\d+) requests in", done.stdout)[1])
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", done.stdout)
    broken = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", done.stdout)
    failed = sum(map(int, broken.groups())) if broken else 0
    return answers, failed, int(refused[1]) if refused else 0
