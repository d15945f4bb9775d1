/**
 * The term dictionary against a sorted array of its terms.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LAST_SOURCE } from '../../engine/core/merge-input.js';
import { mergeTermOrder } from '../../engine/terms/merge-term-order.js';
import type { TermDictionary } from '../../engine/terms/term-dictionary.js';
import { makeDictionary, randomWord, sortTerms } from './random-terms.js';

const words = fc.array(randomWord(8), { maxLength: 80 }).map(sortTerms);

function readAll(dictionary: TermDictionary): string[] {
  const cursor = dictionary.iterate();
  const terms: string[] = [];
  while (cursor.next()) {
    assert.equal(cursor.ord, terms.length);
    const bytes = Buffer.from(cursor.bytes.subarray(0, cursor.length));
    const previous = Buffer.from(terms.at(-1) ?? '');
    let shared = 0;
    while (shared < previous.length && previous[shared] === bytes[shared]) shared++;
    assert.equal(cursor.shared, shared, 'the cursor knows what it shares with the term before');
    terms.push(bytes.toString());
  }
  assert.equal(cursor.next(), false, 'an exhausted cursor stays exhausted');
  return terms;
}

test('iterating gives back the kept terms in order', () => {
  fc.assert(
    fc.property(words, fc.infiniteStream(fc.nat(3)), fc.constantFrom(0, 1, 64, 100), (sorted, stream, before) => {
      assert.deepEqual(readAll(makeDictionary(sorted, null, before)), sorted);
      const keep = Uint8Array.from(sorted, () => stream.next().value);
      const dictionary = makeDictionary(sorted, keep, before);
      const kept = sorted.filter((_, i) => keep[i] !== 0);
      assert.equal(dictionary.termCount, kept.length);
      assert.deepEqual(readAll(dictionary), kept);
    }),
  );
});

test('a term is found at its rank, and read back from it; others are not found', () => {
  fc.assert(
    fc.property(words, fc.array(randomWord(8)), (sorted, others) => {
      const dictionary = makeDictionary(sorted);
      const into = new Uint8Array(256);
      for (const word of [...sorted, ...others, '', 'zzz']) {
        const bytes = Buffer.from(`x${word}y`);
        const ord = sorted.indexOf(word);
        assert.equal(dictionary.find(bytes, 1, bytes.length - 1), ord);
        if (ord < 0) continue;
        const length = dictionary.readTerm(ord, into);
        assert.equal(Buffer.from(into.subarray(0, length)).toString(), word);
      }
    }),
  );
});

test('a prefix is the range of the terms that begin with it', () => {
  fc.assert(
    fc.property(words, fc.array(randomWord(4)), (sorted, prefixes) => {
      const dictionary = makeDictionary(sorted);
      for (const prefix of [...prefixes, ...sorted, '', 'a', 'é']) {
        const bytes = Buffer.from(prefix);
        const range = { low: -1, high: -1 };
        const found = dictionary.findPrefix(bytes, 0, bytes.length, range);
        const low = sorted.findIndex((word) => word.startsWith(prefix));
        const high = sorted.findLastIndex((word) => word.startsWith(prefix)) + 1;
        assert.equal(found, low >= 0);
        assert.deepEqual(range, found ? { low, high } : { low: -1, high: -1 });
        const before = sorted.filter((word) => Buffer.compare(Buffer.from(word), bytes) < 0);
        assert.equal(dictionary.countBefore(bytes, 0, bytes.length), before.length);
      }
    }),
  );
});

test('merged term orders are the sorted union, and every term names the dictionaries that have it', () => {
  const vocabularies = fc.array(fc.array(randomWord(6, ['a', 'b', 'é']), { maxLength: 60 }).map(sortTerms), {
    maxLength: 7,
  });
  fc.assert(
    fc.property(vocabularies, (lists) => {
      const { terms, sources } = mergeTermOrder(lists.map((list) => makeDictionary(list)));
      const union = sortTerms(lists.flat());
      const merged = Array.from({ length: terms.count }, (_, i) =>
        Buffer.from(terms.bytes.subarray(terms.offsets[i], terms.offsets[i + 1])).toString(),
      );
      assert.deepEqual(merged, union);
      assert.deepEqual(
        [...sources],
        union.flatMap((term) => {
          const having = [...lists.keys()].filter((i) => lists[i].includes(term));
          return having.map((i) => (i === having.at(-1) ? i | LAST_SOURCE : i));
        }),
      );
    }),
  );
});
