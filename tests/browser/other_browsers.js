// Firefox and WebKit for tests: started with an address to open, and ended. What a page finds it has to send to whoever
// serves it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Nothing of its own on the network, and no page but the one it is started with. */
const preferences = {
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'browser.aboutwelcome.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
};

/** @returns {string | undefined} the first of these files that there is */
const firstOf = (paths) => paths.find((path) => path && existsSync(path));

/** Where WebKitGTK's own browser lies: lib/<machine>/webkit2gtk-4.1/MiniBrowser. */
function miniBrowser() {
  const parent = '/usr/lib';
  if (!existsSync(parent)) return undefined;
  const folders = readdirSync(parent).filter((name) => name.includes('-linux-gnu'));
  return firstOf(folders.map((name) => join(parent, name, 'webkit2gtk-4.1/MiniBrowser')));
}

/**
 * A browser or what it needs, in a process group of its own, since browsers start others.
 * @typedef {{ ended: Promise<unknown>, close: () => Promise<void> }} Opened
 */
function start(program, args, options = {}) {
  const child = spawn(program, args, { stdio: 'ignore', detached: true, ...options });
  const ended = new Promise((resolve) => child.on('exit', resolve).on('error', resolve));
  return {
    child,
    ended,
    async close() {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
      await ended;
    },
  };
}

async function openFirefox(program, address) {
  const profile = mkdtempSync(join(tmpdir(), 'hlo-wasm-firefox-'));
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join(''));
  const browser = start(program, ['--headless', '--no-remote', '--profile', profile, address]);
  const close = async () => {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { ended: browser.ended, close };
}

async function openWebKit(program, address) {
  const screen = start('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x800x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const display = await new Promise((resolve, reject) => {
    screen.child.stdio[3].once('data', (line) => resolve(`:${String(line).trim()}`));
    screen.child.once('exit', () => reject(new Error('Xvfb ended')));
  });
  const browser = start(program, [address], { env: { ...process.env, DISPLAY: display } });
  const close = async () => {
    await browser.close();
    await screen.close();
  };
  return { ended: browser.ended, close };
}

/**
 * Those that are installed, by name: each opens an address, and says when the browser ends and what ends it.
 * @type {Record<string, ((address: string) => Promise<Opened>) | undefined>}
 */
export const otherBrowsers = {};
const firefox = firstOf([process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox']);
const webKit = firstOf(['/usr/bin/Xvfb']) && miniBrowser();
otherBrowsers.Firefox = firefox && ((address) => openFirefox(firefox, address));
otherBrowsers.WebKit = webKit && ((address) => openWebKit(webKit, address));
