"""A server that is linked to Inlens and marks its statements itself, on SQLite and on a real PostgreSQL server, alone and
started by the launcher all the same: it starts the agent with its own settings, and no statement counts twice."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from postgres import PATIENCE_S, Server, free_port

TOKEN = "a-token-for-the-preload-tests-0123456789"
LAUNCHER = [os.environ["INLENS_LAUNCHER"], "run", "--"]
# Statements of each page.
PAGES = {"/": 3, "/products": 2, "/products/3": 1, "/orders": 25, "/checkout": 7, "/slow-sql?rounds=2000": 1, "/cache": 2,
         "/panel": 1, "/api/products": 1, "/login": 0, "/caught": 0}


def get(port, path, **headers):
    """Status, headers and body."""
    try:
        answer = urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers),
                                        timeout=PATIENCE_S)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        return answer.status, answer.headers, answer.read().decode()


class Shop:
    """Started by `with`; ends with status 0 or fails."""

    def __init__(self, db, launcher=()):
        self.db, self.launcher = db, launcher

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="inlens-preload-shop-"))
            config = pathlib.Path(folder, "inlens.json")
            config.write_text(json.dumps({"collect.level": "full", "console.port": 0, "console.token": TOKEN}))
            self.process = subprocess.Popen(
                [*self.launcher, os.environ["INLENS_SHOP"], "--port", "0", "--workers", "2", "--db", self.db or folder,
                 "--config", config], stdout=subprocess.PIPE, text=True)
            stack.callback(self._end)
            ports = {}
            while len(ports) < 2:
                line = self.process.stdout.readline()
                if not line:
                    raise RuntimeError("the shop ended before it served")
                if match := re.match(r"(Shop|Console).*:(\d+)/", line):
                    ports[match[1]] = match[2]
            self.port, self.console = ports["Shop"], ports["Console"]
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()

    def _end(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        if status != 0:
            raise RuntimeError(f"the shop ended with {status}")

    def api(self, view):
        status, _, body = get(self.console, "/~inlens/api/" + view, Authorization="Bearer " + TOKEN)
        return json.loads(body) if status == 200 else None

    def page(self, path):
        """Status of the answer, and what the console knows of the request; it ends a moment after its client has the answer."""
        status, headers, _ = get(self.port, path)
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            detail = self.api("requests/" + headers["X-Inlens-Id"])
            if detail is not None and "counts" in detail:
                return status, detail
        raise RuntimeError(f"{path}: the console never had the request")


def statements(detail):
    return [span["statement"] for span in detail["spans"] if span["statement"]]


class OnSqlite(unittest.TestCase):
    def test_it_starts_the_agent_itself_and_its_statements_count_once(self):
        with Shop(None, LAUNCHER) as shop:
            _, detail = shop.page("/orders")
            self.assertEqual(detail["counts"]["statements"], 25)  # the orders, and one for each of the 24
            self.assertEqual(len(statements(detail)), 25)
            self.assertEqual([row["name"] for row in shop.api("attached")["items"]], ["sqlite"])
            self.assertEqual(shop.api("overview")["requests"]["total"], 1)
            self.assertEqual(shop.api("agent")["lost"]["total"], 0)


class OnPostgres(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server())
        cls.address = f"postgresql://postgres:a%40pass%2Fword@127.0.0.1:{cls.server.port}/postgres"

    def check_pages(self, shop):
        seen = {}
        for path in PAGES:
            status, detail = shop.page(path)
            self.assertEqual(status, 200, path)
            seen[path] = detail["counts"]["statements"]
            kinds = [finding["kind"] for finding in detail["findings"]]
            self.assertEqual("nPlusOne" in kinds, path == "/orders", (path, kinds))
        self.assertEqual(seen, PAGES)
        _, detail = shop.page("/markup")
        failed = [statement["errorCode"] for statement in statements(detail) if statement["errorCode"]]
        self.assertEqual(failed, ["42P01"])
        self.assertEqual(shop.api("agent")["lost"]["total"], 0)

    def runs_of(self, shop, text):
        runs = {row["text"]: row["runs"] for row in shop.api("queries")["items"]}
        self.assertIn(text, runs)
        return runs[text]

    def calls_of(self, text):
        return sum(int(calls) for calls, in self.server.ask(f"SELECT calls FROM pg_stat_statements WHERE query = '{text}'"))

    def test_its_pages_make_the_statements_that_the_server_counts(self):
        with Shop(self.address) as shop:
            self.server.ask("SELECT pg_stat_statements_reset()")
            self.check_pages(shop)
            for text in ("SELECT name, city FROM customers WHERE id = $1", "SELECT count(*) FROM products"):
                self.assertEqual(self.runs_of(shop, text.lower().replace("$1", "?")), self.calls_of(text))
            self.assertEqual(self.calls_of("SELECT name, city FROM customers WHERE id = $1"), 24)
            names = {statement["database"] for statement in statements(shop.page("/orders")[1])}
            self.assertEqual(names, {f"127.0.0.1:{self.server.port}/postgres"})

    def check_all_counted(self, launcher):
        """Every statement that succeeded, of every page, in a database that nobody else uses. Of a prepared BEGIN or COMMIT
        pg_stat_statements 15 counts the first run alone; those are held against the transactions that were asked for."""
        database = "counted_under_launcher" if launcher else "counted_alone"
        ends = ("begin", "commit")
        self.server.ask(f"CREATE DATABASE {database}")
        with Shop(self.address.rsplit("/", 1)[0] + "/" + database, launcher) as shop:
            self.server.forget()
            texts = [statement["text"] for path in (*PAGES, "/markup", "/checkout", "/products")
                     for statement in statements(shop.page(path)[1]) if not statement["failed"]]
            counted = sum(calls for text, (calls, _) in self.server.counted(database).items() if text.lower() not in ends)
        self.assertEqual([texts.count(end) for end in ends], [2, 2])
        self.assertEqual(len(texts) - 4, counted)
        self.assertGreater(counted, 40)

    def test_all_statements_are_as_many_as_the_server_ran(self):
        self.check_all_counted(())

    def test_all_statements_are_as_many_as_the_server_ran_under_the_launcher(self):
        self.check_all_counted(LAUNCHER)

    def test_pages_that_fail_without_the_database_have_one_error_and_no_statement(self):
        with Shop(self.address) as shop:
            for path, expected in (("/caught", 200), ("/bug", 500), ("/unique-error", 500)):
                status, detail = shop.page(path)
                self.assertEqual((status, detail["counts"]["statements"], detail["counts"]["errors"]), (expected, 0, 1), path)

    def test_a_connection_that_the_server_cut_fails_one_page_and_is_opened_again(self):
        for launcher in ((), LAUNCHER):
            with self.subTest(launcher=launcher), Shop(self.address, launcher) as shop:
                self.server.ask("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                                " WHERE application_name = 'inlens-shop'")
                failed = 0
                while (answer := shop.page("/checkout"))[0] != 200:
                    failed += 1
                    self.assertLessEqual(failed, 2)  # one a worker
                    codes = [statement["errorCode"] for statement in statements(answer[1]) if statement["errorCode"]]
                    self.assertEqual((answer[0], codes), (503, ["08006"]))
                self.assertGreaterEqual(failed, 1)
                self.assertEqual(answer[1]["counts"]["statements"], PAGES["/checkout"])

    def test_under_the_launcher_they_count_once(self):
        with Shop(self.address, LAUNCHER) as shop:
            self.check_pages(shop)
            self.assertIn("postgresql", [row["name"] for row in shop.api("attached")["items"]])
            row, = [row for row in shop.api("connections")["items"] if row["kind"] == "postgresql"]
            self.assertEqual((row["open"], row["inUse"]), (2, 0))  # one a worker

    def test_without_its_server_a_page_says_so_and_with_it_the_page_is_back(self):
        with Shop(self.address) as shop:
            self.server.stop()
            try:
                for _ in range(4):  # of both workers, with and without a connection that they think they have
                    status, _, body = get(shop.port, "/products")
                    self.assertEqual(status, 503)
                    self.assertIn("cannot reach its database", body)
                refused = statements(shop.page("/products")[1])
                self.assertEqual([statement["errorCode"] for statement in refused], ["08001"])
                self.assertEqual(get(shop.port, "/caught")[0], 200)
            finally:
                self.server.start()
            for _ in range(4):
                self.assertEqual(get(shop.port, "/products")[0], 200)

    def test_two_shops_may_start_on_one_empty_database(self):
        self.server.ask("CREATE DATABASE twice")
        address = self.address.rsplit("/", 1)[0] + "/twice"
        command = [os.environ["INLENS_SHOP"], "--port", "0", "--db", address]
        environment = {**os.environ, "INLENS_CONSOLE_PORT": "0"}
        shops = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(2)]
        for shop in shops:
            while not shop.stdout.readline().startswith("Shop"):
                self.assertIsNone(shop.poll())
            shop.send_signal(signal.SIGTERM)
            shop.stdout.read()
            shop.stdout.close()
            self.assertEqual(shop.wait(PATIENCE_S), 0)
        self.assertEqual(self.server.ask("SELECT count(*) FROM products", "twice"), [["2000"]])

    def test_a_wrong_address_is_one_line_without_its_password(self):
        for address, reason in ((f"postgresql://u:hunter2@127.0.0.1:{free_port()}/shop", "Connection refused"),
                                ("postgresql://u:hunter2@[::1/shop", "not one of the form"),
                                ("postgresql://u:p@hunter2@127.0.0.1/shop", "written %40"),
                                ("postgresql://u:hunter2/p@127.0.0.1/shop", "written %40")):
            done = subprocess.run([os.environ["INLENS_SHOP"], "--port", "0", "--db", address], capture_output=True, text=True,
                                  timeout=PATIENCE_S)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, rf"\Ainlens-shop: --db: .*{reason}.*\n\Z")
            self.assertNotIn("hunter2", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
