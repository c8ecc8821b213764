// The engine in Firefox and WebKit, whose own compilers run its code and what it emits: the op cases, random fusions and
// loops, threads, programs that JAX exported. Browsers that are not installed are left out.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { demoServer } from '../../web/cli/demo.js';
import { caseFiles, readCases } from '../js/op_cases.js';
import { isolation } from './chromium.js';
import { otherBrowsers } from './other_browsers.js';

const SILENT_SECONDS = 120; // a page tells what it does every few seconds, on a busy machine too
const page =
  '<!doctype html><title>hlo-wasm</title><script type="module" src="/tests/browser/other_browsers_page.js"></script>';

/** Serves the package, the tests and the cases; the report is what the page sends. */
async function serve() {
  const cases = caseFiles().flatMap(readCases);
  const demo = demoServer();
  const heard = { stage: 'nothing was asked for', at: Date.now() };
  let tell;
  const report = new Promise((resolve) => (tell = resolve));
  const server = createServer(async (request, response) => {
    for (const [name, value] of Object.entries(isolation)) response.setHeader(name, value);
    heard.at = Date.now();
    const send = (type, body) => response.writeHead(200, { 'content-type': type }).end(body);
    if (request.url === '/report' || request.url === '/stage') {
      const text = (await request.setEncoding('utf8').toArray()).join('');
      if (request.url === '/report') tell(JSON.parse(text));
      else heard.stage = text;
      send('text/plain', 'thanks');
    } else if (request.url === '/page') {
      send('text/html', page);
    } else if (request.url === '/cases') {
      send('application/json', JSON.stringify(cases));
    } else if (/^\/tests\/(js|browser)\/\w+\.js$/.test(request.url)) {
      send('text/javascript', await readFile(new URL(`../..${request.url}`, import.meta.url)));
    } else {
      demo.emit('request', request, response);
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    report,
    heard,
    address: `http://127.0.0.1:${server.address().port}/page`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function check(report, { opCases, fusions, loops, examples, threads, build }) {
  assert.deepEqual(opCases, [], build);
  for (const { tried, ready, failures } of [fusions, loops]) {
    assert.deepEqual(failures, [], build);
    assert.ok(tried >= 20 && ready > tried / 2, `code was made for only ${ready} of ${tried}`);
  }
  for (const beyond of examples)
    assert.ok(beyond.length > 1 && beyond.every((amount) => amount <= 0), `${build}: ${beyond}`);
  assert.ok(threads.isAlike, `${build}: several threads give other bits`);
  if (report.isIsolated && !/AppleWebKit/.test(report.userAgent))
    assert.ok(threads.count > 1, threads.reason);
}

/** What a page reports, or in words where its browser stopped: it ended, or was silent for long. */
async function reportOf(open) {
  const { report, heard, address, close } = await serve();
  const browser = await open(address);
  let timer;
  const silent = new Promise((resolve) => {
    const look = () => Date.now() - heard.at > 1000 * SILENT_SECONDS && resolve('is silent');
    timer = setInterval(look, 1000);
  });
  try {
    const ended = Promise.race([browser.ended.then(() => 'ended'), silent]);
    return await Promise.race([report, ended.then((how) => `it ${how} after: ${heard.stage}`)]);
  } finally {
    clearInterval(timer);
    await browser.close();
    close();
  }
}

for (const [name, open] of Object.entries(otherBrowsers))
  test(name, { skip: open ? false : 'it is not installed' }, async (t) => {
    let report = await reportOf(open);
    if (typeof report === 'string') {
      // Browsers crash by themselves now and then: twice in a row is a fault of ours. What a page reports is final.
      t.diagnostic(report);
      report = await reportOf(open);
    }
    assert.equal(typeof report, 'object', report);
    t.diagnostic(report.userAgent);
    assert.deepEqual(report.complaints, []);
    assert.ok(report.builds.length > 0);
    for (const one of report.builds) {
      const { build, fusions, loops, threads } = one;
      t.diagnostic(
        `${build}: ${fusions.tried} random fusions, ${loops.tried} loops, ${threads.count} threads`,
      );
      check(report, one);
    }
  });
