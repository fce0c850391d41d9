// The console's pages alone, over the sample server: markup in every text, refresh, keys, narrow screens.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { kNarrow, launch, openPage, overflowing } from "./browser.mjs";
import { kCanary, kPages } from "./sample.mjs";
import { startSampleServer } from "./sample_server.mjs";

const kId = "000000000000000000000000000f4240";
const kCalled = "calls/http%3A%2F%2F127.0.0.1%3A8081";
const kWidths = [360, 480, 720, 800, 900, 1000, 1001, 1080, 1150, 1151, 1200, 1280, 1920];
const kContent = "table.rows, table.attached, .facts";
let browser;
let served;

before(async () => {
  served = await startSampleServer(process.env.INLENS_FILES);
  browser = await launch();
});

after(async () => {
  await browser.close();
  served.server.close();
  served.server.closeAllConnections();
});

const at = (place) => `${served.base}/~inlens/#/${place}`;

async function withPage(options, body) {
  const opened = await openPage(browser, options);
  try {
    await body(opened.page);
    assert.deepEqual(opened.complaints, []);
  } finally {
    await opened.close();
  }
}

test("every page shows captured markup as text and keeps to the content security policy", async () => {
  await withPage({}, async (page) => {
    for (const place of [...kPages, `requests/${kId}`, "issues/overflow", kCalled]) {
      await page.goto(at(place));
      await page.locator(kContent).first().waitFor();
      const closed = page.locator("details:not([open]) > summary");
      while ((await closed.count()) > 0) await closed.first().click();
    }
    await page.goto(at(`requests/${kId}`));
    assert.ok((await page.locator(".sheet h2", { hasText: "/orders" }).innerText()).includes(kCanary));
    assert.equal(await page.evaluate(() => window.hit), undefined);
    assert.equal(await page.locator("img").count(), 0);
  });
});

test("no page is wider than its window, whatever that is, light or dark", async () => {
  for (const scheme of ["light", "dark"])
    await withPage({ scheme }, async (page) => {
      for (const place of [...kPages, `requests/${kId}`, kCalled]) {
        await page.goto(at(place));
        await page.locator(kContent).first().waitFor();
        for (const width of kWidths) {
          await page.setViewportSize({ width, height: 740 });
          assert.deepEqual(await overflowing(page), [], `${place} at ${width}`);
        }
      }
    });
});

