// The bar alone, in pages of the sample server: hostile style sheets, policies, many rows, crowded corners.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { kNarrow, kWide, launch, openPage } from "./browser.mjs";
import { startSampleServer } from "./sample_server.mjs";

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

async function withBar(query, options, body) {
  const { page, complaints, close } = await openPage(browser, options);
  try {
    await page.goto(`${served.base}/page?${query}`);
    await page.locator("inlens-bar .strip").waitFor();
    await body(page);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
}

const kTabs = ["Timeline", "Queries", "Errors", "Messages", "Request", "Basket", "Customer", "Templates", "Plan"];

test("every panel opens, shows markup as text, and keeps to the page's content security policy", async () => {
  await withBar("", {}, async (page) => {
    await page.getByRole("button", { name: /the timeline/ }).click();
    for (const name of kTabs) {
      await page.getByRole("tab", { name: new RegExp(`^${name}`) }).click();
      assert.ok((await page.getByRole("tabpanel").innerText()).length > 10, name);
    }
    assert.equal(await page.evaluate(() => window.hit), undefined);
    assert.equal(await page.locator("inlens-bar img").count(), 0);
  });
});

test("Esc closes the bar and gives the focus back", async () => {
  await withBar("", {}, async (page) => {
    const opener = page.getByRole("button", { name: /: the list/ }).first();
    await opener.click();
    await page.keyboard.press("Escape");
    await page.locator("inlens-bar .drawer").waitFor({ state: "detached" });
    assert.ok(await opener.evaluate((element) => element.getRootNode().activeElement === element));
  });
});

test("a style sheet that bends everything does not bend the bar", async () => {
  const look = (page) =>
    page.locator("inlens-bar .strip").evaluate((strip) => {
      const { width, height } = strip.getBoundingClientRect();
      const { fontSize, letterSpacing, color, display } = getComputedStyle(strip);
      return { width, height, fontSize, letterSpacing, color, display };
    });
  let plain;
  await withBar("", {}, async (page) => {
    plain = await look(page);
  });
  await withBar("hostile", {}, async (page) => assert.deepEqual(await look(page), plain));
});

test("the page's own elements look the same with the bar and without", async () => {
  const look = (page) =>
    page.evaluate(() =>
      [...document.querySelectorAll("html,body,h1,p")].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [
          element.tagName,
          x,
          y,
          width,
          height,
          JSON.stringify(
            Object.fromEntries(
              [...getComputedStyle(element)].map((name) => [name, getComputedStyle(element).getPropertyValue(name)]),
            ),
          ),
        ];
      }),
    );
  let bare;
  const { page, close } = await openPage(browser);
  await page.goto(`${served.base}/page?id=none`);
  bare = await look(page);
  await close();
  await withBar("", {}, async (decorated) => assert.deepEqual(await look(decorated), bare));
});

test("no name of window is taken", async () => {
  const names = (page) => page.evaluate(() => Object.keys(window).sort());
  const { page, close } = await openPage(browser);
  await page.goto(`${served.base}/page?id=none`);
  const before = await names(page);
  await close();
  await withBar("", {}, async (decorated) => assert.deepEqual(await names(decorated), before));
});

test("functions of the browser stay its own: a fetch that fails or is given up is told to the page alone", async () => {
  await withBar("", {}, async (page) => {
    const told = await page.evaluate(async () => {
      const own = (call) => Function.prototype.toString.call(call).includes("[native code]");
      const calls = [fetch, XMLHttpRequest.prototype.open, history.pushState, addEventListener, setTimeout, console.error];
      const unhandled = [];
      addEventListener("unhandledrejection", (event) => unhandled.push(String(event.reason)));
      const control = new AbortController();
      const given = fetch("/page", { signal: control.signal });
      control.abort();
      const name = await given.catch((error) => error.name);
      const stack = await fetch("http://[").catch((error) => error.stack);
      await new Promise((done) => setTimeout(done, 0));
      return { native: calls.every(own), unhandled, name, stack };
    });
    assert.ok(told.native);
    assert.deepEqual(told.unhandled, []);
    assert.equal(told.name, "AbortError");
    assert.ok(!told.stack.includes("~inlens"), told.stack);
  });
});

