#!/usr/bin/env python3
"""Programs on libcurl under libinlens-preload.so, against an HTTP server on loopback, with and without TLS.

Each part of curl_host runs once bare and once watched: output and status are equal, and what the console inside of it
shows is what the server was asked.
"""

import http.server
import json
import os
import pathlib
import re
import ssl
import subprocess
import sys
import tempfile
import threading
import unittest

from postgres import PATIENCE_S, free_port
from watched import TOKEN, Watched, run_bare

HOST, MODULE = os.environ["INLENS_CURL_HOST"], os.environ["INLENS_CURL_MODULE"]
SECRET = "a-secret-in-the-address"

SCRIPT = """
import io, pycurl, sys
for path in ("/ok", "/missing", "/redirect"):
    body = io.BytesIO()
    curl = pycurl.Curl()
    curl.setopt(pycurl.URL, sys.argv[1] + path)
    curl.setopt(pycurl.FOLLOWLOCATION, True)
    curl.setopt(pycurl.WRITEDATA, body)
    curl.setopt(pycurl.HTTPHEADER, ["X-Of-The-Script: 1"])
    curl.perform()
    print(path, curl.getinfo(pycurl.RESPONSE_CODE), body.getvalue())
    curl.close()
try:
    curl = pycurl.Curl()
    curl.setopt(pycurl.URL, sys.argv[2])
    curl.perform()
except pycurl.error as problem:
    print(problem.args[0])
print("held", flush=True)
sys.stdin.read()
"""


class Kept:
    """A stream whose lines are kept as they came."""

    def __init__(self, stream):
        self.stream, self.lines = stream, []

    def readline(self, *size):
        self.lines.append(self.stream.readline(*size))
        return self.lines[-1]

    def __getattr__(self, name):
        return getattr(self.stream, name)


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    over = threading.Event()
    asked = []  # heads of all requests, as they came

    def setup(self):
        super().setup()
        self.rfile = Kept(self.rfile)

    def parse_request(self):
        parsed = super().parse_request()
        self.asked.append(b"".join(self.rfile.lines).decode())
        self.rfile.lines.clear()
        return parsed

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/redirect":
            self.answer(302, Location="/ok")
        elif path == "/hang":
            self.over.wait(PATIENCE_S)
            self.close_connection = True
        elif path == "/slow":
            self.over.wait(0.3)
            self.answer(200, b"slow")
        else:
            self.answer(200 if path == "/ok" else 404, b"hello" if path == "/ok" else b"no such page")

    do_HEAD = do_GET

    def do_POST(self):
        self.answer(201, self.rfile.read(int(self.headers["Content-Length"])))

    do_PATCH = do_POST

    def log_message(self, *_):
        pass


class HttpServer:
    """Started by `with`, on a free loopback port; `certificate` is a pair of files, or None for plain HTTP."""

    def __init__(self, certificate=None):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.server.daemon_threads = True
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        self.address = f"{'https' if certificate else 'http'}://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.server.serve_forever)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def setUpModule():
    global plain, secure, certificate
    directory = unittest.enterModuleContext(tempfile.TemporaryDirectory(prefix="inlens-curl-"))
    certificate, key = str(pathlib.Path(directory, "cert.pem")), str(pathlib.Path(directory, "key.pem"))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
                   check=True, capture_output=True)
    plain = unittest.enterModuleContext(HttpServer())
    secure = unittest.enterModuleContext(HttpServer((certificate, key)))
    unittest.addModuleCleanup(Answers.over.set)