test("calls: figures of a server, its phases, and the requests of the route that called it last", async () => {
  await withPage({}, async (page) => {
    await page.goto(at("calls"));
    const row = page.locator("table.rows tbody tr", { hasText: "127.0.0.1:8081" });
    assert.match(await row.innerText(), /41,200[\s\S]*✕ 3 < 1 %[\s\S]*5 min 30 s/);
    await row.locator(".row-link").click();
    const sheet = page.locator(".sheet");
    for (const fact of ["DNS\n750 µs", "Connect\n1.17 ms", "TLS\nnone", "First byte\n7 ms", `server ${kCanary}`])
      assert.ok((await sheet.innerText()).includes(fact), fact);
    await sheet.getByRole("link", { name: "/outgoing" }).click();
    await page.waitForURL(/#\/requests\?route=%2Foutgoing$/);
  });
});

test("connections: what is open, used, opened and failed", async () => {
  await withPage({}, async (page) => {
    await page.goto(at("connections"));
    const row = page.locator("table.rows tbody tr", { hasText: "5432/shop" });
    await row.waitFor();
    assert.deepEqual(await row.locator("td").allInnerTexts(), [
      "127.0.0.1:5432/shop",
      "postgresql",
      "16",
      "3",
      "12,345",
      "2/s",
      "✕ 2",
      "1.9 ms",
    ]);
  });
});

test("findings: those of the server come first, and each leads to its page and its request", async () => {
  await withPage({}, async (page) => {
    const open = async () => {
      await page.goto(at("findings"));
      await page.locator(kContent).first().waitFor();
    };
    await open();
    assert.equal(await page.locator(".findings li").count(), 3);
    await page.getByRole("link", { name: /failed 3 of 41200 calls/ }).click();
    await page.getByRole("heading", { name: "Calls", exact: true }).waitFor();
    await open();
    await page.getByRole("link", { name: /opened 40 connections/ }).click();
    await page.getByRole("heading", { name: "Connections", exact: true }).waitFor();
    await open();
    await page.locator("table.rows").getByRole("link", { name: "Queries" }).click();
    await page.getByRole("heading", { name: "Statement", exact: true }).waitFor();
    await open();
    await page.getByRole("link", { name: /48 × the same SELECT/ }).click();
    await page.locator(".sheet .why").waitFor();
    assert.ok(page.url().endsWith(`#/requests/${kId}`));
  });
});

test("attached: each collector's state is a word", async () => {
  await withPage({}, async (page) => {
    await page.goto(at("attached"));
    await page.getByText("1 of 4 on").waitFor();
    assert.deepEqual(await page.locator(".attached .state").allInnerTexts(), [
      "✓ on",
      "– not found",
      "– off",
      "✕ impossible",
    ]);
  });
});

test("a server with nothing attached is told how to attach, and its pages say what is missing", async () => {
  served.sample.bare = true;
  try {
    await withPage({ size: kNarrow }, async (page) => {
      for (const [place, words] of [
        ["calls", "No outgoing call was reported."],
        ["connections", "No connection was reported."],
        ["findings", "No request in the history has a finding."],
        ["attached", "Start it with inlens run -- program … to see SQLite, PostgreSQL, MariaDB and libcurl"],
      ]) {
        await page.goto(at(place));
        await page.getByText(words).waitFor();
        assert.deepEqual(await overflowing(page), [], place);
      }
    });
  } finally {
    served.sample.bare = false;
  }
});

test("a call in a request shows its phases, and a statement how long its rows took to read", async () => {
  await withPage({}, async (page) => {
    await page.goto(at(`requests/${kId}`));
    const chosen = page.getByRole("region", { name: "Chosen span" });
    await page.locator(".wrow", { hasText: "/rates" }).click();
    assert.deepEqual(await chosen.getByRole("group", { name: "Phases of the call" }).locator("li").allInnerTexts(), [
      "DNS 800 µs 4 %",
      "connecting 1.2 ms 5 %",
      "first byte 18 ms 82 %",
      "the rest 2 ms 9 %",
    ]);
    assert.match(await chosen.innerText(), /Called from\nshop::Rates::fetch\(\)/);
    await page.locator(".wrow", { hasText: "stock.example" }).click();
    assert.ok((await chosen.innerText()).includes(`Failed\nCURLE_COULDNT_CONNECT ${kCanary}`));
    assert.equal(await chosen.getByRole("group", { name: "Phases of the call" }).count(), 0);
    await page.locator(".wrow", { hasText: "FROM orders o" }).click();
    assert.match(await chosen.innerText(), /Reading rows\n90 µs[\s\S]*Called from\norders.cpp:88/);
  });
});

test("opening a connection has a look and a share of its own", async () => {
  await withPage({}, async (page) => {
    await page.goto(at(`requests/${kId}`));
    const bar = page.locator(".wrow", { hasText: "postgresql" }).locator(".wbar");
    const looks = await page.locator(".wbar").evaluateAll((bars) => {
      const byKind = new Map(bars.map((bar) => [bar.className.split(" ")[1], getComputedStyle(bar).background]));
      return [...byKind.values()];
    });
    assert.equal(new Set(looks).size, looks.length);
    assert.match(await bar.getAttribute("class"), /k-connect/);
    await page.locator(".shares li", { hasText: "connecting" }).waitFor();
  });
});

test("a request opens as a sheet over the list, and Esc gives the focus back to its row", async () => {
  await withPage({}, async (page) => {
    await page.goto(at("requests?status=2xx"));
    await page.locator(".row-link").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const second = await page.evaluate(() => document.activeElement.getAttribute("href"));
    await page.keyboard.press("Enter");
    await page.locator(".sheet .why").waitFor();
    assert.match(await page.locator(".sheet h2").innerText(), /orders/);
    assert.match(page.url(), /status=2xx/);
    await page.keyboard.press("Escape");
    await page.locator(".sheet").waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("href")), second);
  });
});

test("letters lead to pages, but not while typing and not with a modifier", async () => {
  await withPage({}, async (page) => {
    await page.goto(at("requests"));
    await page.locator("[data-filter]").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("qa");
    assert.equal(await page.locator("[data-filter]").inputValue(), "qa");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+q");
    assert.match(page.url(), /#\/requests/);
    for (const written of [{ modifierAltGraph: true }, { isComposing: true }])
      await page.evaluate((more) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "q", bubbles: true, ...more })), written);
    assert.match(page.url(), /#\/requests/);
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "Agent" }).waitFor();
    for (const [key, name] of [
      ["c", "Calls"],
      ["n", "Connections"],
      ["d", "Findings"],
      ["t", "Attached"],
    ]) {
      await page.keyboard.press(key);
      await page.getByRole("heading", { name, exact: true }).waitFor();
    }
    await page.keyboard.press("?");
    assert.match(await page.locator("dialog[open]").innerText(), /Connections[\s\S]*Attached/);
  });
});

