// The demo shop in a real browser: a page, its bar, the console behind the one-time link, and the request found there.
// Takes the screenshots that the documentation shows.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { kNarrow, kWide, launch, openPage, overflowing } from "./browser.mjs";
import { kPages } from "./sample.mjs";
import { answerProblems, readApi } from "./schema.mjs";
import { startShop } from "./shop.mjs";

const kImages = `${process.env.INLENS_IMAGES}/`;
const kToken = "e2e-0123456789abcdef0123456789abcdef";
const kShopPages = [
  "/",
  "/products",
  "/orders",
  "/checkout",
  "/slow-sql",
  "/caught",
  "/bug",
  "/outgoing",
  "/cache",
  "/login",
  "/markup",
  "/panel",
  "/api/products",
  "/cpu",
  "/empty",
];
const api = readApi();
let browser;
let shop;
let state;

before(async () => {
  mkdirSync(kImages, { recursive: true });
  shop = await startShop({ INLENS_CONSOLE_TOKEN: kToken, INLENS_COLLECT_LEVEL: "full" });
  browser = await launch();
  for (let round = 0; round < 8; round += 1)
    await Promise.all(kShopPages.map((path) => fetch(shop.shop + path).then((answer) => answer.arrayBuffer())));
});

after(async () => {
  await browser?.close();
  await shop?.stop();
});

async function answerOf(path) {
  const answer = await fetch(new URL(`api/${path}`, shop.console), { headers: { Authorization: `Bearer ${kToken}` } });
  return { status: answer.status, body: await answer.json() };
}

/** Opens a page of the shop; gives it, its request's id, and whatever it complained about. */
async function openShop(path, options = {}) {
  const opened = await openPage(browser, options);
  const answer = await opened.page.goto(shop.shop + path);
  await opened.page.locator("inlens-bar .strip").waitFor();
  return { ...opened, id: answer.headers()["x-inlens-id"] };
}

async function openConsole(place, options = {}) {
  const opened = await openPage(browser, { ...options, storageState: state });
  await opened.page.goto(new URL(`#/${place}`, shop.console).href);
  await opened.page.locator("table.rows, table.attached, .facts, .empty").first().waitFor();
  return opened;
}

test("the one-time link signs in to the console", async () => {
  const { page, complaints, close } = await openPage(browser);
  await page.goto(shop.link);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  assert.ok(!page.url().includes("once"));
  state = await page.context().storageState();
  assert.deepEqual(complaints, []);
  await close();
});