class Programs(unittest.TestCase):
    maxDiff = None

    def both(self, command):
        """The calls of a watched run in the order of their ends; the bare run comes first."""
        bare = run_bare(command)
        with Watched(command) as watched:
            records = watched.records()
            self.servers = {row["server"]: row for row in watched.api("calls")["items"]}
            self.attached = {row["name"]: row for row in watched.api("attached")["items"]}
            ended = watched.end()
        self.assertEqual(bare, ended)
        self.assertEqual(ended[0], 0, ended)
        self.assertNotIn(SECRET, repr((records, self.servers)))
        return [span["call"] | span for record in records for span in record["spans"] if span["call"]]

    def host(self, part, server):
        return self.both([HOST, part, server.address, certificate, MODULE])

    def shown(self, calls, server):
        return [(call["method"], call["url"].removeprefix(server.address), call["status"], call["bytesIn"]) for call in calls]

    def test_method_address_status_and_bytes_are_what_was_asked_and_answered(self):
        for server in (plain, secure):
            with self.subTest(server.address):
                calls = self.host("easy", server)
                self.assertEqual([(method, url.split("?")[0], status, size)
                                  for method, url, status, size in self.shown(calls, server)],
                                 [("GET", "/ok", 200, 5), ("GET", "/missing", 404, 12), ("GET", "/redirect", 200, 5),
                                  ("POST", "/echo", 201, 12), ("POST", "/echo", 201, 12), ("PATCH", "/echo", 201, 12),
                                  ("HEAD", "/ok", 200, 0), ("GET", "/ok", 200, 5)])
                self.assertEqual([call["bytesOut"] for call in calls], [0, 0, 0, 12, 12, 12, 0, 0])
                self.assertFalse(any(call["failed"] for call in calls), calls)
                self.assertTrue(all(re.search("curl[-_]host", call["caller"]) for call in calls), calls)
                self.assertRegex(self.attached["curl"]["detail"], r"^libcurl/[0-9.]+ OpenSSL/")

    def test_the_first_transfer_connects_and_the_next_uses_its_connection(self):
        first, second = self.host("easy", secure)[:2]
        for phase in ("dnsNs", "connectNs", "tlsNs", "firstByteNs"):
            self.assertGreater(first[phase], 0, phase)
        self.assertLess(sum(first[phase] for phase in ("dnsNs", "connectNs", "tlsNs", "firstByteNs")), first["durationNs"])
        self.assertEqual([second[phase] for phase in ("dnsNs", "connectNs", "tlsNs")], [None, None, None])
        self.assertGreater(second["firstByteNs"], 0)

    def test_transfers_of_a_multi_handle_each_end_with_their_own_result(self):
        calls = self.host("multi", plain)
        self.assertEqual(sorted((call["url"].removeprefix(plain.address), call["status"], call["failed"]) for call in calls
                                if call["status"]),
                         [("/missing", 404, False), ("/ok", 200, False), ("/ok", 200, False), ("/ok?second=1", 200, False),
                          ("/slow", 200, False)])
        removed = [call for call in calls if not call["status"]]
        self.assertEqual([(call["url"].removeprefix(plain.address), call["failed"]) for call in removed], [("/hang", True)])
        slow = next(call for call in calls if call["url"].endswith("/slow"))
        self.assertGreater(slow["durationNs"], 250_000_000)
        self.assertGreater(slow["firstByteNs"], 250_000_000)

    def test_a_transfer_that_a_callback_of_another_starts_is_seen(self):
        calls = self.host("nested", plain)
        self.assertEqual(len(calls), 2, calls)

    def test_a_handle_of_one_libcurl_never_reaches_another_in_the_process(self):
        for part in ("flavours", "deep"):
            with self.subTest(part):
                calls = self.host(part, secure)
                self.assertEqual([call["status"] for call in calls], [200] * 6)
                self.assertIn("OpenSSL", self.attached["curl"]["detail"])
                self.assertIn("GnuTLS", self.attached["curl-gnutls"]["detail"])

    def test_a_python_script_shows_every_transfer(self):
        closed = free_port()
        calls = self.both([PYTHON, "-c", SCRIPT, plain.address, f"http://127.0.0.1:{closed}/"])
        self.assertEqual(self.shown(calls[:3], plain), [("GET", "/ok", 200, 5), ("GET", "/missing", 404, 12),
                                                        ("GET", "/redirect", 200, 5)])
        refused = calls[3]
        self.assertEqual((refused["failed"], refused["status"], refused["errorCode"]), (True, None, "7"))
        self.assertEqual(self.servers[f"http://127.0.0.1:{closed}"]["failures"], 1, self.servers)

    def test_the_curl_client_runs_as_it_does_alone(self):
        closed = f"http://127.0.0.1:{free_port()}/"
        tls = ["--cacert", certificate, secure.address + "/ok"]
        for words in ([plain.address + "/ok"], [plain.address + "/missing"], ["-f", plain.address + "/missing"],
                      ["-L", plain.address + "/redirect"], ["-d", "a=1", plain.address + "/echo"], ["-I", plain.address + "/ok"],
                      [closed], tls, [secure.address + "/ok"], ["--parallel", plain.address + "/ok", plain.address + "/slow"]):
            with self.subTest(words), tempfile.TemporaryDirectory() as directory:
                command = ["curl", "-sS", "--no-progress-meter", *words]
                bare = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
                report = pathlib.Path(directory, "report")
                seen = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S,
                                      env={**os.environ, "LD_PRELOAD": os.environ["INLENS_PRELOAD"], "INLENS_CONSOLE_PORT": "0",
                                           "INLENS_CONSOLE_TOKEN": TOKEN, "INLENS_REPORT": str(report)})
                self.assertEqual((bare.returncode, without_dates(bare.stdout), without_times(bare.stderr)),
                                 (seen.returncode, without_dates(seen.stdout), without_times(seen.stderr)))
                written = list(pathlib.Path(directory).glob("report*"))
                self.assertEqual(len(written), 1)
                calls = json.loads(written[0].read_text())["calls"]["items"]
                self.assertEqual(sum(row["calls"] for row in calls), 2 if "--parallel" in words else 1)
                self.assertEqual(sum(row["failures"] for row in calls), int(bare.returncode != 0))


