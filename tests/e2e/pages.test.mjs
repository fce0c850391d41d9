// The console's pages alone, over the sample server: markup in every text, refresh, keys, narrow screens.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { kNarrow, launch, openPage, overflowing } from "./browser.mjs";
import { kCanary } from "./sample.mjs";
import { startSampleServer } from "./sample_server.mjs";

const kPages = ["overview", "requests", "inflight", "issues", "queries", "reports", "agent", "settings"];
const kId = "000000000000000000000000000f4240";
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
    for (const place of [...kPages, `requests/${kId}`, "issues/overflow"]) {
      await page.goto(at(place));
      await page.locator("table.rows, .facts").first().waitFor();
      const closed = page.locator("details:not([open]) > summary");
      while ((await closed.count()) > 0) await closed.first().click();
    }
    await page.goto(at(`requests/${kId}`));
    assert.ok((await page.locator(".sheet h2", { hasText: "/orders" }).innerText()).includes(kCanary));
    assert.equal(await page.evaluate(() => window.hit), undefined);
    assert.equal(await page.locator("img").count(), 0);
  });
});

test("no page is wider than a screen of 360 pixels", async () => {
  await withPage({ size: kNarrow }, async (page) => {
    for (const place of [...kPages, `requests/${kId}`]) {
      await page.goto(at(place));
      await page.locator("table.rows, .facts").first().waitFor();
      assert.deepEqual(await overflowing(page), [], place);
    }
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
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "Agent" }).waitFor();
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