test("the filter lives in the URL", async () => {
  await withPage({}, async (page) => {
    await page.goto(at("requests"));
    await page.locator("[data-filter]").fill("orders");
    await page.waitForURL(/q=orders/);
    await page.reload();
    await page.locator(".row-link").first().waitFor();
    assert.equal(await page.locator("[data-filter]").inputValue(), "orders");
    for (const text of await page.locator(".row-link").allInnerTexts()) assert.match(text, /orders/);
    await page.getByRole("link", { name: "Clear" }).click();
    await page.waitForURL((url) => !url.hash.includes("q="));
  });
});

test("new requests wait behind a button while the rows stay", async () => {
  await withPage({}, async (page) => {
    await page.goto(at("requests"));
    const first = page.locator(".row-link").first();
    await first.waitFor();
    const href = await first.getAttribute("href");
    const button = page.getByRole("button", { name: /new – show/ });
    await button.waitFor();
    assert.equal(await first.getAttribute("href"), href);
    await button.click();
    await page.waitForFunction((before) => document.querySelector(".row-link").getAttribute("href") !== before, href);
  });
});

test("a sorted column says so, and turns around when pressed again", async () => {
  await withPage({}, async (page) => {
    await page.goto(at("queries"));
    const head = page.getByRole("columnheader", { name: /^Runs/ });
    await head.getByRole("button").click();
    assert.equal(await head.getAttribute("aria-sort"), "descending");
    await head.getByRole("button").click();
    assert.equal(await head.getAttribute("aria-sort"), "ascending");
    assert.match(page.url(), /sort=runs/);
  });
});

test("a recycled request says so", async () => {
  const opened = await openPage(browser);
  await opened.page.goto(at(`requests/${"dead".padEnd(32, "0")}`));
  await opened.page.getByText("was recycled from the history").waitFor();
  await opened.close();
});

test("a request that is not in the history yet is asked for again", async () => {
  served.sample.missesLeft = 1;
  const opened = await openPage(browser);
  await opened.page.goto(at(`requests/${kId}`));
  await opened.page.getByText("Not here yet.").waitFor();
  await opened.page.locator(".sheet h2", { hasText: "/orders" }).waitFor();
  await opened.close();
});

test("a live setting is changed, and undone", async () => {
  await withPage({}, async (page) => {
    await page.goto(at("settings"));
    const level = page.getByRole("combobox", { name: "collect.level" });
    await level.selectOption("light");
    await page.getByText("Saved").waitFor();
    assert.equal(served.sample.level, "light");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone").waitFor();
    assert.equal(served.sample.level, "full");
  });
});

test("the one-time link signs in, and its secret leaves the address at once", async () => {
  served.sample.signedIn = false;
  await withPage({}, async (page) => {
    await page.goto(`${served.base}/~inlens/login#once=secret`);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    assert.equal(page.url(), `${served.base}/~inlens/`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("Signed out.").waitFor();
  });
});

test("a spent link is told apart from a wrong token, and the token signs in", async () => {
  served.sample.signedIn = false;
  const { page, close } = await openPage(browser);
  await page.goto(`${served.base}/~inlens/login#once=spent`);
  await page.getByText("This link was used already").waitFor();
  await page.getByLabel("Token").fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("The token is wrong.").waitFor();
  await page.getByLabel("Token").fill("token");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await close();
});

test("an address typed without the fragment leads to the same page", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${served.base}/~inlens/queries?sort=-runs`);
    await page.getByRole("heading", { name: "Queries" }).waitFor();
    assert.equal(page.url(), `${served.base}/~inlens/#/queries?sort=-runs`);
  });
});

test("when the server stops answering, the page says so and keeps what it has", async () => {
  const { page, close } = await openPage(browser);
  await page.goto(at("overview"));
  await page.locator(".figures").waitFor();
  served.sample.mute = true;
  await page.getByText("The server does not answer since").waitFor();
  assert.ok(await page.locator(".figures").isVisible());
  served.sample.mute = false;
  await page.getByText("The server does not answer since").waitFor({ state: "detached" });
  await close();
});
