"""PostgreSQL under preload: psql, Python, PHP and C++ on a real server, and what Inlens says of their statements, held
against pg_stat_statements. The programs must not notice: output, errors and exit status are those of a bare run."""

import os
import re
import shutil
import textwrap
import unittest

from postgres import Server, programs
from watched import Watched, run_bare

PYTHON = "/usr/bin/python3"  # the one that Debian's python3-psycopg2 belongs to
HOST = os.environ["INLENS_POSTGRES_HOST"]
# Statements of each of 8 threads.
COUNT = int(os.environ.get("INLENS_PRELOAD_COUNT", "100000"))


def setUpModule():
    global server
    server = Server()
    unittest.addModuleCleanup(server.__exit__)
    server.__enter__()


def plain(text):
    """A statement's text in what the spellings of Inlens and of pg_stat_statements have in common."""
    text = re.sub(r"\s+", " ", re.sub(r"\$\d+|'[^']*'|\b\d+\b", "?", text)).strip().lower()
    return re.sub(r"\((\?, )+\?\)", "(?)", text.replace(" (", "(")).rstrip(";")


class PostgresTest(unittest.TestCase):
    maxDiff = None

    def watch(self, command, script=""):
        """Runs `command` bare and watched, each on a fresh database; leaves what was seen in the test."""
        command = [str(word) for word in command]
        server.database("shop")
        bare = run_bare(command, script)
        server.database("shop")
        with Watched(command, script) as program:
            self.statements = program.statements()
            self.runs, self.failures = program.totals()
            self.records = program.records()
            self.connections = {row["target"]: row for row in program.api("connections")["items"]}
            self.attached = {row["name"]: row for row in program.api("attached")["items"]}
            self.agent = program.api("agent")
            self.counted = server.counted("shop")
            self.assertEqual(program.end(), bare)
        self.assertEqual(bare[0], 0, bare)
        self.assertIn("held\n", bare[1])
        self.target = f"127.0.0.1:{server.port}/shop"
        self.assertEqual(self.attached["postgresql"]["state"], "on")
        self.assertRegex(self.attached["postgresql"]["detail"], r"^libpq \d+\.\d+")
        self.assertEqual(self.agent["hooks"]["caught"], 0)
        self.assertEqual(self.agent["lost"]["unpaired"], 0)
        # A password is in every connection string of these tests.
        self.assertNotIn("hunter2", repr([self.statements, self.records, self.connections]))

    def watch_host(self, *words):
        self.watch([HOST, server.conninfo("shop", password="hunter2"), *words])

    def row(self, text):
        self.assertIn(text, self.statements)
        row = self.statements[text]
        return row["runs"], row["failures"], row["rows"]

    def assert_counts_agree(self):
        """Calls and rows of what succeeded are the server's own."""
        calls = sum(calls for calls, _ in self.counted.values())
        self.assertGreater(calls, 0)
        self.assertEqual(self.runs - self.failures, calls, self.counted)
        self.assertEqual(sum(row["rows"] for row in self.statements.values()),
                         sum(rows for _, rows in self.counted.values()), (self.statements, self.counted))

    def assert_texts_agree(self):
        """The same for every text."""
        theirs = {}
        for text, (calls, rows) in self.counted.items():
            before = theirs.get(plain(text), (0, 0))
            theirs[plain(text)] = (before[0] + calls, before[1] + rows)
        ours = {plain(text): (row["runs"] - row["failures"], row["rows"]) for text, row in self.statements.items()
                if row["runs"] > row["failures"]}
        self.assertEqual(ours, theirs)

    def spans(self):
        return [span for record in self.records for span in record["spans"]]

    def failed(self):
        """(text, SQLSTATE, message) of every failed statement kept."""
        return [(span["statement"]["text"], span["statement"]["errorCode"], span["statement"]["errorMessage"])
                for span in self.spans() if span["statement"] and span["statement"]["failed"]]


