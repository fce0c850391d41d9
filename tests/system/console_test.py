"""The console of a live shop and what strangers send it: each gets its refusal, the shop's visitors notice nothing."""

import json
import re
import threading
import time
import unittest

from shop import TOKEN, Raw, Shop, Visitors, ask

BEARER = {"Authorization": "Bearer " + TOKEN}
OVERVIEW = "/~inlens/api/overview"


def request(path, *lines, method="GET", host="localhost"):
    return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {host}", *lines, "", ""])


class Console(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shop = Shop("light").__enter__()
        cls.port = cls.shop.console_port
        cls.visitors = Visitors(cls.shop.port, ["/empty", "/", "/products"], 2).__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.visitors.__exit__()
        failures, answers = cls.visitors.failures, cls.visitors.answers
        cls.shop.__exit__()
        if failures or answers == 0 or cls.shop.exit_code != 0:
            raise AssertionError(f"the shop: {answers} answers, {failures[:5]}, exit code {cls.shop.exit_code}")

    def tearDown(self):
        self.assertIsInstance(self.shop.api("overview"), dict)  # still answers

    def status_of(self, data):
        with Raw(self.port) as client:
            client.send(data)
            return client.status()

    def test_headers_beyond_64_kilobytes_are_refused(self):
        self.assertEqual(self.status_of(request(OVERVIEW, "X-Long: " + "x" * 70_000)), 431)
        self.assertEqual(self.status_of(request("/~inlens/" + "x" * 70_000)), 431)

    def test_a_body_beyond_a_megabyte_is_refused(self):
        head = request("/~inlens/api/session", "Content-Length: 1048577", method="POST")
        self.assertEqual(self.status_of(head), 413)
        chunked = request("/~inlens/api/session", "Transfer-Encoding: chunked", method="POST")
        self.assertEqual(self.status_of(chunked + "200000\r\n" + "x" * 0x200000), 413)

    def test_what_is_no_http_is_refused(self):
        for data in (b"\x16\x03\x01\x02\x00\x01\x00", b"\x00" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n\r\n\r\n",
                     b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                     b"POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"):
            with self.subTest(data=data):
                self.assertIn(self.status_of(data), (0, 400))

    def test_clients_that_dawdle_keep_nobody_waiting(self):
        ended = threading.Event()

        def dawdle():
            with Raw(self.port) as client:
                for byte in request(OVERVIEW, *(f"{name}: {value}" for name, value in BEARER.items())):
                    if not client.send(byte) or ended.wait(1):
                        return

        threads = [threading.Thread(target=dawdle) for _ in range(20)]
        for thread in threads:
            thread.start()
        before = self.shop.api("overview")["requests"]["total"]
        for _ in range(50):
            self.assertIsInstance(self.shop.api("overview"), dict)
        self.assertTrue(all(thread.is_alive() for thread in threads))
        self.shop.settled("overview", lambda o: o["requests"]["total"] > before)
        ended.set()
        for thread in threads:
            thread.join()

    def test_six_hundred_connections_keep_neither_shop_nor_console_from_answering(self):
        idle = [Raw(self.port) for _ in range(600)]
        for number, client in enumerate(idle):
            if number % 2:
                client.send("GET /~inlens/ HTTP/1.1\r\nHo")
        self.assertIsInstance(self.shop.api("overview"), dict)
        self.assertEqual(self.shop.get("/empty")[0], 200)
        for client in idle:
            client.socket.close()

    def test_without_the_token_nothing_is_told(self):
        for path in ("overview", "requests", "agent", "settings", "no-such-thing"):
            for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic " + TOKEN},
                            {"Authorization": "Bearer " + TOKEN + "x"}, {"Cookie": "inlens_9790=" + TOKEN}):
                if "Authorization" in headers and path != "overview":
                    continue  # a few wrong ones only: more would lock this address out
                with self.subTest(path=path, headers=headers):
                    status, _, body = ask(self.port, "GET", "/~inlens/api/" + path, headers)
                    self.assertEqual(status, 401)
                    self.assertEqual(json.loads(body)["error"]["code"], "unauthorized")

    def test_each_request_of_a_connection_shows_its_own_token(self):
        bearer = "Authorization: Bearer " + TOKEN
        with Raw(self.port) as client:
            client.send(request(OVERVIEW, bearer) + request(OVERVIEW) + request(OVERVIEW, bearer, "Connection: close"))
            statuses = re.findall(rb"HTTP/1\.1 (\d+)", client.read_to_end())
        self.assertEqual(statuses, [b"200", b"401", b"200"])

    def test_a_foreign_host_or_origin_is_refused(self):
        for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "8.8.8.8"):
            with self.subTest(host=host):
                self.assertEqual(ask(self.port, "GET", OVERVIEW, {**BEARER, "Host": host})[0], 403)
        for origin in ("http://evil.example", "null", "http://localhost", "http://localhost:1"):
            with self.subTest(origin=origin):
                headers = {**BEARER, "Origin": origin, "Host": f"localhost:{self.port}"}
                self.assertEqual(ask(self.port, "GET", OVERVIEW, headers)[0], 403)
        self.assertEqual(self.status_of("GET /~inlens/ HTTP/1.1\r\n\r\n"), 400)  # without Host

    def test_a_change_from_elsewhere_is_refused_and_changes_nothing(self):
        path, body = "/~inlens/api/settings/collect.level", b'{"value": "full"}'
        self.assertEqual(ask(self.port, "PUT", path, {}, body)[0], 401)
        self.assertEqual(ask(self.port, "PUT", path, {**BEARER, "Origin": "http://evil.example"}, body)[0], 403)
        self.assertEqual(ask(self.port, "GET", path, BEARER)[0], 405)
        self.assertEqual(ask(self.port, "POST", path, BEARER, body)[0], 405)
        self.assertEqual(self.shop.api("agent")["level"], "light")

    def test_an_id_that_is_no_longer_kept_is_not_found_and_says_why(self):
        status, _, body = ask(self.port, "GET", "/~inlens/api/requests/" + "0" * 31 + "1", BEARER)
        self.assertEqual(status, 404)
        self.assertIn("recycled", json.loads(body)["error"]["message"])
        status, _, body = ask(self.port, "GET", "/~inlens/api/issues/4711", BEARER)
        self.assertEqual(status, 404)
        for nonsense in ("x", "..%2f..%2fetc%2fpasswd", "0" * 33, "%00"):
            with self.subTest(id=nonsense):
                self.assertIn(ask(self.port, "GET", "/~inlens/api/requests/" + nonsense, BEARER)[0], (400, 404))

    def test_the_one_time_link_works_once_and_its_session_changes_nothing_without_its_key(self):
        def sign_in(secret):
            return ask(self.port, "POST", "/~inlens/api/session", {"Content-Type": "application/json"},
                       json.dumps({"once": secret}))

        self.assertEqual(sign_in("guess")[0], 401)
        secret = self.shop.link.split("#once=")[1]
        status, headers, body = sign_in(secret)
        self.assertEqual(status, 200)
        self.assertEqual(sign_in(secret)[0], 401)
        field = headers["Set-Cookie"]
        self.assertIn("HttpOnly", field)
        self.assertIn("SameSite=Strict", field)

        own = f"http://localhost:{self.port}"
        session = {"Cookie": field.split(";")[0], "Host": f"localhost:{self.port}"}
        self.assertEqual(ask(self.port, "GET", OVERVIEW, session)[0], 200)
        path, change = "/~inlens/api/settings/thresholds.slowRequestMs", b'{"value": 999}'
        key = {"X-Inlens-Csrf": json.loads(body)["csrf"]}
        for headers in (session, session | key, session | {"Origin": own}, session | key | {"Origin": "http://evil.example"}):
            with self.subTest(headers=headers):
                self.assertEqual(ask(self.port, "PUT", path, headers, change)[0], 403)
        self.assertEqual(ask(self.port, "PUT", path, session | key | {"Origin": own}, change)[0], 200)


class LockOut(unittest.TestCase):
    def test_guessing_tokens_locks_the_guesser_out(self):
        with Shop("light") as shop:
            statuses = [ask(shop.console_port, "GET", OVERVIEW, {"Authorization": f"Bearer guess-{number}"})[0]
                        for number in range(200)]
            print(f"locked out after {statuses.index(429) if 429 in statuses else None} guesses")
            self.assertIn(429, statuses)
            self.assertLessEqual(set(statuses), {401, 429})
            self.assertEqual(shop.get("/empty")[0], 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
