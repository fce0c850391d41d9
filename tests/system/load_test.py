"""A shop under load: nothing fails, nothing is lost, and the console's totals are the clients' own counts."""

import pathlib
import threading
import time
import unittest

from shop import LOAD_SECONDS, Shop, Visitors, milliseconds_of, wrk

CLIENTS = 64
# Every page that is not a failure or a delay by intention; the one that computes for 50 ms is rare.
PAGES = ["/", "/products", "/products/3", "/orders", "/checkout", "/caught", "/outgoing", "/cache", "/login", "/markup",
         "/panel", "/stream", "/task", "/api/products", "/empty"] * 4 + ["/cpu"]


class MixedPages(unittest.TestCase):
    def test_the_total_is_exactly_what_64_clients_counted(self):
        with Shop("light") as shop:
            with Visitors(shop.port, PAGES, CLIENTS) as visitors:
                time.sleep(LOAD_SECONDS)
            self.assertEqual(visitors.failures, [])
            overview = shop.settled("overview", lambda o: o["requests"]["total"] == visitors.answers)
            agent = shop.api("agent")
            print(f"{visitors.answers} pages, lost {agent['lost']}")
            self.assertGreater(visitors.answers, CLIENTS)
            self.assertEqual(overview["requests"]["total"], visitors.answers)
            self.assertEqual(overview["requests"]["inflight"], 0)
            self.assertEqual(agent["lost"]["total"], 0)
            self.assertEqual(agent["hooks"]["caught"], 0)
        self.assertEqual(shop.exit_code, 0)

    def test_a_load_generator_sees_no_failure_and_nothing_is_lost(self):
        with Shop("light") as shop:
            script = pathlib.Path(shop.directory.name, "pages.lua")
            pages = ", ".join(f'"{page}"' for page in PAGES)
            script.write_text(f"local pages, next_page = {{{pages}}}, 0\n"
                              "request = function()\n"
                              "  next_page = next_page % #pages + 1\n"
                              '  return wrk.format("GET", pages[next_page])\n'
                              "end\n")
            answers, failed, refused = wrk(shop.port, "/", LOAD_SECONDS, CLIENTS, script)
            self.assertEqual((failed, refused), (0, 0))
            overview = shop.settled("overview", lambda o: o["requests"]["inflight"] == 0)
            agent = shop.api("agent")
            print(f"{answers} answers counted, {overview['requests']['total']} requests, lost {agent['lost']}")
            # wrk hangs up at the end without waiting for the answers under way, at most one a connection.
            self.assertGreaterEqual(overview["requests"]["total"], answers)
            self.assertLessEqual(overview["requests"]["total"], answers + CLIENTS)
            self.assertEqual(agent["lost"]["total"], 0)
        self.assertEqual(shop.exit_code, 0)


class ErrorFlood(unittest.TestCase):
    def test_a_flood_of_new_errors_opens_20_issues_and_an_overflow(self):
        seconds = min(LOAD_SECONDS, 10)  # within a minute no more than 20 are opened
        with Shop("light") as shop:
            flood = []
            thread = threading.Thread(target=lambda: flood.extend(wrk(shop.port, "/unique-error", seconds, 64)))
            thread.start()
            answer_times = []
            while thread.is_alive():
                answer_times.append(milliseconds_of(lambda: shop.api("overview"))[0])
            thread.join()
            answers, failed, refused = flood
            overview = shop.settled("overview", lambda o: o["requests"]["inflight"] == 0)
            agent, issues = shop.api("agent"), shop.api("issues")
            guard = agent["guard"]
            answer_times.sort()
            print(f"{answers / seconds:.0f} errors a second; guard {guard}\nconsole answered {len(answer_times)} times, "
                  f"median {answer_times[len(answer_times) // 2]:.1f} ms, longest {answer_times[-1]:.1f} ms")
            self.assertEqual(failed, 0)
            self.assertEqual(refused, answers)  # each is a page with status 500
            self.assertEqual(issues["total"], 21)
            self.assertEqual(len(issues["items"]), 21)
            self.assertEqual(guard["opened"], 20)
            self.assertLessEqual(guard["maxInOneSecond"], 1000)
            self.assertTrue(guard["identityHolds"])
            self.assertEqual(guard["seen"], guard["counted"] + guard["dropped"])
            self.assertEqual(sum(issue["count"] for issue in issues["items"]), guard["counted"])
            self.assertEqual(overview["requests"]["errors"], overview["requests"]["total"])
            self.assertEqual(guard["seen"] + agent["lost"]["total"], overview["requests"]["total"])
        self.assertEqual(shop.exit_code, 0)


class StalledWorkers(unittest.TestCase):
    def test_the_console_answers_while_every_worker_is_held(self):
        workers = 4
        with Shop("light", workers=workers) as shop:
            returned = threading.Event()

            def stall():
                shop.get("/stall?s=5")
                returned.set()

            threads = [threading.Thread(target=stall) for _ in range(workers + 2)]
            for thread in threads:
                thread.start()
            held = shop.settled("inflight", lambda i: i["total"] == workers + 2)
            took, overview = milliseconds_of(lambda: shop.api("overview"))
            before_any_page = not returned.is_set()
            print(f"overview in {took:.1f} ms with {held['total']} requests held")
            self.assertTrue(before_any_page)
            self.assertEqual(overview["requests"]["inflight"], workers + 2)
            self.assertEqual({row["target"] for row in held["items"]}, {"/stall?s=5"})
            for thread in threads:
                thread.join()
            total = shop.settled("overview", lambda o: o["requests"]["inflight"] == 0)["requests"]["total"]
            self.assertEqual(total, workers + 2)
        self.assertEqual(shop.exit_code, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
