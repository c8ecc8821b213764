// Chromium for tests: launched with the flags that a closed network and a sandboxed root need, the demo served beside it.
import { chromium } from 'playwright-core';
import { demoServer } from '../../web/cli/demo.js';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Headers that let a page's threads share memory. */
export const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** Rejects where there is no Chromium. */
export const openBrowser = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });

/** A browser and the demo's address, served with more headers; close() ends both. */
export async function openDemo(headers = {}) {
  const server = demoServer();
  server.prependListener('request', (_request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await openBrowser();
  return {
    browser,
    address: `http://127.0.0.1:${server.address().port}`,
    async close() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A page that records everything that should not be in its console. */
export async function openPage(demo, path, options = {}) {
  const page = await demo.browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  const complaints = [];
  page.on(
    'console',
    (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()),
  );
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
  await page.goto(demo.address + path);
  return { page, complaints };
}
