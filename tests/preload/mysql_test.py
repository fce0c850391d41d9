#!/usr/bin/env python3
"""Programs on libmariadb under libinlens-preload.so, against a real MariaDB server.

Each part of mysql_host runs once bare and once watched: output and status are equal, and what the console inside of it
shows is what the server counted.
"""

import os
import re
import subprocess
import sys
import unittest

import mariadb
from postgres import free_port
from watched import Watched, run_bare

HOST = os.environ["INLENS_MYSQL_HOST"]
SECRETS = (mariadb.PASSWORD, "wrong")

SCRIPT = """
import MySQLdb, MySQLdb.cursors, sys
connection = MySQLdb.connect(host="127.0.0.1", port=int(sys.argv[1]), user="lens", passwd="a-password-nobody-shows", db="shop")
cursor = connection.cursor()
cursor.execute("DROP TABLE IF EXISTS script_part")
cursor.execute("CREATE TABLE script_part (id INT PRIMARY KEY, name VARCHAR(40))")
print(cursor.executemany("INSERT INTO script_part (id, name) VALUES (%s, %s)", [(i, f"name {i}") for i in range(50)]))
connection.commit()
for key in range(7):
    cursor.execute("SELECT name FROM script_part WHERE id = %s", (key,))
    print(cursor.fetchall())
try:
    cursor.execute("SELECT * FROM nowhere")
except MySQLdb.Error as problem:
    print(problem)
streaming = connection.cursor(MySQLdb.cursors.SSCursor)
streaming.execute("SELECT id FROM script_part")
print(sum(row[0] for row in streaming))
streaming.close()
connection.rollback()
connection.close()
print("held", flush=True)
sys.stdin.read()
"""


def setUpModule():
    global server
    server = mariadb.Server()
    unittest.addModuleCleanup(server.__exit__)
    server.__enter__()


class Part(unittest.TestCase):
    maxDiff = None

    def both(self, *words, tables=()):
        """The part's spans and connections, and what the server did meanwhile; the bare run comes first."""
        command = [HOST, words[0], str(server.port), *words[1:]]
        return self.both_of(command, tables)

    def both_of(self, command, tables=()):
        bare = run_bare(command)
        for name in tables:
            server.ask(f"DROP {name}")
        before = server.commands()
        with Watched(command) as watched:
            self.records = watched.records()
            self.totals = watched.totals()
            self.queries = watched.settled("queries", lambda answer: answer["overall"]["runs"] == self.totals[0])
            self.connections = watched.api("connections")["items"]
            self.agent = watched.api("agent")
            self.attached = {row["name"]: row for row in watched.api("attached")["items"]}
            ended = watched.end()
        self.done = mariadb.done_between(before, server.commands())
        self.assertEqual(without_ids(bare), without_ids(ended))
        self.assertEqual(ended[0], 0, ended)
        for name in tables:
            server.ask(f"DROP {name}")
        shown = repr((self.records, self.queries, self.connections))
        for secret in SECRETS:
            self.assertNotIn(secret, shown)
        return [span["statement"] | span for record in self.records for span in record["spans"] if span["statement"]]

    def failures(self, spans):
        return [(span["text"], span["errorCode"]) for span in spans if span["failed"]]

    def rows_of(self, spans):
        return [(span["text"], span["rows"]) for span in spans]


def without_ids(ended):
    status, output, errors = ended
    return status, [line for line in output.splitlines() if not line.startswith("KILL ")], errors


