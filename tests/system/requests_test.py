"""What clients send the shop: odd requests that must not harm it, and secrets that must not be kept."""

import concurrent.futures
import json
import re
import unittest
import urllib.parse

from shop import TOKEN, Raw, Shop, ask


class OddRequests(unittest.TestCase):
    ODD = {
        "nothing": b"",
        "HTTP/0.9": b"GET /\r\n",
        "HTTP/0.9 without line end": b"GET /",
        "no target": b"GET\r\n\r\n",
        "truncated line": b"GET /prod",
        "truncated headers": b"GET /products HTTP/1.1\r\nHost: local",
        "truncated body": b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nuser=",
        "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64,
        "zeros": b"\x00" * 500,
        "no method": b" / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "unknown version": b"GET / HTTP/7.3\r\nHost: localhost\r\n\r\n",
        "long target": b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "long header": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
        "many headers": b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 5_000 + b"\r\n",
        "header without colon": b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
        "odd bytes in target": b"GET /\xff\xfe%00%ff HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "body larger than allowed": b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n",
        "wrong chunk": b"POST /login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "bad trace context": b"GET /empty HTTP/1.1\r\nHost: localhost\r\ntraceparent: 00-zz\r\nConnection: close\r\n\r\n",
    }

    def test_the_shop_survives_them_at_every_level(self):
        for level in ("off", "light", "standard", "full"):
            with Shop(level) as shop:
                for name, data in self.ODD.items():
                    with self.subTest(level=level, request=name), Raw(shop.port) as client:
                        client.send(data)
                        client.status()
                        self.assertTrue(shop.is_alive())
                self.assertEqual(shop.get("/empty")[0], 200)
                agent = shop.settled("agent", lambda a: a["queue"]["depth"] == 0)
                self.assertEqual(agent["hooks"]["caught"], 0)
                self.assertEqual(agent["lost"]["unpaired"], 0)
                self.assertEqual(shop.settled("overview", lambda o: o["requests"]["inflight"] == 0)["requests"]["inflight"], 0)
            self.assertEqual(shop.exit_code, 0)

    def test_a_request_without_host_is_recorded_without_one(self):
        with Shop("full") as shop:
            with Raw(shop.port) as client:
                client.send("GET /products HTTP/1.0\r\n\r\n")
                self.assertEqual(client.status(), 200)
            requests = shop.settled("requests", lambda r: r["total"] == 1)
            detail = shop.api("requests/" + requests["items"][0]["id"])
            self.assertEqual(detail["target"], "/products")
            self.assertEqual(detail["protocol"], "HTTP/1.0")
            self.assertFalse(detail["host"])


