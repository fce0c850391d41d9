#!/usr/bin/env python3
"""The launcher: what it keeps of a program, what it says, what it leaves alone."""

import os
import pathlib
import shutil
import signal
import stat
import struct
import subprocess
import unittest

from support import ENVIRONMENT, LAUNCHER, LIBRARY, SQLITE_HOST, STATIC_HOST, PreloadTest, Report, run

SHOW_PRELOAD = ["sh", "-c", 'echo "$LD_PRELOAD"']


class Launcher(PreloadTest):
    def script(self, name, text, mode=0o755):
        path = self.directory / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def test_arguments_and_input_and_status_are_the_programs_own(self):
        odd = ["", " ", "--level", "-x", "a\nb", "ü"]
        program = ["sh", "-c", 'printf "%s|" "$0" "$@"; cat; echo aside >&2; exit 42', *odd]
        bare, seen = run(program, stdin=b"given\0"), run([LAUNCHER, "run", *program], stdin=b"given\0")
        self.assertEqual((seen.returncode, seen.stdout, seen.stderr), (42, bare.stdout, bare.stderr))

    def test_a_signal_ends_the_program_itself(self):
        self.assertEqual(run([LAUNCHER, "run", SQLITE_HOST, "signal"]).returncode, -signal.SIGTERM)
        process = subprocess.Popen([LAUNCHER, "run", "sleep", "60"], env=ENVIRONMENT)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), -signal.SIGINT)

    def test_what_is_preloaded_already_stays_in_front_and_in_order(self):
        before = self.directory / "before.so"
        shutil.copy("/usr/lib/x86_64-linux-gnu/libjemalloc.so.2", before)
        given = f"{before}:/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4"
        done = run([LAUNCHER, "run", *SHOW_PRELOAD], {"LD_PRELOAD": given})
        self.assertEqual(done.stdout.decode().strip(), f"{given}:{LIBRARY}")
        twice = run([LAUNCHER, "run", LAUNCHER, "run", *SHOW_PRELOAD])
        self.assertEqual(twice.stdout.decode().strip(), LIBRARY)

    def test_no_children_leaves_their_environment_as_it_was(self):
        program = ["python3", "-c", "import os; print(sorted(k for k in os.environ if k != 'LC_CTYPE'), "
                   "os.environ.get('LD_PRELOAD'), 'inlens-preload' in open('/proc/self/maps').read())"]
        def done(preload):
            return run([LAUNCHER, "run", "--no-children", *program], preload).stdout.decode()
        self.assertIn("None True", done({}))
        self.assertNotIn("INLENS_NO_CHILDREN", done({}))
        other = "/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4"
        self.assertIn(f"{other} True", done({"LD_PRELOAD": other}))
        child = run([LAUNCHER, "run", "--no-children", "sh", "-c", "grep -c inlens-preload /proc/self/maps; true"])
        self.assertEqual(child.stdout.strip(), b"0")
        child = run([LAUNCHER, "run", "sh", "-c", "grep -c inlens-preload /proc/self/maps; true"])
        self.assertNotEqual(child.stdout.strip(), b"0")

    def test_every_process_has_a_report_of_its_own(self):
        done, report = self.attached(["bash", "-c", "sqlite3 :memory: 'select 1'; sqlite3 :memory: 'select 2'; exit 5"])
        self.assertEqual((done.returncode, done.stdout), (5, b"1\n2\n"))
        self.assertEqual([*report.json], ["pid"])  # the shell's: it used nothing that can be seen
        others = [Report(path) for path in self.directory.glob("report.json.*")]
        self.assertEqual([other.statements() for other in others], [{"select ?": (1, 1, 0)}] * 2)

    def test_a_static_program_runs_and_one_line_says_that_it_is_not_seen(self):
        done = run([LAUNCHER, "run", STATIC_HOST, "one", "two"])
        self.assertEqual((done.returncode, done.stdout), (3, b"one\ntwo\n"))
        self.assertEqual(done.stderr.decode().splitlines(),
                         [f"inlens: {STATIC_HOST} cannot be attached: it is statically linked. It runs unseen."])

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a file to somebody else")
    def test_a_setuid_program_runs_and_one_line_says_that_it_is_not_seen(self):
        program = self.directory / "setuid"
        shutil.copy(SQLITE_HOST, program)
        self.directory.chmod(0o755)
        for mode, word in ((stat.S_ISUID, "setuid"), (stat.S_ISGID, "setgid")):
            os.chown(program, 65534, 65534)
            program.chmod(0o755 | mode)
            bare, done = run([program, "trace"]), run([LAUNCHER, "run", program, "trace"])
            self.assertEqual((done.returncode, done.stdout), (0, bare.stdout))
            self.assertRegex(done.stderr.decode(), rf"\Ainlens: \S*/setuid cannot be attached: it is {word}, .*\n\Z")

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a file capabilities")
    def test_a_program_with_capabilities_runs_and_one_line_says_that_it_is_not_seen(self):
        self.directory.chmod(0o755)
        program = self.directory / "capable"
        shutil.copy(SQLITE_HOST, program)
        program.chmod(0o755)
        # Where nobody may read, unlike perhaps the build directory.
        launcher, library = self.directory / "inlens", self.directory / "libinlens-preload.so"
        shutil.copy(LAUNCHER, launcher)
        shutil.copy(LIBRARY, library)
        # Version 2, effective: cap_net_bind_service.
        os.setxattr(program, "security.capability", struct.pack("<5I", 0x02000001, 1 << 10, 0, 0, 0))
        nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        bare, done = run([*nobody, program, "trace"]), run(
            [*nobody, launcher, "run", program, "trace"], {"INLENS_PRELOAD_LIBRARY": str(library)})
        self.assertEqual((done.returncode, done.stdout), (0, bare.stdout))
        self.assertRegex(done.stderr.decode(), r"\Ainlens: \S*/capable cannot be attached: its file has capabilities, .*\n\Z")

    def test_a_program_of_another_architecture_is_not_given_our_library(self):
        foreign = bytearray(pathlib.Path(STATIC_HOST).read_bytes())
        foreign[18:20] = (183).to_bytes(2, "little")  # AArch64
        program = self.directory / "foreign"
        program.write_bytes(foreign)
        program.chmod(0o755)
        bare, done = run(["env", program]), run([LAUNCHER, "run", program])  # both end as execvp() has it
        self.assertEqual(done.returncode, bare.returncode)
        self.assertTrue(done.stderr.decode(errors="replace").startswith(
            f"inlens: {program} cannot be attached: it is for another architecture. It runs unseen.\n"))

    def test_of_a_script_its_interpreter_counts(self):
        fine = self.script("fine", "#!/usr/bin/env sh\necho \"$LD_PRELOAD\"\n")
        self.assertEqual(run([LAUNCHER, "run", fine]).stdout.decode().strip(), LIBRARY)
        plain = self.script("plain", "echo \"$LD_PRELOAD\"\n")  # no interpreter: the shell's
        self.assertEqual(run([LAUNCHER, "run", plain]).stdout.decode().strip(), LIBRARY)
        static = self.script("static", f"#!{STATIC_HOST} argument\n")
        done = run([LAUNCHER, "run", static])
        self.assertEqual((done.returncode, done.stdout.decode()), (3, f"argument\n{static}\n"))
        self.assertIn(f"{static}, run by {STATIC_HOST}, cannot be attached", done.stderr.decode())

    def test_programs_that_cannot_be_run_end_as_in_a_shell(self):
        missing = run([LAUNCHER, "run", "no-such-program"])
        self.assertEqual((missing.returncode, missing.stderr), (127, b"inlens: no-such-program: No such file or directory\n"))
        self.assertEqual(run([LAUNCHER, "run", self.directory]).returncode, 126)

    def test_wrong_use_is_explained(self):
        for wrong in (["run"], ["run", "--level", "loud", "true"], ["run", "--level"], ["run", "--what", "true"],
                      ["walk"], [], ["doctor"]):
            done = run([LAUNCHER, *wrong])
            self.assertEqual((done.returncode, done.stdout), (125, b""), wrong)
            self.assertIn(b"usage: inlens run", done.stderr)
        for asked in (["--help"], ["run", "--help"], ["doctor", "-h"]):
            done = run([LAUNCHER, *asked])
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertIn(b"usage: inlens run", done.stdout)

    def test_settings_and_reports_that_cannot_be_are_told_and_the_program_runs(self):
        broken = self.directory / "broken.json"
        broken.write_text("{")
        missing = self.directory / "no-such-directory" / "file"
        for option, file, words in (("--config", broken, "it is not a JSON object. Nothing will be recorded."),
                                    ("--config", missing, "No such file or directory. Nothing will be recorded."),
                                    ("--report", missing, "No such file or directory. There will be no report.")):
            done = run([LAUNCHER, "run", option, file, "--", "echo", "works"])
            self.assertEqual((done.returncode, done.stdout), (0, b"works\n"))
            self.assertEqual(done.stderr.decode(), f"inlens: {option} {file}: {words}\n")

    def test_level_and_settings_reach_the_agent(self):
        config = self.directory / "inlens.json"
        config.write_text('{"server.release": "from the file", "console": {"token": "a-token-of-the-file-0123456789"}}')
        _, report = self.attached(["sqlite3", ":memory:", "select 1"], "--level", "standard", "--config", config)
        server = report.json["overview"]["server"]
        self.assertEqual((server["release"], server["level"]), ("from the file", "standard"))
        done, report = self.attached(["sqlite3", ":memory:", "select 1"], "--level=off")
        self.assertEqual((done.stdout, report.totals()), (b"1\n", (0, 0)))

    def test_without_a_console_there_is_nothing_to_report(self):
        done, report = self.attached(["sqlite3", ":memory:", "select 1"], environment={"INLENS_CONSOLE_ENABLED": "false"})
        self.assertEqual((done.returncode, done.stdout, [*report.json]), (0, b"1\n", ["pid"]))