test("a page of the shop has the bar, and each of its panels opens without a complaint", async () => {
  const { page, complaints, id, close } = await openShop("/panel");
  assert.match(id, /^[0-9a-f]{32}$/);
  await page.locator("inlens-bar button.figure").first().click();
  const tabs = page.getByRole("tab");
  assert.ok((await tabs.count()) > 5, "the five panels and the page's own");
  for (const tab of await tabs.all()) {
    await tab.click();
    assert.ok((await page.getByRole("tabpanel").innerText()).length > 0);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("the request behind a page is found in the console, from the bar's link and by its id", async () => {
  const { page, id, close } = await openShop("/orders", { storageState: state });
  const [opened] = await Promise.all([
    page.context().waitForEvent("page"),
    page.locator("inlens-bar .strip a").click(),
  ]);
  await opened.locator(".sheet .why").waitFor();
  assert.ok(opened.url().endsWith(`/~inlens/#/requests/${id}`));
  await close();
  const found = await openConsole(`requests?q=${id}`);
  await found.page.locator(".row-link").first().click();
  await found.page.locator(".sheet .why").waitFor();
  assert.ok((await found.page.locator(".wrow").count()) > 0);
  assert.deepEqual(found.complaints, []);
  await found.close();
});

test("the page with one query per row is marked as N+1", async () => {
  const { page, close } = await openShop("/orders");
  await page.locator("inlens-bar .n-plus-one").waitFor();
  await close();
});

test("markup in every field stays text, in the bar and in the console", async () => {
  const { page, complaints, id, close } = await openShop("/markup");
  await page.locator("inlens-bar button.figure").first().click();
  for (const tab of await page.getByRole("tab").all()) await tab.click();
  assert.equal(
    await page
      .locator("inlens-bar")
      .evaluate((host) => host.shadowRoot.querySelectorAll("img, iframe, svg, script:not([src])").length),
    0,
  );
  assert.deepEqual(complaints, []);
  await close();
  const sheet = await openConsole(`requests/${id}`);
  await sheet.page.locator(".sheet .why").waitFor();
  assert.equal(await sheet.page.locator(".sheet img, .sheet iframe, .sheet script").count(), 0);
  assert.deepEqual(sheet.complaints, []);
  await sheet.close();
});

test("every page of the console works without a complaint, wide and narrow", async () => {
  for (const size of [kWide, kNarrow]) {
    for (const place of kPages) {
      const { page, complaints, close } = await openConsole(place, { size });
      assert.deepEqual(await overflowing(page), [], place);
      assert.deepEqual(complaints, [], place);
      await close();
    }
  }
});

test("the real answers fit the API description", async () => {
  for (const name of [...kPages, "session"]) {
    const { status, body } = await answerOf(name);
    assert.equal(status, 200, name);
    assert.deepEqual(answerProblems(api, `/${name}`, body), [], name);
  }
  for (const { id } of (await answerOf("requests?limit=40")).body.items)
    assert.deepEqual(answerProblems(api, "/requests/{id}", (await answerOf(`requests/${id}`)).body), [], id);
  for (const { id } of (await answerOf("issues")).body.items)
    assert.deepEqual(answerProblems(api, "/issues/{id}", (await answerOf(`issues/${id}`)).body), [], id);
});

test("an unknown request is answered 404, with the word that it was recycled", async () => {
  const ask = () => answerOf(`requests/${"0".repeat(32)}`);
  let { status, body } = await ask();
  while (body.error.code === "notYet") ({ status, body } = await ask()); // others are on their way into the history
  assert.equal(status, 404);
  assert.equal(body.error.code, "recycled");
  assert.match(body.error.message, /recycled/);
});

test("the same bug is one issue, which a person can resolve", async () => {
  const { page, complaints, close } = await openConsole("issues");
  const row = page.getByRole("row", { name: /std::out_of_range/ });
  await row.locator("[data-label=Events]", { hasText: /^8$/ }).waitFor();
  assert.equal(await row.count(), 1);
  await row.locator(".row-link").click();
  await page.locator(".sheet .samples").waitFor();
  await page.getByRole("button", { name: "Resolve…" }).click();
  await page.getByRole("button", { name: "Resolve", exact: true }).click();
  await page.locator(".sheet .facts", { hasText: "resolved" }).waitFor();
  await page.keyboard.press("Escape");
  await row.waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
  await close();
});

test("the level changes while the server runs", async () => {
  const { page, close } = await openConsole("settings?q=collect.level");
  const level = page.getByRole("combobox", { name: "collect.level" });
  await level.selectOption("light");
  await page.getByText("Saved").waitFor();
  assert.equal((await answerOf("agent")).body.level, "light");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone").waitFor();
  assert.equal((await answerOf("agent")).body.level, "full");
  await close();
});

test("the screenshots of the documentation are taken", async () => {
  for (const [name, size, scheme] of [
    ["light", kWide, "light"],
    ["dark", kWide, "dark"],
    ["narrow", kNarrow, "light"],
  ]) {
    const bar = await openShop("/orders", { size, scheme });
    await bar.page.screenshot({ path: `${kImages}bar-closed-${name}.png` });
    await bar.page
      .getByRole("button", { name: /the timeline/ })
      .first()
      .click();
    await bar.page.screenshot({ path: `${kImages}bar-${name}.png` });
    await bar.close();
    for (const [image, place] of [
      ["overview", "overview"],
      ["request", `requests/${bar.id}`],
      ["requests", "requests"],
    ]) {
      const { page, close } = await openConsole(place, { size, scheme });
      if (image === "request") await page.locator(".sheet .why").waitFor();
      await page.screenshot({ path: `${kImages}console-${image}-${name}.png` });
      await close();
    }
  }
});