class Answers(unittest.TestCase):
    ASKED = [("GET", "/"), ("HEAD", "/"), ("GET", "/api/products"), ("GET", "/empty"), ("GET", "/stream"), ("GET", "/events?n=1"),
             ("GET", "/no-such-page"), ("GET", "/bug"), ("POST", "/login")]

    def test_every_kind_of_answer_names_its_request_which_is_found_by_that_name(self):
        with Shop("light", settings={"bar.enabled": True, "bar.allow": "loopback"}) as shop:
            for method, path in self.ASKED:
                with self.subTest(method=method, path=path):
                    status, headers, _ = ask(shop.port, method, path)
                    found = shop.settled("requests/" + headers["X-Inlens-Id"], lambda request: isinstance(request, dict))
                    self.assertEqual((found["method"], found["target"], found["status"]), (method, path, status))

    def test_pages_of_several_visitors_at_once_each_name_their_own_request(self):
        def visit(number):
            _, headers, body = ask(shop.port, "GET", f"/products?visitor={number}")
            return headers["X-Inlens-Id"], re.findall(rb'data-inlens-id="([0-9a-f]{32})"', body), f"/products?visitor={number}"

        with Shop("light", settings={"bar.enabled": True, "bar.allow": "loopback"}) as shop:
            with concurrent.futures.ThreadPoolExecutor(8) as visitors:
                seen = list(visitors.map(visit, range(64)))
            self.assertEqual(len({name for name, _, _ in seen}), len(seen))
            for name, in_page, target in seen:
                self.assertEqual(in_page, [name.encode()])
                found = shop.settled("requests/" + name, lambda request: isinstance(request, dict))
                self.assertEqual(found["target"], target)

    def test_a_page_in_pieces_goes_out_in_the_same_pieces_with_one_bar(self):
        def chunks(rest):
            while (line := rest.partition(b"\r\n"))[0] != b"0":
                size = int(line[0], 16)
                yield line[2][:size]
                rest = line[2][size + 2:]

        with Shop("light", settings={"bar.enabled": True, "bar.allow": "loopback"}) as shop, Raw(shop.port) as client:
            client.send("GET /stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            head, _, body = client.read_to_end().partition(b"\r\n\r\n")
            self.assertIn(b"\r\nX-Inlens-Id: ", head)
            pieces = list(chunks(body))
            items = [piece.count(b"<li>") for piece in pieces if b"<li>" in piece]
            self.assertGreater(len(items), 1)
            self.assertEqual(set(items), {1})
            self.assertEqual(b"".join(pieces).count(b"data-inlens-id="), 1)

    def test_an_answer_without_a_body_gets_none_and_names_its_request(self):
        with Shop("light", settings={"bar.enabled": True, "bar.allow": "loopback"}) as shop:
            tag = shop.get("/shop.css")[1]["ETag"]
            for status, path, extra in ((204, "/favicon.ico", ""), (304, "/shop.css", f"If-None-Match: {tag}\r\n")):
                with self.subTest(status=status), Raw(shop.port) as client:
                    client.send(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{extra}\r\n")
                    head, end, body = client.read_to_end().decode().partition("\r\n\r\n")
                    first, *lines = head.split("\r\n")
                    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
                    self.assertEqual((first.split()[1], end, body), (str(status), "\r\n\r\n", ""))
                    self.assertNotIn("transfer-encoding", headers)
                    self.assertNotIn("content-length", headers)
                    if status == 304:
                        self.assertEqual((headers["etag"], headers["cache-control"]), (tag, "no-cache"))
                    found = shop.settled("requests/" + headers["x-inlens-id"], lambda request: isinstance(request, dict))
                    self.assertEqual((found["target"], found["status"]), (path, status))
                    self.assertEqual(found["decorated"], {"bar": False, "reason": "status"})

    def test_an_event_stream_passes_as_it_is_and_is_seen_while_it_runs(self):
        with Shop("light", settings={"bar.enabled": True, "bar.allow": "loopback"}) as shop:
            _, headers, body = shop.get("/events?n=1")
            self.assertEqual(headers["Content-Type"], "text/event-stream")
            self.assertRegex(body, rb'\Aid: 1\ndata: \{"orders":\d+\}\n\n\Z')
            with Raw(shop.port) as client:
                client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                running = shop.settled("inflight", lambda inflight: inflight["total"] == 1)
                self.assertEqual([row["target"] for row in running["items"]], ["/events"])
            ended = shop.settled("inflight", lambda inflight: inflight["total"] == 0)
            self.assertEqual(ended["total"], 0)


class Secrets(unittest.TestCase):
    """Each secret is a word that appears nowhere else."""

    SECRETS = {
        "password": "correct-horse-4711",
        "authorization": "QWxhZGRpbjpvcGVuc2VzYW1l",
        "bearer": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
        "cookie": "session-cookie-8472093",
        "query": "token-in-the-query-55102",
        "api key": "key-in-a-header-90210",
        "url user": "user-info-31337",
    }

    def visit(self, shop):
        secrets = self.SECRETS
        form = urllib.parse.urlencode({"user": "demo", "password": secrets["password"]})
        form_type = {"Content-Type": "application/x-www-form-urlencoded"}
        headers = {
            "Cookie": f"shop_session={secrets['cookie']}; theme=dark",
            "Authorization": f"Basic {secrets['authorization']}",
            "X-Api-Key": secrets["api key"],
            "Referer": f"http://me:{secrets['url user']}@localhost/?password={secrets['password']}",
        }
        query = urllib.parse.urlencode({"token": secrets["query"], "password": secrets["password"], "page": 2})
        answers = [
            ask(shop.port, "POST", "/login", form_type | headers, form),
            ask(shop.port, "POST", "/login?" + query, form_type, form),
            ask(shop.port, "GET", "/login?" + query, headers),
            ask(shop.port, "GET", "/bug?" + query, headers),
            ask(shop.port, "GET", "/outgoing?" + query, headers),
            ask(shop.port, "GET", "/unique-error?" + query, {"Authorization": "Bearer " + secrets["bearer"]}),
            ask(shop.port, "GET", "/no-such-page?" + query, {"Authorization": "Bearer " + secrets["bearer"]}),
        ]
        good = urllib.parse.urlencode({"user": "demo", "password": "lens"})
        status, sent, _ = ask(shop.port, "POST", "/login", form_type, good)
        self.assertEqual(status, 303)
        session = sent["Set-Cookie"].split("=", 1)[1].split(";")[0]
        answers.append(ask(shop.port, "GET", "/", {"Cookie": "shop_session=" + session}))
        return len(answers) + 1, session

    def everything_that_is_told(self, shop):
        told = {path: shop.api(path) for path in ("overview", "requests?limit=200", "issues", "queries", "reports", "inflight",
                                                  "calls", "connections", "findings", "attached", "agent", "settings")}
        for row in told["requests?limit=200"]["items"]:
            told["request " + row["target"]] = shop.api("requests/" + row["id"])
        for row in told["issues"]["items"]:
            told["issue " + str(row["id"])] = shop.api("issues/" + str(row["id"]))
        return told

    def test_no_secret_of_a_visitor_or_of_the_console_is_told_anywhere(self):
        for level in ("light", "standard", "full"):
            with self.subTest(level=level), Shop(level) as shop:
                made, session = self.visit(shop)
                shop.settled("overview", lambda o: o["requests"]["total"] == made)
                told = self.everything_that_is_told(shop)
                self.assertGreaterEqual(len(told), 8 + made)
                secrets = {**self.SECRETS, "session": session, "console token": TOKEN}
                for name, secret in secrets.items():
                    for place, answer in told.items():
                        self.assertNotIsInstance(answer, int, place)
                        self.assertNotIn(secret, json.dumps(answer), f"{name} in {place}")
                    self.assertNotIn(secret, shop.log())


if __name__ == "__main__":
    unittest.main(verbosity=2)
