// Workloads in Chromium: this package and LiteRT.js, which runs only in browsers, and on two threads TF.js, which has
// them only there. A page for each workload; and how long starts take, in a new browser for
// each.
import { openBrowser } from '../browser/chromium.js';
import { bundle, serve } from './pages.js';

const TIMEOUT = 60_000;
const REST = 500; // ms until a new browser has opened what it opens for itself: pages of its own, some dozens of scripts

/**
 * The browser, or why there is none.
 * @returns {Promise<{ problem: string } | { problem: undefined, version: string, close(): Promise<void>,
 *   contest(id: string, threads: number): Promise<object> }>} contest: the outcome of contest.js in a new page
 */
export async function openChromium() {
  let browser;
  try {
    browser = await openBrowser();
  } catch (error) {
    return { problem: `${error}`.split('\n')[0] };
  }
  await bundle('adapters/tfjs.js');
  const server = await serve();
  const address = `${server.address}/tests/bench/contest.html`;
  return {
    version: `Chromium ${browser.version()}`,
    async contest(id, threads) {
      let page;
      try {
        page = await browser.newPage();
        page.setDefaultTimeout(TIMEOUT);
        // TF.js takes at most half of the processors.
        await page.addInitScript(
          (count) => Object.defineProperty(navigator, 'hardwareConcurrency', { value: count }),
          2 * threads,
        );
        await page.goto(`${address}?id=${id}&threads=${threads}`);
        const outcome = await page.waitForFunction(() => globalThis.outcome);
        return await outcome.jsonValue();
      } catch (error) {
        return { times: {}, reasons: { Chromium: `${error}`.split('\n')[0] } };
      } finally {
        await page?.close().catch(() => {});
      }
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

/**
 * The ms from a page's import of a package to the first 2x2 dot, in browsers that have not seen it before.
 * @param {string[]} names of starts.js
 * @param {number} count how often each
 * @returns {Promise<Record<string, number[]>>} empty where there is no Chromium
 */
export async function startsInChromium(names, count) {
  const times = Object.fromEntries(names.map((name) => [name, []]));
  await bundle('starts.js');
  const server = await serve();
  for (let i = 0; i < count; i++)
    for (const name of names) {
      const browser = await openBrowser().catch(() => undefined);
      if (!browser) continue;
      const page = await browser.newPage();
      await page.goto(`${server.address}/tests/bench/start.html`);
      await page.waitForTimeout(REST);
      const start = async (which) => {
        const { checkProduct, starts } = await import('/build/bench/starts.js');
        const before = performance.now();
        const product = await starts[which]();
        const time = performance.now() - before;
        checkProduct(product);
        return time;
      };
      times[name].push(await page.evaluate(start, name));
      await browser.close();
    }
  server.close();
  return times;
}
