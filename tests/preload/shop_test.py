"""A server that is linked to Inlens, marks its statements itself, and is started by the launcher all the same: it starts
the agent with its own settings, and no statement counts twice."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest
import urllib.request

TOKEN = "a-token-for-the-preload-tests-0123456789"


def get(port, path, **headers):
    return urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)).read()


class LinkedServer(unittest.TestCase):
    def test_it_starts_the_agent_itself_and_its_statements_count_once(self):
        with tempfile.TemporaryDirectory(prefix="inlens-preload-shop-") as folder:
            config = pathlib.Path(folder, "inlens.json")
            config.write_text(json.dumps({"collect.level": "full", "console.port": 0, "console.token": TOKEN}))
            shop = subprocess.Popen([os.environ["INLENS_LAUNCHER"], "run", "--", os.environ["INLENS_SHOP"], "--port", "0",
                                     "--workers", "2", "--db", folder, "--config", config],
                                    stdout=subprocess.PIPE, text=True)
            try:
                ports = {}
                while len(ports) < 2:
                    if match := re.match(r"(Shop|Console).*:(\d+)/", shop.stdout.readline()):
                        ports[match[1]] = match[2]
                get(ports["Shop"], "/orders")
                api = lambda view: json.loads(
                    get(ports["Console"], "/~inlens/api/" + view, Authorization="Bearer " + TOKEN))
                while not (requests := api("requests")["items"]):  # it ends a moment after its client has the answer
                    pass
                request, = requests
                detail = api("requests/" + request["id"])
                marked = [span for span in detail["spans"] if span["kind"] == "statement"]
                self.assertEqual(detail["counts"]["statements"], 25)  # the orders, and one for each of the 24
                self.assertEqual(len(marked), 25)
                self.assertEqual([row["name"] for row in api("attached")["items"]], ["sqlite"])
                self.assertEqual(api("overview")["requests"]["total"], 1)
                self.assertEqual(api("agent")["lost"]["total"], 0)
            finally:
                shop.send_signal(signal.SIGTERM)
                self.assertEqual(shop.wait(60), 0)
                shop.stdout.close()


if __name__ == "__main__":
    unittest.main(verbosity=2)
