"""A PostgreSQL server of the machine's own package, for one test run: in a temporary directory, on a free loopback
port, stopped and removed at the end. The server refuses root, so that root starts it as nobody."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PATIENCE_S = 60


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def programs():
    """The newest installed server's directory, or None."""
    found = pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(found, key=lambda path: int(path.parts[-3]), default=None)
    return newest.parent if newest else None


class Server:
    """Started by `with`. `conninfo(database)` leads there; statements are counted by pg_stat_statements."""

    def __enter__(self):
        self.directory = tempfile.TemporaryDirectory(prefix="inlens-postgres-")
        data = pathlib.Path(self.directory.name, "data")
        self.as_nobody = []
        if os.getuid() == 0:
            self.as_nobody = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
            shutil.chown(self.directory.name, "nobody", "nogroup")
        self.port = free_port()
        environment = {**os.environ, "LC_ALL": "C", "HOME": self.directory.name}
        subprocess.run([*self.as_nobody, programs() / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
                        "--no-sync", "--no-instructions"],
                       cwd=self.directory.name, env=environment, stdout=subprocess.DEVNULL, check=True)
        self.log = open(pathlib.Path(self.directory.name, "log"), "w+b")
        settings = {"listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": "", "fsync": "off",
                    "shared_preload_libraries": "pg_stat_statements", "max_connections": 50, "jit": "off",
                    "autovacuum": "off"}
        self.command = [*self.as_nobody, programs() / "postgres", "-D", data,
                        *(word for name, value in settings.items() for word in ("-c", f"{name}={value}"))]
        self.environment = environment
        self.start()
        self.ask("CREATE EXTENSION pg_stat_statements")
        return self

    def __exit__(self, *_):
        self.stop()
        self.log.close()
        self.directory.cleanup()

    def start(self):
        self.process = subprocess.Popen(self.command, cwd=self.directory.name, env=self.environment,
                                        stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self._wait_until_ready()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _wait_until_ready(self):
        until = time.monotonic() + PATIENCE_S
        while subprocess.run([programs() / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]).returncode != 0:
            if self.process.poll() is not None or time.monotonic() > until:
                self.log.seek(0)
                raise RuntimeError("PostgreSQL did not start: " + self.log.read().decode(errors="replace"))
            time.sleep(0.05)

    def conninfo(self, database, **more):
        words = {"host": "127.0.0.1", "port": self.port, "user": "postgres", "dbname": database, **more}
        return " ".join(f"{name}={value}" for name, value in words.items())

    def ask(self, sql, database="postgres"):
        """Rows as lists of texts, by a psql of its own that nobody watches."""
        done = subprocess.run([programs() / "psql", "-X", "-q", "-A", "-t", "-F", "\x1f", "-R", "\x1e", "-v", "ON_ERROR_STOP=1",
                               "-d", self.conninfo(database), "-c", sql], capture_output=True, text=True, check=True)
        text = done.stdout.rstrip("\n")
        return [row.split("\x1f") for row in text.split("\x1e")] if text else []

    def database(self, name):
        """A new database `name` of 1,000 things; what was counted for it before is forgotten."""
        self.ask(f"DROP DATABASE IF EXISTS {name}")
        self.ask(f"CREATE DATABASE {name}")
        self.ask("CREATE TABLE things (id int PRIMARY KEY, size int NOT NULL);"
                 " INSERT INTO things SELECT n, n % 10 FROM generate_series(1, 1000) n", name)
        self.forget()
        return name

    def forget(self):
        self.ask("SELECT pg_stat_statements_reset()")

    def counted(self, database):
        """What the server itself says: {text: (calls, rows)} of the statements that succeeded."""
        rows = self.ask("SELECT query, sum(calls), sum(rows) FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid"
                        f" WHERE datname = '{database}' GROUP BY query")
        return {query: (int(calls), int(count)) for query, calls, count in rows}
