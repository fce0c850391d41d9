#!/usr/bin/env python3
"""Programs from Debian that were never told of Inlens: sqlite3, Python's sqlite3 module, PHP's pdo_sqlite and SQLite3."""

import unittest

from support import PreloadTest

SHELL = """\
create table t(a integer primary key, b text);
insert into t(b) values ('x'), ('y'), ('z');
begin;
update t set b = 'u' where a > 1;
commit;
select * from t;
insert into t(a) values (1);
selec 1;
"""

PYTHON = """\
import sqlite3, sys, threading
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute("pragma synchronous = off")
c.execute("create table t(a integer primary key, b text)")
c.executemany("insert into t(b) values (?)", [(str(i),) for i in range(1000)])
for (a,) in c.execute("select a from t"):
    c.execute("update t set b = b || 'x' where a = ?", (a,))
for sql in ("insert into t(a) values (1)", "selec", "select * from nowhere"):
    try:
        c.execute(sql)
    except sqlite3.Error as error:
        print(type(error).__name__, error)
c.create_function("twice", 1, lambda x: 2 * x)
c.set_trace_callback(lambda text: print("traced", text))
print(c.execute("select twice(sum(a)) from t").fetchall())
c.set_trace_callback(None)
print(c.execute("select b from t limit 2").fetchall())
c.executescript("create table u(x); drop table u;")
def work():
    with sqlite3.connect(":memory:", isolation_level=None) as own:
        for _ in range(100):
            own.execute("select 1").fetchall()
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
sys.exit(7)
"""

PHP = """\
<?php
$db = new PDO('sqlite::memory:');
$db->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_SILENT);
$db->exec('create table t(a integer primary key, b text)');
$insert = $db->prepare('insert into t(b) values (?)');
for ($i = 0; $i < 500; ++$i) $insert->execute([$i]);
$db->beginTransaction();
print_r($db->query('select count(*) from t')->fetchAll(PDO::FETCH_NUM));
$db->rollBack();
var_dump($db->exec('insert into t(a) values (1)'), $db->errorInfo());
foreach ($db->query('select a from t limit 3') as $row) echo $row[0], "\\n";
$other = new SQLite3(':memory:');
var_dump($other->querySingle('select 41 + 1'), @$other->exec('nonsense'));
exit(9);
"""


class Programs(PreloadTest):
    def setUp(self):
        super().setUp()
        self.file = self.directory / "data.db"

    def fresh(self):
        self.file.unlink(missing_ok=True)

    def test_the_sqlite3_program(self):
        report = self.same(["sqlite3", self.file], stdin=SHELL.encode(), fresh=self.fresh)
        self.assertEqual(report.lost(), {})
        statements = report.statements()
        expected = {"create table t(a integer primary key, b text)": (1, 0, 0), "begin": (1, 0, 0), "commit": (1, 0, 0),
                    "insert into t(b) values (?)": (1, 3, 0), "update t set b = ? where a > ?": (1, 2, 0),
                    "select * from t": (1, 3, 0), "insert into t(a) values (?)": (1, 0, 1), "selec ?": (1, 0, 1)}
        self.assertEqual({text: statements.get(text) for text in expected}, expected)

    def test_python(self):
        script = self.directory / "script.py"
        script.write_text(PYTHON)
        report = self.same(["/usr/bin/python3", script, self.file], fresh=self.fresh)
        self.assertEqual(report.lost(), {})
        self.assertEqual(report.statements(), {
            "pragma synchronous = off": (1, 0, 0),
            "create table t(a integer primary key, b text)": (1, 0, 0), "insert into t(b) values (?)": (1000, 1000, 0),
            "select a from t": (1, 1000, 0), "update t set b = b || ? where a = ?": (1000, 1000, 0),
            "insert into t(a) values (?)": (1, 0, 1), "selec": (1, 0, 1), "select * from nowhere": (1, 0, 1),
            "select twice(sum(a)) from t": (1, 1, 0), "select b from t limit ?": (1, 2, 0),
            "create table u(x)": (1, 0, 0), "drop table u": (1, 0, 0), "select ?": (800, 800, 0)})

    def test_php(self):
        script = self.directory / "script.php"
        script.write_text(PHP)
        report = self.same(["php", "-d", "display_errors=stderr", script])
        self.assertEqual(report.lost(), {})
        statements = report.statements()
        expected = {"create table t(a integer primary key, b text)": (1, 0, 0), "insert into t(b) values (?)": (500, 500, 0),
                    "begin": (1, 0, 0), "rollback": (1, 0, 0), "select count(*) from t": (1, 1, 0),
                    "insert into t(a) values (?)": (1, 0, 1), "select a from t limit ?": (1, 3, 0),
                    "select ? + ?": (1, 1, 0), "nonsense": (1, 0, 1)}
        self.assertEqual({text: statements.get(text) for text in expected}, expected)


if __name__ == "__main__":
    unittest.main()