class Statements(Part):
    def test_texts_rows_failures_and_transactions_are_those_of_the_server(self):
        spans = self.both("text", tables=["TABLE shop.text_part"])
        self.assertEqual(self.rows_of(spans), [
            ("create table text_part(id int primary key, name varchar(40))", 0),
            ("insert into text_part values (?)", 3),
            ("select id, name from text_part order by id", 3),
            ("update text_part set name = ? where id > ?", 2),
            ("select id from text_part where id > ?", 0),
            ("insert into text_part values (?)", 0),
            ("select * from no_such_table", 0),
            ("selekt ?", 0),
            ("set autocommit = ?", 0),
            ("delete from text_part where id = ?", 1),
            ("rollback", 0),
            ("delete from text_part where id = ?", 1),
            ("commit", 0),
            ("set autocommit = ?", 0),
            ("set names utf8mb4", 0),
            ("select ?, ? from text_part where name <> ?", 2),
            ("show tables", 1),
        ])
        self.assertEqual(self.failures(spans), [("insert into text_part values (?)", "1062 (23000)"),
                                                ("select * from no_such_table", "1146 (42S02)"),
                                                ("selekt ?", "1064 (42000)")])
        # A statement that cannot be parsed is none of the server's commands; a ping is none of ours.
        self.assertEqual(self.done, {"create_table": 1, "insert": 2, "select": 4, "update": 1, "set_option": 3,
                                     "delete": 2, "rollback": 1, "commit": 1, "show_tables": 1, "admin_commands": 1})
        self.assertEqual(self.totals, (17, 3))
        # As a function and line, or before it is looked up as an address in the program.
        self.assertTrue(all(re.search("mysql[-_]host", span["caller"]) for span in spans), spans)
        self.assertEqual({span["dialect"] for span in spans}, {"mysql"})
        self.assertEqual(self.attached["mysql"]["state"], "on")
        self.assertRegex(self.attached["mysql"]["detail"], r"^libmariadb 3\.")

    def test_a_statement_names_the_database_that_the_connection_is_on(self):
        spans = self.both("database")
        at = f"127.0.0.1:{server.port}/"
        self.assertEqual([(span["text"], span["database"]) for span in spans], [
            ("select database(), ?", at + "shop"),
            ("select database(), ?", at + "information_schema"),
            ("use shop", at + "information_schema"),
            ("select database(), ?", at + "shop"),
            ("select database(), ?", at + "information_schema"),
        ])
        self.assertEqual(self.done, {"select": 4, "change_db": 2, "admin_commands": 2})

    def test_multi_statements_are_one_row_with_the_rows_and_the_failure_of_all(self):
        spans = self.both("multi", tables=["PROCEDURE shop.two_sets"])
        self.assertEqual([(span["text"].split(" ")[0], span["rows"], span["errorCode"]) for span in spans],
                         [("select", 3, None), ("select", 1, "1146 (42S02)"), ("create", 0, None), ("call", 3, None),
                          ("set", 1, None)])
        self.assertEqual(self.totals, (5, 1))

    def test_rows_that_are_streamed_are_counted_and_timed_until_the_last(self):
        spans = self.both("use")
        self.assertEqual(self.rows_of(spans[:2]),
                         [("select seq from seq_1_to_1000", 1000), ("select seq, ? from seq_1_to_500", 10)])
        self.assertTrue(all(0 < span["readNs"] <= span["durationNs"] for span in spans[:2]), spans[:2])
        killed = spans[2]
        self.assertEqual(killed["errorCode"], "2013 (HY000)")
        self.assertTrue(5 <= killed["rows"] < 20000, killed)
        self.assertEqual([span["errorCode"] for span in spans[3:]], [None, None, "2014 (HY000)", "2014 (HY000)"])
        self.assertEqual(self.done, {"select": 4, "kill": 1})

    def test_a_statement_sent_ahead_lasts_until_its_answer(self):
        spans = self.both("send")
        self.assertEqual([(span["rows"], span["errorCode"]) for span in spans], [(1, None), (0, "1064 (42000)")])
        self.assertGreater(spans[0]["durationNs"], 200_000_000)

    def test_prepared_statements_have_their_text_at_every_execution(self):
        spans = self.both("prepared", tables=["TABLE shop.prepared_part"])
        inserts = [span for span in spans if span["text"] == "insert into prepared_part values (?)"]
        self.assertEqual([(span["rows"], span["errorCode"]) for span in inserts], [(1, None)] * 20 + [(0, "1062 (23000)")])
        self.assertEqual(self.rows_of(spans[22:]), [
            ("select id from prepared_part where id > ?", 15),
            ("select id from prepared_part where id > ?", 15),
            ("select id from prepared_part where id > ?", 1),
            ("select * from no_such_table_either", None),
            ("delete from prepared_part where id < ?", 3),
            ("select id from prepared_part order by id", 17),
        ])
        self.assertEqual(self.failures(spans[22:]), [("select * from no_such_table_either", "1146 (42S02)")])
        self.assertEqual(self.done["stmt_execute"], len(spans) - 2)  # the CREATE, and the one that was never prepared
        self.assertEqual(self.totals, (28, 2))

    def test_the_non_blocking_calls_are_not_seen_and_hide_no_other(self):
        spans = self.both("nonblocking")
        self.assertEqual(self.rows_of(spans), [("select ?", 1)] * 3)
        self.assertEqual(self.done, {"select": 4})

    def test_a_statement_of_ten_megabytes_passes(self):
        spans = self.both("big")
        self.assertEqual([(span["rows"], span["failed"]) for span in spans], [(1, False)])

    def test_a_thread_cancelled_inside_a_statement_ends_it(self):
        spans = self.both("cancel")
        cancelled = [span for span in spans if span["failed"]]
        self.assertEqual([span["text"] for span in cancelled], ["select sleep(?)"])
        self.assertIn("cancelled", cancelled[0]["errorMessage"])
        self.assertEqual([row["inUse"] for row in self.connections], [0])

    def test_statements_of_many_threads_are_counted_exactly(self):
        threads, each = 8, 5000
        self.both("threads", str(threads), str(each))
        self.assertEqual(self.agent["lost"]["poolEmpty"] + self.agent["lost"]["queueFull"], 0)
        self.assertEqual(self.totals, (threads * each, threads * each // 10))
        self.assertEqual(self.done, {"do": threads * each // 2, "select": threads * each // 2})
        # What a request's record had no room for is counted with the other statements.
        rows = threads * each * 2 * 4 // 10
        self.assertEqual(self.queries["overall"], self.queries["overall"] | {"runs": threads * each, "rows": rows})


class Connections(Part):
    def test_an_open_connection_is_counted_and_named_without_its_credentials(self):
        self.both("text", tables=["TABLE shop.text_part"])
        self.assertEqual([(row["kind"], row["target"], row["opened"], row["closed"], row["failed"])
                          for row in self.connections], [("mysql", f"127.0.0.1:{server.port}/shop", 1, 1, 0)])
        self.assertGreater(self.connections[0]["meanConnectNs"], 0)

    def test_attempts_that_fail_are_counted_where_they_were_to_lead(self):
        closed = free_port()
        spans = self.both("refused", str(closed))
        self.assertEqual({row["target"]: (row["opened"], row["failed"]) for row in self.connections},
                         {f"127.0.0.1:{server.port}/shop": (0, 1), f"127.0.0.1:{closed}/shop": (0, 1)})
        self.assertEqual([span["failed"] for span in spans], [True, True])


class Programs(Part):
    def test_a_python_script_shows_every_statement(self):
        spans = self.both_of([PYTHON, "-c", SCRIPT, str(server.port)])
        selects = [span["rows"] for span in spans if span["text"] == "select name from script_part where id = ?"]
        self.assertEqual(selects, [1] * 7)
        rows = {span["text"]: span["rows"] for span in spans}
        self.assertEqual(rows["insert into script_part(id, name) values (?)"], 50)
        self.assertEqual(rows["select id from script_part"], 50)
        self.assertEqual(self.failures(spans), [("select * from nowhere", "1146 (42S02)")])
        self.assertEqual(len(spans), sum(self.done.values()), (spans, self.done))

    def test_the_mariadb_client_runs_as_it_does_alone(self):
        command = [mariadb.program("mariadb"), "--no-defaults", "-h", "127.0.0.1", "-P", str(server.port), "-u", mariadb.USER,
                   f"-p{mariadb.PASSWORD}", "-t", "-v", "shop"]
        for script in ("SELECT 1, 'a';\nSHOW TABLES;\n", "SELECT 1;\nSELEKT 2;\nSELECT 3;\n", ""):
            with self.subTest(script):
                bare = run_bare(command, script)
                with_us = subprocess.run(command, input=script, capture_output=True, text=True,
                                         env={**os.environ, "LD_PRELOAD": os.environ["INLENS_PRELOAD"]})
                self.assertEqual(bare, (with_us.returncode, with_us.stdout, with_us.stderr))


PYTHON = next((path for path in ("/usr/bin/python3", sys.executable)
               if subprocess.run([path, "-c", "import MySQLdb"], capture_output=True).returncode == 0), None)

if __name__ == "__main__":
    unittest.main(verbosity=2)
