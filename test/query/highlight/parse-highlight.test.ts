import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../../engine/core/errors.js';
import { HIGHLIGHT_MARK_BYTES_MAX } from '../../../engine/core/limits.js';
import { type HighlightSpec, parseHighlight } from '../../../engine/query/highlight/parse-highlight.js';
import { SEARCH_DEFAULTS } from '../../support/search-request.js';
import { schemaOf } from '../sort/segments.js';

const plain = schemaOf(['text', 'text', 'keyword', 'text']);
const schema = { ...plain, fields: plain.fields.map((field, i) => (i === 3 ? { ...field, index: false } : field)) };

const parse = (given: Partial<typeof SEARCH_DEFAULTS>): HighlightSpec | null =>
  parseHighlight({ ...SEARCH_DEFAULTS, ...given }, schema);

test('no fields are null, names become indexes in the order given', () => {
  for (const highlight of [null, '', '  ']) assert.equal(parse({ highlight }), null);
  const spec = parse({ highlight: 'f1, f0 ', highlightOpen: '<é>', snippetTokens: 7 });
  assert.deepEqual(spec?.fields, [1, 0]);
  assert.equal(Buffer.from(spec?.open ?? []).toString(), '<é>');
  assert.equal(Buffer.from(spec?.close ?? []).toString(), '</mark>');
  assert.equal(spec?.snippetTokens, 7);
  assert.equal(parse({ highlight: 'f0', highlightClose: '' })?.close.length, 0);
});

const LONG = 'é'.repeat(HIGHLIGHT_MARK_BYTES_MAX / 2);
const FAULTS: [string, Partial<typeof SEARCH_DEFAULTS>, RegExp][] = [
  [
    'a blank name',
    { highlight: 'f1,,f0' },
    /^highlight: expected an indexed text field \(f0, f1\), got a blank name \(at position 3\)/,
  ],
  ['an unknown field', { highlight: 'f1, nope' }, /unknown field "nope" \(at position 4\)/],
  ['a keyword', { highlight: 'f2' }, /got "f2" of type keyword \(at position 0\)/],
  ['a text that is not searched', { highlight: 'f0,f3' }, /got "f3" with "index": false \(at position 3\)/],
  ['a field twice', { highlight: 'f1,f0,f1' }, /"f1" is given twice \(at position 6\)/],
  [
    'a long mark',
    { highlight: 'f0', highlightOpen: `${LONG}x` },
    /^highlight_open: expected at most 256 bytes, got 257$/,
  ],
  ['a long closing mark, of no field', { highlightClose: `${LONG}x` }, /^highlight_close: .* got 257$/],
];

for (const [what, given, message] of FAULTS) {
  test(`${what} is refused and says why`, () => {
    const check = (error: unknown): boolean =>
      error instanceof EngineError && error.code === 'invalid_query' && message.test(error.message);
    assert.throws(() => parse(given), check);
  });
}

test('a mark of the longest length is taken', () => {
  assert.equal(parse({ highlight: 'f0', highlightOpen: LONG })?.open.length, HIGHLIGHT_MARK_BYTES_MAX);
});
