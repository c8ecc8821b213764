// What depends on whether somebody looks at a terminal: colour, a line that shows progress, and pipes whose reader has
// gone.

/** SGR codes. */
const styles = { error: '31;1', shape: '36', quiet: '2' };

/** @param {{ isTTY?: boolean }} stream @returns {boolean} as https://no-color.org and Node's own tools decide */
function hasColour(stream) {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR && FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && TERM !== 'dumb';
}

/**
 * @param {{ isTTY?: boolean }} stream that the text goes to
 * @param {keyof typeof styles} style
 * @param {string} text
 */
export function paint(stream, style, text) {
  return hasColour(stream) ? `\x1b[${styles[style]}m${text}\x1b[0m` : text;
}

/** Ends quietly when the reader of a pipe has seen enough: `hlo run … | head`. */
export function endWithReader() {
  process.stdout.on('error', (/** @type {any} */ error) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    throw error;
  });
}

const FIRST = 1000; // milliseconds until progress is shown
const AGAIN = 200;

/**
 * A line on standard error with the progress of a long run.
 * @param {boolean} [always] also where standard error is no terminal, a line each time
 */
export function progressLine(always = false) {
  const { stderr } = process;
  let next = FIRST;
  let isShown = false;
  return {
    /** @param {{ steps: number, milliseconds: number }} progress */
    show({ steps, milliseconds }) {
      if (milliseconds < next || !(always || stderr.isTTY)) return;
      next = milliseconds + (stderr.isTTY ? AGAIN : FIRST);
      const count = steps.toLocaleString('en', { notation: 'compact' });
      const text = `running for ${(milliseconds / 1000).toFixed(1)} s, ${count} steps`;
      stderr.write(stderr.isTTY ? `\r\x1b[2K${paint(stderr, 'quiet', text)}` : `${text}\n`);
      isShown = true;
    },
    clear() {
      if (isShown && stderr.isTTY) stderr.write('\r\x1b[2K');
    },
  };
}