class Programs(PostgresTest):
    def test_psql(self):
        self.watch([programs() / "psql", "-X", "-d", server.conninfo("shop", password="hunter2")], textwrap.dedent("""\
            SELECT * FROM things WHERE id <= 10;
            SELECT count(*) FROM things;
            BEGIN;
            UPDATE things SET size = 0 WHERE id < 5;
            SELECT nothing FROM nowhere;
            ROLLBACK;
            INSERT INTO things SELECT n, 1 FROM generate_series(2000, 2049) n;
            INSERT INTO things VALUES (1, 1);
            DELETE FROM things WHERE id >= 2000 RETURNING id;
            SET application_name = 'named';
            CREATE TEMP TABLE copied (id int);
            COPY copied FROM STDIN;
            1
            2
            3
            \\.
            COPY (SELECT id FROM copied) TO STDOUT;
            \\set FETCH_COUNT 4
            SELECT id FROM things WHERE id BETWEEN 21 AND 30;
            \\unset FETCH_COUNT
            \\! echo held
            """))
        self.assert_counts_agree()
        self.assert_texts_agree()
        self.assertEqual(self.row("select * from things where id <= ?"), (1, 0, 10))
        self.assertEqual(self.row("update things set size = ? where id < ?"), (1, 0, 4))
        self.assertEqual(self.row("copy copied from stdin"), (1, 0, 3))
        self.assertEqual(self.failures, 2)
        self.assertEqual({(code, text) for text, code, _ in self.failed()},
                         {("42P01", "select nothing from nowhere"), ("23505", "insert into things values (?)")})
        self.assertEqual(self.connections[self.target]["opened"], 1)
        self.assertEqual(self.connections[self.target]["failed"], 0)
        self.assertGreater(self.connections[self.target]["meanConnectNs"], 0)

    def test_psycopg2(self):
        script = textwrap.dedent("""\
            import io, sys
            import psycopg2
            connection = psycopg2.connect(sys.argv[1])
            cursor = connection.cursor()
            cursor.execute("SELECT id FROM things WHERE size = %s", (3,))
            print(len(cursor.fetchall()))
            for number in range(25):
                cursor.execute("SELECT size FROM things WHERE id = %s", (number + 1,))
                cursor.fetchone()
            cursor.executemany("INSERT INTO things VALUES (%s, %s)", [(3000 + n, n) for n in range(10)])
            connection.commit()
            try:
                cursor.execute("SELECT 1 / 0")
            except psycopg2.Error as error:
                print(error.pgcode)
            connection.rollback()
            with connection.cursor("on the server") as named:
                named.itersize = 300
                named.execute("SELECT id FROM things ORDER BY id LIMIT 700")
                print(sum(1 for row in named))
            cursor.copy_expert("COPY things FROM STDIN", io.StringIO("4000\\t1\\n4001\\t2\\n"))
            connection.rollback()
            connection.close()
            try:
                psycopg2.connect("host=127.0.0.1 port=1 dbname=closed user=nobody password=hunter2")
            except psycopg2.OperationalError:
                print("refused")
            print("held", flush=True)
            sys.stdin.read()
            """)
        self.watch([PYTHON, "-c", script, server.conninfo("shop", password="hunter2")])
        self.assert_counts_agree()
        self.assert_texts_agree()
        self.assertEqual(self.row("select size from things where id = ?"), (25, 0, 25))
        self.assertEqual(self.row("insert into things values (?)"), (10, 0, 10))
        self.assertEqual([(code, text) for text, code, _ in self.failed()], [("22012", "select ? / ?")])
        connection = self.connections[self.target]
        self.assertEqual((connection["opened"], connection["closed"], connection["open"], connection["inUse"]), (1, 1, 0, 0))
        self.assertEqual(self.connections["127.0.0.1:1/closed"]["failed"], 1)

    @unittest.skipUnless(shutil.which("php"), "php is not installed")
    def test_php(self):
        script = textwrap.dedent("""\
            $connection = pg_connect($argv[1]);
            echo pg_num_rows(pg_query($connection, "SELECT * FROM things WHERE size = 4")), "\\n";
            for ($i = 1; $i <= 8; $i++)
                pg_query_params($connection, 'SELECT size FROM things WHERE id = $1', [$i]);
            pg_prepare($connection, "by size", 'SELECT id FROM things WHERE size = $1');
            pg_execute($connection, "by size", [5]);
            var_dump(@pg_query($connection, "SELECT nothing"));
            pg_close($connection);
            $pdo = new PDO("pgsql:" . $argv[1]);
            $pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_SILENT);
            $statement = $pdo->prepare("SELECT id FROM things WHERE id > ?");
            foreach ([990, 995] as $id) {
                $statement->execute([$id]);
                echo count($statement->fetchAll()), "\\n";
            }
            $pdo->beginTransaction();
            echo $pdo->exec("UPDATE things SET size = 1 WHERE id <= 20"), "\\n";
            $pdo->rollBack();
            $pdo->query("SELECT wrong");
            echo $pdo->errorCode(), "\\n";
            echo "held\\n";
            fgets(STDIN);
            """)
        self.watch(["php", "-r", script, "--",
                    server.conninfo("shop", password="hunter2")])
        self.assert_counts_agree()
        self.assert_texts_agree()
        self.assertEqual(self.row("select size from things where id = ?"), (8, 0, 8))
        self.assertEqual(self.row("select id from things where size = ?"), (1, 0, 100))
        self.assertEqual(self.row("select id from things where id > ?"), (2, 0, 15))
        self.assertEqual([code for _, code, _ in self.failed()], ["42703", "42703"])


