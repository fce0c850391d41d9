// Starts the demo shop on free ports with a database of its own, and knows the addresses that it prints.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const kStartMs = 30000;

function addressesIn(text) {
  const shop = /^Shop\s+(http:\S+)\//m.exec(text)?.[1];
  const console = /^Console\s+(http:\S+)/m.exec(text)?.[1];
  const link = /^Sign in\s+(http:\S+)/m.exec(text)?.[1];
  return shop && console && link ? { shop, console, link } : null;
}

/** Resolves to `{shop, console, link, stop}`; `environment` adds settings. */
export function startShop(environment = {}) {
  const directory = mkdtempSync(join(tmpdir(), "inlens-shop-"));
  const child = spawn(process.env.INLENS_SHOP, ["--port", "0", "--db", directory], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  let said = "";
  return new Promise((resolve, reject) => {
    const fail = (why) => stop().then(() => reject(new Error(`${why}; it said:\n${said}`)));
    const timer = setTimeout(() => fail("the shop printed no addresses"), kStartMs);
    const hear = (part) => {
      said += part;
      const addresses = addressesIn(said);
      if (!addresses) return;
      clearTimeout(timer);
      resolve({ ...addresses, stop });
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`the shop ended with ${code}; it said:\n${said}`));
    });
  });
}