test("a page that has added to the prototypes of all arrays gets the bar as it is", async () => {
  const { page, complaints, close } = await openPage(browser);
  await page.addInitScript(() => {
    for (const name of ["each", "toJSON", "extend"]) Array.prototype[name] = () => "not Inlens's";
  });
  await page.goto(`${served.base}/page`);
  await page.getByRole("button", { name: /the timeline/ }).click();
  for (const name of kTabs) {
    await page.getByRole("tab", { name: new RegExp(`^${name}`) }).click();
    assert.ok(!(await page.getByRole("tabpanel").innerText()).includes("not Inlens's"), name);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("keys that a person types on the page are the page's own", async () => {
  await withBar("", {}, async (page) => {
    const keys = [..."abcdefghijklmnopqrstuvwxyz0123456789/?."];
    await page.evaluate(() => {
      const field = document.createElement("input");
      document.body.append(field);
      field.focus();
      window.addEventListener("keydown", (event) => setTimeout(() => (window.refused ||= event.defaultPrevented)));
    });
    await page.keyboard.type(keys.join(""));
    assert.equal(await page.locator("input").inputValue(), keys.join(""));
    for (const modifier of ["Alt", "Alt+Shift", "Control+Alt"])
      for (const key of keys) await page.keyboard.press(`${modifier}+${key}`);
    assert.ok(!(await page.evaluate(() => window.refused)));
    assert.ok(await page.locator("input").evaluate((field) => document.activeElement === field));
    assert.equal(await page.locator("inlens-bar .drawer").count(), 0);
  });
});

test("ten thousand statements stay under 500 elements", async () => {
  await withBar(`id=${"f".repeat(32)}`, {}, async (page) => {
    const size = () => page.locator("inlens-bar").evaluate((host) => host.shadowRoot.querySelectorAll("*").length);
    await page.getByRole("button", { name: /the timeline/ }).click();
    assert.ok((await size()) < 500, `timeline: ${await size()}`);
    await page.locator(".wrow", { hasText: "10000×" }).click();
    assert.ok((await size()) < 500, `opened run: ${await size()}`);
    await page.getByRole("tab", { name: /^Queries/ }).click();
    await page.getByRole("button", { name: "In order" }).click();
    assert.ok((await size()) < 500, `queries: ${await size()}`);
    await page.locator("inlens-bar .virtual").evaluate((list) => (list.scrollTop = list.scrollHeight));
    await page.locator(".srow", { hasText: "UPDATE stock" }).waitFor();
    assert.ok((await size()) < 500, `scrolled: ${await size()}`);
  });
});

test("the strip moves away from a control of the page", async () => {
  await withBar("crowded", { size: kNarrow }, async (page) => {
    await page.waitForFunction(
      () => !document.querySelector("inlens-bar").shadowRoot.querySelector(".root").classList.contains("br"),
    );
    assert.ok(
      await page.evaluate(() => {
        const { left, top, width, height } = document.getElementById("own").getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2).id === "own";
      }),
    );
  });
});

test("the strip is 28 pixels high and fits a screen of 360 pixels", async () => {
  for (const size of [kWide, kNarrow]) {
    await withBar("", { size }, async (page) => {
      const box = await page.locator("inlens-bar .strip").boundingBox();
      assert.equal(box.height, 28);
      assert.ok(box.x >= 0 && box.x + box.width <= size.width);
      assert.ok(await page.locator("inlens-bar .strip a").isVisible());
      assert.equal(
        await page.locator("inlens-bar .strip").evaluate((strip) => strip.scrollWidth - strip.clientWidth),
        0,
      );
    });
  }
});

test("a record that is not drained yet is asked for again", async () => {
  served.sample.missesLeft = 3;
  const { page, close } = await openPage(browser);
  await page.goto(`${served.base}/page`);
  await page.locator("inlens-bar .strip").waitFor();
  await close();
});

test("a page that runs the loader again has one bar with the newest id", async () => {
  await withBar("", {}, async (page) => {
    await page.evaluate((id) => {
      const script = document.createElement("script");
      script.src = "/~inlens/bar/loader.js?again";
      script.dataset.inlensId = id;
      document.body.append(script);
    }, "a".repeat(32));
    await page.waitForFunction(
      (id) => document.querySelector("inlens-bar").shadowRoot.querySelector("a.figure").href.endsWith(id),
      "a".repeat(32),
    );
    assert.equal(await page.locator("inlens-bar").count(), 1);
  });
});

const shows = (page, id) =>
  page.waitForFunction(
    (wanted) => {
      const bars = document.querySelectorAll("inlens-bar");
      return bars.length === 1 && bars[0].shadowRoot.querySelector("a.figure")?.href.endsWith(wanted);
    },
    id,
  );

for (const swapper of ["turbo", "htmx"])
  test(`a page that ${swapper} puts in place of another is the one that the bar shows, once, and so is one gone back to`, async () => {
    const { page, complaints, close } = await openPage(browser);
    await page.goto(`${served.base}/pages/${swapper}?id=${"a".repeat(32)}`);
    await shows(page, "a".repeat(32));
    await page.evaluate(() => (window.sameDocument = true));
    await page.locator("#next").click();
    await page.locator("h1", { hasText: "b".repeat(32) }).waitFor();
    await shows(page, "b".repeat(32));
    assert.ok(await page.evaluate(() => window.sameDocument));
    await page.goBack();
    await page.locator("h1", { hasText: "a".repeat(32) }).waitFor();
    await shows(page, "a".repeat(32));
    await page.getByRole("button", { name: /: the list/ }).first().click();
    await page.locator("inlens-bar .drawer").waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

test("the bar goes with view transitions, of the page's own and between documents", async () => {
  const { page, complaints, close } = await openPage(browser);
  await page.goto(`${served.base}/pages/plain?id=${"a".repeat(32)}`);
  await shows(page, "a".repeat(32));
  await page.evaluate(async () => {
    const swap = () => (document.body.innerHTML = `<h1>swapped</h1>${document.querySelector("#next").outerHTML}`);
    await document.startViewTransition(swap).finished;
  });
  await page.locator("h1", { hasText: "swapped" }).waitFor();
  await shows(page, "a".repeat(32));
  await page.locator("#next").click();
  await shows(page, "b".repeat(32));
  await page.getByRole("button", { name: /: the list/ }).first().click();
  await page.locator("inlens-bar .drawer").waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("a page that comes back out of the browser's cache has its bar as it was left", async () => {
  const keeping = await launch({ ignoreDefaultArgs: ["--disable-back-forward-cache"] });
  try {
    const { page, complaints } = await openPage(keeping);
    await page.goto(`${served.base}/pages/plain?id=${"a".repeat(32)}`);
    await shows(page, "a".repeat(32));
    await page.evaluate(() => addEventListener("pageshow", (event) => (window.wasKept = event.persisted)));
    await page.locator("#next").click();
    await shows(page, "b".repeat(32));
    await page.evaluate(() => history.back());
    await page.waitForFunction(() => window.wasKept);
    await shows(page, "a".repeat(32));
    await page.getByRole("button", { name: /: the list/ }).first().click();
    await page.locator("inlens-bar .drawer").waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await keeping.close();
  }
});

test("made small, the bar stays small on the next page", async () => {
  await withBar("", {}, async (page) => {
    await page.getByRole("button", { name: "Make the bar small" }).click();
    await page.reload();
    await page.locator("inlens-bar .small-strip").waitFor();
    await page.locator("inlens-bar .small-strip button").click();
    await page.getByRole("tab", { name: "Timeline" }).waitFor();
  });
});

test("the bar is not printed", async () => {
  await withBar("", {}, async (page) => {
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("inlens-bar").evaluate((host) => getComputedStyle(host).display), "none");
  });
});

test("a sandboxed document, a frame, and an id that is none get no bar and no error", async () => {
  const { page, complaints, close } = await openPage(browser);
  await page.goto(`${served.base}/page?id=none`);
  await page.evaluate(() => {
    for (const sandbox of ["allow-scripts", null]) {
      const frame = document.createElement("iframe");
      if (sandbox !== null) frame.setAttribute("sandbox", sandbox);
      frame.src = "/page";
      document.body.append(frame);
    }
    return Promise.all(
      [...document.querySelectorAll("iframe")].map(
        (frame) => new Promise((resolve) => frame.addEventListener("load", resolve)),
      ),
    );
  });
  for (const frame of page.frames()) assert.equal(await frame.locator("inlens-bar").count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});