class Head:
    """A request as the server got it."""

    def __init__(self, text):
        self.text = text
        first, *lines = text.split("\r\n")
        self.path = first.split(" ")[1]
        self.lines = [line for line in lines if line]

    def all(self, name):
        return [line.partition(":")[2].strip() for line in self.lines if line.lower().startswith(name.lower() + ":")]

    def trace(self):
        """Trace, parent and flags of the one traceparent, beside the one id of the request."""
        (traceparent,), (request,) = self.all("traceparent"), self.all("X-Inlens-Id")
        version, trace, parent, flags = traceparent.split("-")
        assert (version, len(trace), len(parent), len(request)) == ("00", 32, 16, 32), self.text
        return trace, parent, flags, request

    def without_trace(self):
        return [line for line in self.lines if not line.startswith(("traceparent:", "X-Inlens-Id:"))]


    def order(self):
        return self.path, self.without_trace()


def asked():
    """What the servers were asked since the last time."""
    heads = [Head(text) for text in Answers.asked]
    Answers.asked.clear()
    return heads


class TraceContext(unittest.TestCase):
    maxDiff = None
    ON = {"INLENS_CALLS_PROPAGATE": "1"}

    def setUp(self):
        asked()

    def bare(self, command):
        done = run_bare(command)
        self.assertEqual(done[0], 0, done)
        return done, asked()

    def assertOnlyAdded(self, bare, seen):
        """The host's own lines are the same in the same order."""
        self.assertEqual([(head.path, head.without_trace()) for head in seen], [(head.path, head.lines) for head in bare])

    def test_requests_are_the_same_to_the_byte_while_it_is_switched_off(self):
        for part in ("easy", "traced"):
            with self.subTest(part):
                command = [HOST, part, plain.address, certificate, MODULE]
                bare, heads = self.bare(command)
                with Watched(command) as watched:
                    self.assertEqual(watched.end(), bare)
                self.assertEqual(sorted(head.text for head in asked()), sorted(head.text for head in heads))

    def test_the_hosts_lists_stay_as_they_are_and_are_in_place_again_after_each_transfer(self):
        command = [HOST, "headers", plain.address, certificate]
        bare, heads = self.bare(command)
        with Watched(command, **self.ON) as watched:
            on = asked()
            ids = {record["id"] for record in watched.records()}
            detail = next(row["detail"] for row in watched.api("attached")["items"] if row["name"] == "curl")
            watched.change("calls.propagate", False)
            watched.process.stdin.write("\n")
            self.assertEqual(watched.end(), bare)
        off = asked()
        self.assertEqual([head.text for head in off], [head.text for head in heads[len(on):]])
        as_they_are = {"/ok?mine", "/ok?parts", "/ok?no-scheme", "/ok?signed", "/ok?unseen"}
        for head, alone in zip(on, heads):
            with self.subTest(head.path):
                self.assertEqual(head.path, alone.path)
                if head.path == "/ok?signed":
                    self.assertFalse(head.all("traceparent") + head.all("X-Inlens-Id"))
                elif head.path in as_they_are:
                    self.assertEqual(head.text, alone.text)
                else:
                    self.assertOnlyAdded([alone], [head])
                    trace, _, flags, request = head.trace()
                    self.assertEqual((trace, flags), (request, "01"))
                    self.assertIn(request, ids)
        added = [head for head in on if head.path not in as_they_are]
        self.assertEqual(len({head.trace()[1] for head in added}), len(added) - 1)  # the redirection is one call
        self.assertIn("; 4 calls sent no trace context", detail)

    def test_calls_continue_the_trace_of_their_request_also_under_a_multi_handle(self):
        for server in (plain, secure):
            with self.subTest(server.address):
                command = [HOST, "traced", server.address, certificate]
                bare, heads = self.bare(command)
                with Watched(command, **self.ON) as watched:
                    self.assertEqual(watched.end(), bare)
                seen = asked()
                self.assertOnlyAdded(sorted(heads, key=Head.order), sorted(seen, key=Head.order))
                within = [head for head in seen if head.path != "/ok?started"]
                self.assertEqual(len(within), 8)
                self.assertEqual({(trace, flags) for trace, _, flags, _ in map(Head.trace, within)},
                                 {("4bf92f3577b34da6a3ce929d0e0e4736", "00")})
                self.assertEqual(len({head.trace()[3] for head in within}), 1)
                self.assertEqual(len({head.trace()[1] for head in within}), 7)

    def test_each_libcurl_of_a_process_sends_it(self):
        for part in ("flavours", "deep"):
            with self.subTest(part):
                command = [HOST, part, secure.address, certificate, MODULE]
                bare, heads = self.bare(command)
                with Watched(command, **self.ON) as watched:
                    self.assertEqual(watched.end(), bare)
                seen = asked()
                self.assertOnlyAdded(heads, seen)
                self.assertEqual(len({head.trace()[1] for head in seen}), 6)

    def test_a_python_script_and_the_curl_client_send_it_beside_headers_of_their_own(self):
        client = ["curl", "-sSL", "-H", "X-Of-The-Script: 1", plain.address + "/redirect", "--next", "-sS", "-d", "a=1",
                  plain.address + "/echo"]
        closed = f"http://127.0.0.1:{free_port()}/"
        for command in (client, [PYTHON, "-c", SCRIPT, plain.address, closed]):
            with self.subTest(command[0]):
                bare, heads = self.bare(command)
                with Watched(command, **self.ON) as watched:
                    self.assertEqual(watched.end(), bare)
                seen = asked()
                self.assertOnlyAdded(heads, seen)
                self.assertTrue(all(head.trace()[0] == head.trace()[3] for head in seen))


def without_dates(output):
    return [line for line in output.splitlines() if not line.startswith("Date:")]


def without_times(errors):
    return [line.split(" after ")[0] for line in errors.splitlines()]


PYTHON = next((path for path in ("/usr/bin/python3", sys.executable)
               if subprocess.run([path, "-c", "import pycurl"], capture_output=True).returncode == 0), None)

if __name__ == "__main__":
    unittest.main(verbosity=2)
