// Tokens, the host, channels between programs, and operations in two parts: started, and awaited.
import {
  int,
  listOf,
  parsedShape,
  rootOf,
  spread,
  subcomputation,
  textOfShape,
} from './arguments.js';

/** @typedef {import('../builder.js').Computation} Computation */
/** @typedef {import('./arguments.js').Context} Context */
/** @typedef {import('./arguments.js').OperationTable} OperationTable */

/** @param {number} channelId @param {boolean} [isHostTransfer] */
function channel(channelId, isHostTransfer) {
  return {
    attributes: {
      channel_id: channelId && int(channelId, 'channelId'),
      is_host_transfer: isHostTransfer,
    },
  };
}

/** @param {Computation} at @param {any} token @returns {any} the token, or a new one */
const tokenOr = (at, token) => token ?? at.add('after-all', []);

/** @param {string | undefined} config */
const quoted = (config) => (config === undefined ? undefined : JSON.stringify(config));

/** @param {Context} context @param {any} x @param {any} token @param {number} channelId @param {boolean} [toHost] @returns {any} the token after it */
function sendAndWait({ at }, x, token, channelId, toHost) {
  const state = at.add('send', [x, tokenOr(at, token)], channel(channelId, toHost));
  return at.add('send-done', [state], channel(channelId, toHost));
}

/** @param {Context} context @param {any} token @param {any} shape @param {number} channelId @param {boolean} [fromHost] @returns {any[]} what was received, and a token */
function receiveAndWait({ at }, token, shape, channelId, fromHost) {
  const state = at.add('recv', [tokenOr(at, token)], {
    shape: `(${textOfShape(shape)}, u32[], token[])`,
    ...channel(channelId, fromHost),
  });
  return spread(at.add('recv-done', [state], channel(channelId, fromHost)));
}

/** @type {OperationTable} */
export const communication = {
  afterAll: ({ at }, tokens = []) => at.add('after-all', listOf(tokens)),
  createToken: ({ at }) => at.add('after-all', []),
  addDependency: ({ at }, x, token) => at.add('add-dependency', [x, token]),
  infeed: (context, token, shapes, config) => {
    const [data, next] = communication.infeedWithToken(context, token, shapes, config);
    return token === undefined ? data : [data, next];
  },
  infeedWithToken: ({ at }, token, shapes, config) => {
    const shape = Array.isArray(shapes)
      ? `(${shapes.map(textOfShape).join(', ')})`
      : textOfShape(shapes);
    const [data, next] = spread(
      at.add('infeed', [tokenOr(at, token)], {
        shape: `(${shape}, token[])`,
        attributes: { infeed_config: quoted(config) },
      }),
    );
    return [spread(data), next];
  },
  outfeed: (context, operands, token, shapeWithLayout, outfeedConfig) =>
    communication.outfeedWithToken(context, operands, token, shapeWithLayout, outfeedConfig),
  outfeedWithToken: (context, operands, token, shapeWithLayout, outfeedConfig) => {
    const { at } = context;
    const data = rootOf(at, operands);
    const { text: shape } =
      shapeWithLayout === undefined ? data.xla : parsedShape(context, shapeWithLayout);
    return at.add('outfeed', [data, tokenOr(at, token)], {
      attributes: { outfeed_shape: shape, outfeed_config: quoted(outfeedConfig) },
    });
  },
  send: (context, x, token, channelId) =>
    token === undefined
      ? sendAndWait(context, x, token, channelId)
      : context.at.add('send', [x, token], channel(channelId)),
  sendWithToken: (context, x, token, channelId) => sendAndWait(context, x, token, channelId),
  sendToHost: (context, x, token, shapeWithLayout, channelId) =>
    sendAndWait(context, x, token, channelId, true),
  sendDone: ({ at }, state, channelId) => at.add('send-done', [state], channel(channelId)),
  recv: (context, token, shape, channelId) =>
    token === undefined
      ? receiveAndWait(context, token, shape, channelId)[0]
      : context.at.add('recv', [token], {
          shape: `(${textOfShape(shape)}, u32[], token[])`,
          ...channel(channelId),
        }),
  recvWithToken: (context, token, shape, channelId) =>
    receiveAndWait(context, token, shape, channelId),
  recvFromHost: (context, token, shape, channelId) =>
    receiveAndWait(context, token, shape, channelId, true),
  recvDone: ({ at }, state, channelId) => spread(at.add('recv-done', [state], channel(channelId))),
  copyStart: ({ at }, x) => at.add('copy-start', [x]),
  copyDone: ({ at }, state) => at.add('copy-done', [state]),
  asyncStart: (context, body, operands, options = {}) => {
    const xs = listOf(operands).map((x) => context.at.own(x));
    const shapes = xs.map((x) => x.xla.text);
    const calls = subcomputation(context, body, shapes);
    const thread = options.asyncExecutionThread;
    return context.at.add('async-start', xs, {
      shape: `((${shapes.join(', ')}), ${calls.result?.xla.text}, s32[])`,
      attributes: { calls, async_execution_thread: quoted(thread) },
    });
  },
  asyncUpdate: ({ at }, state) => at.add('async-update', [state]),
  asyncDone: ({ at }, state) => spread(at.add('async-done', [state])),
};
