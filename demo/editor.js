// The editor: CodeMirror with highlighting for HLO and StableHLO text and a marker for the located error. Bundled into
// editor.bundle.js by `make demo`.
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';

const words =
  /^(HloModule|ENTRY|ROOT|func\.func|func\.return|func\.call|module|return|call|public|private|true|false|dense|applies|across|dimensions|init|cond|do|reducer|inf|nan)\b/;
const types =
  /^(pred|token|tuple|tensor|complex|[suif]\d+|ui\d+|bf16|c64|c128|f[48]e\w+)(?=[[<\s,:)>x]|$)/;

/** Both languages in one: their words hardly overlap. */
const parser = {
  name: 'hlo',
  startState: () => ({ comment: false }),
  token(stream, state) {
    if (state.comment || stream.match('/*')) {
      state.comment = !stream.match(/^.*?\*\//);
      if (state.comment) stream.skipToEnd();
      return 'comment';
    }
    if (stream.match(/^\/\/.*/)) return 'comment';
    if (stream.match(/^"([^"\\]|\\.)*"/)) return 'string';
    if (stream.match(/^[%@#^][\w.$-]+/)) return 'variableName';
    if (stream.match(words)) return 'keyword';
    if (stream.match(types)) return 'typeName';
    if (stream.match(/^-?(0x[\da-fA-F]+|\d+(\.\d*)?([eE][-+]?\d+)?)/)) return 'number';
    if (stream.match(/^[A-Za-z_][\w.-]*/))
      return stream.match(/^\s*\(/, false) ? 'functionName' : null;
    stream.next();
    return null;
  },
  tokenTable: { functionName: tags.function(tags.variableName) },
  languageData: { commentTokens: { line: '//' } },
};
const language = StreamLanguage.define(parser);

/** Names that can be completed: what the engine calls them, and what kind of name it is. */
const completion = (words) => (context) => {
  const word = context.matchBefore(/[A-Za-z_][\w.-]*/);
  return word && (context.explicit || word.to - word.from > 1)
    ? { from: word.from, options: words, validFor: /^[\w.-]*$/ }
    : null;
};

const colors = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--keyword)', fontWeight: '600' },
  { tag: tags.typeName, color: 'var(--type)' },
  { tag: tags.number, color: 'var(--number)' },
  { tag: tags.string, color: 'var(--number)' },
  { tag: tags.comment, color: 'var(--comment)', fontStyle: 'italic' },
  { tag: tags.function(tags.variableName), color: 'var(--accent)' },
]);

const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--paper)', color: 'var(--ink)' },
  '.cm-content': { caretColor: 'var(--ink)', fontFamily: 'ui-monospace, monospace' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': {
    backgroundColor: 'var(--raised)',
    color: 'var(--quiet)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 8%, transparent)',
  },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent) !important',
    color: 'var(--on-accent) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    borderColor: 'var(--line)',
  },
});

/**
 * A program that is only read: of a long one what is seen is in the page. It can be searched, and copied as a whole.
 * @param {Element} parent
 * @param {string} text
 * @param {string} label
 * @returns {{ dispose(): void }}
 */
export function createReader(parent, text, label) {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text.trimEnd(),
      extensions: [
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        basicSetup,
        language,
        syntaxHighlighting(colors),
        theme,
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      ],
    }),
  });
  return { dispose: () => view.destroy() };
}

/**
 * @param {Element} parent
 * @param {{ run: () => void, changed: () => void, words?: { label: string, detail?: string }[] }} options what Ctrl+Enter
 *   and changes do, and which words are offered while one types
 */
export function createEditor(parent, { run, changed, words = [] }) {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (run(), true) }])),
        basicSetup,
        language,
        language.data.of({ autocomplete: completion(words) }),
        syntaxHighlighting(colors),
        theme,
        lintGutter(),
        EditorView.contentAttributes.of({ 'aria-label': 'Program text' }),
        EditorView.updateListener.of((update) => update.docChanged && changed()),
      ],
    }),
  });
  /** The position of a 1-based line and column, as near as the text has it. */
  const position = (line, column) => {
    const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
    return Math.min(at.from + Math.max(column - 1, 0), at.to);
  };
  return {
    get text() {
      return view.state.doc.toString();
    },
    set text(text) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: 0 },
        scrollIntoView: true,
      });
    },
    /** Marks the error in its line; null takes the mark away. */
    mark(error) {
      const diagnostics = [];
      if (error) {
        const from = position(error.line, error.column);
        const word = /^[%@]?[\w.-]+/.exec(view.state.sliceDoc(from, from + 80))?.[0].length ?? 1;
        diagnostics.push({
          from,
          to: Math.min(from + word, view.state.doc.length),
          severity: 'error',
          message: error.message,
        });
      }
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    /** Puts the cursor at a line and column. */
    show(line, column) {
      view.dispatch({
        selection: { anchor: position(line, column) },
        effects: EditorView.scrollIntoView(position(line, column), { y: 'center' }),
      });
      view.focus();
    },
  };
}