class Libpq(PostgresTest):
    def test_what_is_sent_and_answered_by_an_event_loop(self):
        self.watch_host("async")
        # The script of three statements is one here and three for the server.
        script = "select ?; select * from generate_series(?); update things set size = size"
        self.assertEqual(self.row(script), (1, 0, 1003))
        self.assertEqual(self.row("select * from generate_series(?)"), (1, 0, 30))
        self.assertEqual(self.row("select missing from things"), (1, 1, 0))
        # 'first', 'second' that was refused, 'unread' whose rows nobody saw, 'after unread'.
        self.assertEqual(self.row("select ?"), (4, 1, 2))
        self.assertEqual(self.failed(), [("select missing from things", "42703", 'column "?" does not exist'),
                                         ("select ?", None, "another command is already in progress")])
        self.assertEqual(self.connections[self.target]["inUse"], 0)

    def test_a_pipeline(self):
        self.watch_host("pipeline")
        self.assert_counts_agree()
        self.assertEqual(self.row("select generate_series(?, ?::int)"), (40, 0, 200))
        self.assertEqual(self.row("update things set size = size + ?::int"), (1, 0, 1000))
        self.assertEqual([(text, code) for text, code, _ in self.failed()],
                         [("select ? / ?::int", "22012"), ("select ?, ?::text", None)])
        # Each command's time begins where the one before it ended, so that together they are no more than the whole.
        together = sum(span["durationNs"] for span in self.spans() if span["statement"])
        self.assertLessEqual(together, sum(record["durationNs"] for record in self.records))

    def test_a_pipeline_longer_than_what_is_kept_apart_is_counted_and_reported(self):
        self.watch_host("long-pipeline")
        self.assertEqual(self.runs, 3002)
        self.assertIn("incomplete", self.attached["postgresql"]["detail"])
        self.assertEqual(self.connections[self.target]["inUse"], 0)

    def test_single_rows(self):
        self.watch_host("single-rows")
        self.assert_counts_agree()
        statement, = (span for span in self.spans() if span["statement"])
        self.assertEqual(statement["statement"]["rows"], 5000)
        self.assertGreater(statement["statement"]["readNs"], 0)
        self.assertLessEqual(statement["statement"]["readNs"], statement["durationNs"])

    def test_a_cancelled_statement(self):
        self.watch_host("cancel")
        self.assert_counts_agree()
        self.assertEqual([(text, code) for text, code, _ in self.failed()], [("select pg_sleep(?)", "57014")])

    def test_prepared_statements_are_shown_by_their_text(self):
        self.watch_host("prepared")
        self.assertEqual(self.row("select * from things where id = ?"), (21, 0, 21))
        self.assertEqual(self.row("select count(*) from things where size > ?"), (1, 0, 1))
        self.assertEqual(self.row("execute by_sql"), (1, 0, 1))
        self.assertEqual({(text, code) for text, code, _ in self.failed()},
                         {("describe", "26000"), ("select nothing from nowhere", "42P01"), ("select ?", "42P05"),
                          ("execute unknown", "26000")})
        names = [span["name"] for span in self.spans() if span["kind"] == "wait"]
        self.assertEqual(names.count("postgresql describe"), 3)

    def test_copy(self):
        self.watch_host("copy")
        self.assert_counts_agree()
        self.assertEqual(self.row("copy things(id, size) from stdin"), (3, 2, 100))
        self.assertEqual(self.row("copy(select * from generate_series(?)) to stdout"), (1, 0, 20000))
        self.assertEqual([code for _, code, _ in self.failed()], ["22P02", "57014"])

    def test_eight_threads_lose_nothing(self):
        self.watch_host("threads", COUNT)
        self.assertEqual(self.counted, {"SELECT $1": (8 * COUNT, 8 * COUNT)})
        self.assertEqual((self.runs, self.failures), (8 * COUNT, 0))
        connection = self.connections[self.target]
        self.assertEqual((connection["opened"], connection["closed"], connection["inUse"]), (8, 8, 0))

    def test_a_thread_cancelled_inside_a_query(self):
        self.watch_host("cancelled-thread")
        self.assertEqual(self.failed(), [("select pg_sleep(?), ?", None, "left by an exception, a jump or the end of its thread")])
        self.assertEqual(self.row("select ?"), (1, 0, 1))
        self.assertEqual(self.connections[self.target]["inUse"], 0)

    def test_a_notice_processor_that_throws(self):
        self.watch_host("throwing")
        self.assertEqual(self.row("do ?"), (3, 2, 0))
        self.assertEqual(self.row("select ?"), (1, 0, 1))
        self.assertEqual([(message["severity"], message["text"]) for record in self.records for message in record["messages"]],
                         [("warning", "WARNING: careful: password=***"), ("info", "NOTICE: by the way")])
        connection = self.connections[self.target]
        self.assertEqual((connection["opened"], connection["closed"], connection["inUse"]), (3, 3, 0))

    def test_a_notice_processor_that_jumps(self):
        self.watch_host("jumping")
        self.assertEqual(self.row("do ?"), (1, 1, 0))
        self.assertEqual(self.row("select ?"), (1, 0, 1))
        self.assertEqual(self.connections[self.target]["inUse"], 0)

    def test_a_notice_processor_that_uses_another_connection(self):
        self.watch_host("nested")
        self.assert_counts_agree()
        self.assertEqual(self.row("select ?"), (1, 0, 1))

    def test_a_connection_used_from_two_threads(self):
        self.watch_host("shared")
        self.assertEqual((self.runs, self.failures), (1002, 0))
        self.assertEqual(self.counted, {"SELECT $1": (1002, 1002)})
        self.assertIn("incomplete 1 time", self.attached["postgresql"]["detail"])

    def test_a_statement_of_ten_megabytes(self):
        self.watch_host("large")
        self.assert_counts_agree()

    def test_null_and_broken_input(self):
        self.watch_host("nothing")
        self.assertEqual((self.runs, self.failures), (7, 6))
        self.assertEqual([code for _, code, _ in self.failed() if code], ["22021"])
        self.assertIn(("select ?", None, "no connection to the server"), self.failed())

    def test_connections(self):
        self.watch_host("connections")
        self.assert_counts_agree()
        connection = self.connections[self.target]
        # Polled, reset, and three that are kept; a ping is none.
        self.assertEqual((connection["opened"], connection["closed"], connection["open"]), (5, 2, 3))
        self.assertEqual(self.connections["127.0.0.1:1/nowhere"]["failed"], 1)
        names = [span["name"] for span in self.spans() if span["kind"] == "connect"]
        self.assertEqual(names.count("postgresql " + self.target), 5)


class Levels(PostgresTest):
    def test_nothing_is_seen_at_level_off(self):
        server.database("shop")
        command = [HOST, server.conninfo("shop"), "prepared"]
        bare = run_bare(command)
        server.database("shop")
        with Watched(command, level="off") as program:
            self.assertEqual(program.totals(), (0, 0))
            self.assertEqual(program.api("queries")["items"], [])
            self.assertEqual(program.end(), bare)


if __name__ == "__main__":
    unittest.main()
