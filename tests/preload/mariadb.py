"""A MariaDB server of the machine's own package, for one test run: in a temporary directory, on a free loopback port,
stopped and removed at the end. The server refuses root, so that root starts it as nobody."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

from postgres import PATIENCE_S, free_port

USER, PASSWORD, DATABASE = "lens", "a-password-nobody-shows", "shop"


def program(name):
    """Its path, also where only root's search path leads to it, or None."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


class Server:
    """Started by `with`. Has the database shop, which the user lens may do everything in."""

    def __enter__(self):
        self.directory = tempfile.TemporaryDirectory(prefix="inlens-mariadb-")
        home = pathlib.Path(self.directory.name)
        self.socket = str(home / "socket")
        self.port = free_port()
        self.as_nobody = []
        if os.getuid() == 0:
            self.as_nobody = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
            shutil.chown(home, "nobody", "nogroup")
        self.environment = {**os.environ, "LC_ALL": "C", "HOME": str(home), "TMPDIR": str(home)}
        self.log = open(home / "log", "w+b")
        self._run(program("mariadb-install-db"), "--no-defaults", f"--datadir={home / 'data'}", "--skip-test-db",
                  "--auth-root-authentication-method=normal")
        self.process = subprocess.Popen(
            [*self.as_nobody, program("mariadbd"), "--no-defaults", f"--datadir={home / 'data'}", f"--socket={self.socket}",
             f"--port={self.port}", "--bind-address=127.0.0.1", f"--pid-file={home / 'pid'}", "--skip-log-bin",
             "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=32M", "--max-allowed-packet=32M",
             "--local-infile=ON", "--character-set-server=utf8mb4"],
            cwd=home, env=self.environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self._wait_until_ready()
        self.ask(f"CREATE DATABASE {DATABASE}; CREATE USER {USER}@'%' IDENTIFIED BY '{PASSWORD}'; "
                 f"GRANT ALL ON {DATABASE}.* TO {USER}@'%'; GRANT PROCESS ON *.* TO {USER}@'%'")
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        self.directory.cleanup()

    def _run(self, *command):
        subprocess.run([*self.as_nobody, *command], cwd=self.directory.name, env=self.environment,
                       stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, check=True)

    def _wait_until_ready(self):
        until = time.monotonic() + PATIENCE_S
        while subprocess.run(self._client("root", "SELECT 1"), capture_output=True).returncode != 0:
            if self.process.poll() is not None or time.monotonic() > until:
                self.log.seek(0)
                raise RuntimeError("MariaDB did not start: " + self.log.read().decode(errors="replace"))
            time.sleep(0.05)

    def _client(self, user, sql):
        return [program("mariadb"), "--no-defaults", f"--socket={self.socket}", f"--user={user}", "-N", "-B", "-r", "-e", sql]

    def ask(self, sql):
        """Rows as lists of texts, as root, by a client that nobody watches."""
        done = subprocess.run(self._client("root", sql), capture_output=True, text=True, timeout=PATIENCE_S)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return [line.split("\t") for line in done.stdout.splitlines()]

    def commands(self):
        """How often the server has done what, by its own count: {"select": 3, ...}."""
        rows = self.ask("SHOW GLOBAL STATUS LIKE 'Com\\_%'")
        return {name[4:].lower(): int(count) for name, count in rows if name != "Com_show_status"}


def done_between(before, after):
    return {name: after[name] - before[name] for name in after if after[name] != before[name]}
