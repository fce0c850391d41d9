#!/usr/bin/env python3
"""SQLite under preload: counts, rows and failures of a program that uses it well, oddly and badly."""

import unittest

from support import LIBRARY, SQLITE_HOST, PreloadTest, run

TABLE = "create table t(a integer primary key, b text)"
INSERT, SELECT = "insert into t(b) values (?)", "select b from t where a = ?"


class Sqlite(PreloadTest):
    def seen(self, *mode, **options):
        report = self.same([SQLITE_HOST, *mode], "--level", "full", **options)
        self.assertEqual(report.lost(), {})
        self.assertEqual(report.totals()[0], sum(runs for runs, _, _ in report.statements().values()))
        return report.statements()

    def test_eight_threads_with_100_000_statements_each_are_exact(self):
        done, report = self.attached([SQLITE_HOST, "threads", "8", "100000"])
        self.assertEqual((done.returncode, done.stdout, report.lost()), (0, b"", {}))
        self.assertEqual(report.statements(), {TABLE: (8, 0, 0), INSERT: (400000, 400000, 0), SELECT: (400000, 400000, 0)})

    def test_several_threads_on_one_connection(self):
        statements = self.seen("shared", "4", "2000")
        self.assertEqual(statements.pop(INSERT)[::2], (4000, 0))  # rows changed: those of any thread
        self.assertEqual(statements.pop(SELECT)[::2], (4000, 0))
        self.assertEqual(statements, {TABLE: (1, 0, 0)})

    def test_a_long_result_is_one_statement_with_its_rows(self):
        self.assertEqual([*self.seen("rows", "100000").values()], [(1, 100000, 0)])

    def test_the_hosts_own_trace_callbacks_are_called_as_ever(self):
        self.assertEqual(self.seen("trace"), {TABLE: (1, 0, 0), INSERT: (20, 20, 0), SELECT: (20, 20, 0)})

    def test_statements_left_in_the_middle(self):
        self.assertEqual(self.seen("partial"), {
            TABLE: (1, 0, 0), INSERT: (1, 3, 0), "select a from t order by a": (2, 3, 0),
            "insert into t(b) values (?) returning a": (1, 2, 0), "select b from t": (1, 2, 0),
            "select ? union select ?": (1, 1, 0)})

    def test_scripts_show_their_statements_one_by_one(self):
        self.assertEqual(self.seen("scripts"), {
            TABLE: (1, 0, 0), INSERT: (3, 3, 0), "insert into nowhere values (?)": (1, 0, 1),
            "select a from t": (1, 3, 0), "update t set b = ? where a = ?": (3, 3, 0),
            "select b from t": (1, 1, 0), "select a, b from t": (1, 3, 0)})

    def test_failures_with_code_and_message(self):
        file = self.directory / "two.db"
        report = self.same([SQLITE_HOST, "failures", file], fresh=lambda: file.unlink(missing_ok=True))
        statements = report.statements()
        self.assertEqual(statements[INSERT], (2, 1, 1))
        self.assertEqual(statements["insert into t(a) values (?)"], (1, 0, 1))
        self.assertEqual(report.totals(), (7, 3))

    def test_texts_that_no_good_host_passes(self):
        statements = self.seen("texts")
        self.assertEqual(statements["select ?"], (2, 2, 0))  # of these, one ends at a NUL and one was UTF-16
        self.assertEqual(statements["select length(?"], (1, 1, 0))  # 10 MB, cut
        self.assertEqual(sum(failures for _, _, failures in statements.values()), 3)

    def test_exceptions_and_cancellation_pass_and_end_the_statement(self):
        self.assertEqual(self.seen("left"), {"select throws()": (1, 0, 1), "select waits()": (1, 0, 1), "select ?": (1, 1, 0)})

    def test_forked_children_have_their_own_figures(self):
        self.assertEqual(self.seen("children", "4"), {TABLE: (1, 0, 0)})
        self.assertEqual(len([*self.directory.glob("report.json.*")]), 2)  # those that left by exit()

    def test_other_allocators_in_front(self):
        for name in ("libjemalloc.so.2", "libtcmalloc_minimal.so.4"):
            allocator = "/usr/lib/x86_64-linux-gnu/" + name
            done, report = self.attached([SQLITE_HOST, "threads", "16", "100000"], environment={"LD_PRELOAD": allocator})
            self.assertEqual((done.returncode, report.lost()), (0, {}), done.stderr)
            self.assertEqual(report.statements(), {TABLE: (16, 0, 0), INSERT: (800000, 800000, 0),
                                                   SELECT: (800000, 800000, 0)})
            # And behind.
            done = run([SQLITE_HOST, "threads", "4", "100"], {"LD_PRELOAD": f"{LIBRARY}:{allocator}"})
            self.assertEqual((done.returncode, done.stdout), (0, b""))

    def test_a_hundred_starts(self):
        for _ in range(100):
            self.assertEqual(run([SQLITE_HOST, "threads", "4", "2"], {"LD_PRELOAD": LIBRARY}).returncode, 0)


if __name__ == "__main__":
    unittest.main()
