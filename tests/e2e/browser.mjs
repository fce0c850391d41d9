// Debian's Chromium under Playwright, with a watch over everything a page complains about.
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../../console/package.json", import.meta.url))("playwright-core");

export function launch(more = {}) {
  return chromium.launch({
    ...more,
    executablePath: process.env.INLENS_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}

export const kWide = { width: 1280, height: 800 };
export const kNarrow = { width: 360, height: 740 };

/** Opens a page whose `complaints` list console errors and warnings, uncaught errors and reports of a content security policy. */
export async function openPage(browser, { size = kWide, scheme = "light", policyBypass = false, ...more } = {}) {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, bypassCSP: policyBypass, ...more });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.exposeFunction("inlensTestReport", (text) => complaints.push(text));
  await page.addInitScript(() =>
    addEventListener("securitypolicyviolation", (event) =>
      window.inlensTestReport(`CSP ${event.violatedDirective} ${event.blockedURI}`),
    ),
  );
  return { page, complaints, close: () => context.close() };
}

/** Names of elements that stick out to the right of the window. */
export function overflowing(page) {
  return page.evaluate(() =>
    document.documentElement.scrollWidth <= innerWidth
      ? []
      : [...document.body.querySelectorAll("*")]
          .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
          .map((element) => `${element.tagName}.${element.className}`),
  );
}
