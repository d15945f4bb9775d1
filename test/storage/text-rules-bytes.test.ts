/**
 * Synonyms and stop words as a manifest holds them: what is written is what is read back, and nothing else is.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { EngineError } from '../../engine/core/errors.js';
import type { StopWords, Synonym, TextRuleChange } from '../../engine/core/text-rules.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { decodeTextRules, encodeTextRules } from '../../engine/storage/files/text-rules-bytes.js';
import type { ManifestCollection } from '../../engine/storage/types/manifest.js';

const schema = parseSchema({ name: 'films', fields: [{ name: 'title', type: 'text' }] });
const holding = (textRules?: Uint8Array): ManifestCollection => {
  const entry = { id: 1, createdAt: 0, schema, sequence: 0, segments: [] };
  return textRules === undefined ? entry : { ...entry, textRules };
};

const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const synonym: fc.Arbitrary<Synonym> = fc.record(
  { id: text, root: fc.option(text), synonyms: fc.array(text, { maxLength: 4 }) },
  { noNullPrototype: true },
);
const stopWords: fc.Arbitrary<StopWords | null> = fc.oneof(
  fc.constant(null),
  fc.constant({ language: 'english', words: null }),
  fc.array(text, { maxLength: 4 }).map((words) => ({ language: null, words })),
);

test('what a manifest holds is what was there', () => {
  fc.assert(
    fc.property(fc.uniqueArray(synonym, { selector: ({ id }) => id, maxLength: 6 }), stopWords, (synonyms, stop) => {
      const expected = synonyms.map(
        ({ id, root, synonyms }): TextRuleChange => ({ kind: 'synonym', id, rule: { root, synonyms } }),
      );
      if (stop !== null) expected.push({ kind: 'stop-words', stopWords: stop });
      assert.deepEqual(decodeTextRules(holding(encodeTextRules(synonyms, stop)), 'MANIFEST'), expected);
    }),
  );
});

test('a manifest without them holds none', () => {
  assert.deepEqual(decodeTextRules(holding(), 'MANIFEST'), []);
});

test('bytes that say anything else are corrupt, and the collection is named', () => {
  for (const bytes of [
    new Uint8Array(0),
    Uint8Array.of(0xc1),
    encode([]),
    encode([[['a', null]], null, null]),
    encode([[], 1, null]),
  ]) {
    assert.throws(
      () => decodeTextRules(holding(bytes), '/data/MANIFEST'),
      (error) => {
        assert.ok(error instanceof EngineError);
        assert.equal(error.code, 'corrupt_data');
        assert.match(
          error.message,
          /^\/data\/MANIFEST: wrong payload at offset 20: expected synonyms and stop words of the collection "films", got /,
        );
        return true;
      },
    );
  }
});
