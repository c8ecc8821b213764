// Workloads in Firefox and WebKit, whose own compilers run our code: this package, LiteRT.js and TF.js, one thread each, all in
// one page.
import { otherBrowsers } from '../browser/other_browsers.js';
import { bundle, serve } from './pages.js';

const SILENCE = 60_000; // ms without an outcome: then the browser is given up

/**
 * @param {string[]} ids of workloads
 * @param {(browser: string, problem: string) => void} miss is told what could not be had
 * @returns {Promise<{ version: string, outcomes: Map<string, any> }[]>} of each browser that is installed: what contest.js gives, by id
 */
export async function contestsInOtherBrowsers(ids, miss) {
  await bundle('adapters/tfjs.js');
  const found = [];
  for (const [name, open] of Object.entries(otherBrowsers)) {
    if (!open) miss(name, 'not installed');
    else found.push(await contestsIn(name, open, ids, miss));
  }
  return found.filter(({ outcomes }) => outcomes.size > 0);
}

async function contestsIn(name, open, ids, miss) {
  const outcomes = new Map();
  let version = name;
  let end;
  const ended = new Promise((resolve) => (end = resolve));
  const giveUp = () => {
    miss(name, `no outcome in ${SILENCE / 1000} s`);
    end();
  };
  let timer = setTimeout(giveUp, SILENCE);
  const server = await serve(({ id, userAgent, ...outcome }) => {
    clearTimeout(timer);
    if (userAgent) {
      version = `${name} ${/Firefox\/([\d.]+)/.exec(userAgent)?.[1] ?? ''}`.trim(); // WebKitGTK does not tell its own
      end();
      return;
    }
    outcomes.set(id, outcome);
    const reason = outcome.reasons['relaxed-simd'] ?? outcome.reasons.simd ?? outcome.reasons.page;
    if (reason) miss(`${name}, ${id}`, reason);
    timer = setTimeout(giveUp, SILENCE);
  });
  const query = ids.map((id) => `id=${id}&`).join('');
  const close = await open(`${server.address}/tests/bench/contest.html?${query}threads=1&report`);
  await ended;
  await close();
  server.close();
  return { version, outcomes };
}
