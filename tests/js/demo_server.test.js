// The server of `hlo demo`, spoken to by raw sockets: every request gets an answer, whatever its target, method and host, only
// the playground's and the package's files are served, and only this computer reaches it unless asked otherwise.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, test } from 'node:test';
import { demoServer } from '../../web/cli/demo.js';
import { RandomProgram } from './random_program.js';

const listen = (server, ...where) =>
  new Promise((resolve) => server.listen(...where, () => resolve(server.address().port)));
const server = demoServer();
const port = await listen(server, 0, 'localhost');
after(() => server.close());

/** Sends bytes; resolves with all that comes back until the server ends the connection. */
function speak(bytes, to = port, host = 'localhost') {
  return new Promise((resolve, reject) => {
    const socket = connect(to, host, () => socket.end(bytes));
    const parts = [];
    socket.on('data', (part) => parts.push(part));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')));
  });
}
const ask = (target, { method = 'GET', host = `localhost:${port}`, more = '', to = port } = {}) =>
  speak(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`, to);
const statusOf = (answer) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

test('serves the playground and the package', async () => {
  for (const [target, status] of [
    ['/demo/', 200],
    ['/demo/index.html', 200],
    ['/demo/?x=1', 200],
    ['/demo/%69ndex.html', 200],
    ['/web/index.js', 200],
    [`http://localhost:${port}/web/index.js`, 200],
    ['//demo//', 200],
    ['/', 302],
    ['/demo', 302],
    ['/?x', 302],
  ])
    assert.equal(statusOf(await ask(target)), status, target);
  const whole = await ask('/web/index.js');
  const head = await ask('/web/index.js', { method: 'HEAD' });
  assert.match(whole, /content-type: text\/javascript/);
  const ofFile = (answer) => answer.replace(/\r\nDate: [^\r]*/, '').split('\r\n\r\n');
  assert.equal(ofFile(head)[0], ofFile(whole)[0]);
  assert.equal(ofFile(head)[1], '');
});

test('answers targets that are no paths, or lead elsewhere', async () => {
  for (const target of [
    '//',
    '///',
    '/%',
    '/%2',
    '/%ff',
    '/demo/%00',
    '/demo/\\..\\package.json',
    '/demo/%5c..%5cpackage.json',
    '/demo/../package.json',
    '/demo/%2e%2e/package.json',
    '/demo/..%2fpackage.json',
    '/web/../../../etc/passwd',
    '/package.json',
    '/demo/none.html',
    '/demo/index.html/',
    '/web',
    '/web/wasm',
    '*',
    'demo',
    '?',
    'http:',
    'http://',
    `http://localhost:${port}//`,
    'http://[/',
    'file:///etc/passwd',
    'javascript:1',
    `/demo/${'x'.repeat(9000)}`,
  ]) {
    const answer = await ask(target);
    assert.ok([302, 400, 404, 421].includes(statusOf(answer)), `${target}: ${answer}`);
    assert.doesNotMatch(answer, /"name":|root:/);
  }
});

test('takes GET and HEAD, from pages of its own', async () => {
  for (const method of [
    'POST',
    'PUT',
    'DELETE',
    'OPTIONS',
    'PATCH',
    'TRACE',
    'CONNECT',
    'PROPFIND',
  ]) {
    const answer = await ask('/demo/', { method, more: 'Content-Length: 0\r\n' });
    assert.equal(statusOf(answer), 405, method);
    assert.match(answer, /allow: GET, HEAD/i);
  }
  const more = 'Upgrade: websocket\r\nConnection: Upgrade\r\n';
  assert.equal(statusOf(await ask('/demo/', { more })), 405);
  for (const host of [
    'localhost',
    '127.0.0.1:80',
    '[::1]:1',
    'LOCALHOST:2',
    'demo.localhost',
    '127.1.2.3',
  ])
    assert.equal(statusOf(await ask('/demo/', { host })), 200, host);
  for (const host of [
    'example.com',
    'localhost.example.com',
    '192.168.0.1',
    'x@localhost',
    '[::1',
    'a b',
    '127.0.0.1.nip.io',
  ])
    assert.ok([400, 421].includes(statusOf(await ask('/demo/', { host }))), host);
  assert.equal(statusOf(await ask('http://example.com/demo/')), 421);
});

test('answers what is no request', async () => {
  for (const bytes of [
    'x\r\n\r\n',
    'GET\r\n\r\n',
    'GET /demo/ HTTP/9.9\r\n\r\n',
    'GET /demo/ HTTP/1.1\r\n\r\n', // without a host
    'GET /demo/ HTTP/1.0\r\n\r\n',
    `GET /demo/ HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`,
    'GET /demo/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n',
    '\x16\x03\x01\x00\x05hello', // TLS
  ])
    assert.ok(statusOf(await speak(bytes)) >= 400, JSON.stringify(bytes.slice(0, 60)));
  const random = new RandomProgram(1);
  const words = [
    '/',
    '//',
    '.',
    '..',
    '%',
    '%2',
    '%2f',
    '%00',
    '?',
    '#',
    ':',
    '@',
    '[',
    ']',
    'demo',
    'web',
    'http://',
    '\\',
    'é',
    '*',
  ];
  for (let seed = 0; seed < 500; seed++) {
    const target = Array.from({ length: 1 + random.below(8) }, () => random.pick(words)).join('');
    assert.ok(statusOf(await ask(target)) >= 200, `seed ${seed}: ${target}`);
  }
  assert.equal(statusOf(await ask('/demo/')), 200); // it lives
});

test('only this computer reaches it unless asked otherwise', async (t) => {
  const { address } = server.address();
  assert.ok(['127.0.0.1', '::1'].includes(address), address);
  const other = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4');
  if (!other) return t.skip('no other address');
  await assert.rejects(speak('', port, other.address), /ECONNREFUSED/);
  const open = demoServer('0.0.0.0');
  const to = await listen(open, 0, '0.0.0.0');
  try {
    const answer = await speak(
      `GET /demo/ HTTP/1.1\r\nHost: ${other.address}:${to}\r\nConnection: close\r\n\r\n`,
      to,
      other.address,
    );
    assert.equal(statusOf(answer), 200);
  } finally {
    open.close();
  }
});