class Doctor(PreloadTest):
    def lines(self, program, status=0):
        done = run([LAUNCHER, "doctor", program])
        self.assertEqual((done.returncode, done.stderr), (status, b""))
        rows = (line.split(None, 1) for line in done.stdout.decode().splitlines() if line.startswith("  "))
        return dict(row for row in rows if len(row) == 2)

    def test_it_tells_what_would_be_seen(self):
        seen = self.lines("sqlite3")
        self.assertEqual(seen["attach"], "yes")
        self.assertRegex(seen["sqlite"], r"^yes: \S*libsqlite3\.so\.0, \d{2,} functions of it are called$")
        self.assertIn("not linked", seen["postgresql"])
        self.assertIn("libc.so.6", seen)
        self.assertEqual(self.lines(SQLITE_HOST)["debug"].split(None, 1)[1], "in the file")

    def test_it_tells_what_would_not_and_why(self):
        static = self.lines(STATIC_HOST, 1)
        self.assertEqual(static["attach"], "no: it is statically linked")
        self.assertEqual(static["sqlite"], "no: not linked")
        self.assertEqual(run([LAUNCHER, "doctor", "no-such-program"]).returncode, 127)

    def test_damaged_files_are_no_danger(self):
        whole = pathlib.Path(SQLITE_HOST).read_bytes()
        damaged = self.directory / "damaged"
        def check(content):
            damaged.write_bytes(content)
            damaged.chmod(0o755)
            self.assertIn(run([LAUNCHER, "doctor", damaged]).returncode, (0, 1))
        for size in (0, 3, 16, 63, 64, 100, 1000, len(whole) // 2, len(whole) - 1):
            check(whole[:size])
        for at in range(16, 64, 2):  # every field of the header after the identification
            check(whole[:at] + b"\xff\xff" + whole[at + 2:])
        for at in range(64, 64 + 56 * 12, 8):  # every field of the segments
            check(whole[:at] + b"\xff" * 8 + whole[at + 8:])


if __name__ == "__main__":
    unittest.main()
