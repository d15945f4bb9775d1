/**
 * Corrections and mistyped prefixes from the edit automaton against the full dynamic programme over every term.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EditWalk } from '../../engine/terms/edit-walk.js';
import { distancesToPrefixes, editDistance } from '../oracle/edit-distance.js';
import { binding, LETTERS, makeDictionary, randomWord, sortTerms } from './random-terms.js';

type Edits = 1 | 2;

function corrections(sorted: readonly string[], token: string, maxEdits: Edits): [string, number][] {
  const found = makeDictionary(sorted).findCorrections(binding, new EditWalk(Buffer.from(token), maxEdits));
  const pairs: [string, number][] = [];
  for (let i = 0; i < found.length; i += 2) pairs.push([sorted[found[i]], found[i + 1]]);
  return pairs;
}

function expectedCorrections(sorted: readonly string[], token: string, maxEdits: Edits): [string, number][] {
  return sorted
    .map((term): [string, number] => [term, editDistance(token, term)])
    .filter(([, edits]) => edits >= 1 && edits <= maxEdits);
}

function mistypedPrefixes(sorted: readonly string[], token: string, maxEdits: Edits): [string, number][] {
  const dictionary = makeDictionary(sorted);
  const { words, prefixes: found } = dictionary.findMistyped(binding, new EditWalk(Buffer.from(token), maxEdits));
  assert.deepEqual(
    words,
    dictionary.findCorrections(binding, new EditWalk(Buffer.from(token), maxEdits)),
    'they come along',
  );
  const pairs: [string, number][] = [];
  let end = 0;
  for (let i = 0; i < found.length; i += 3) {
    assert.ok(found[i] >= end, 'ranges ascend and are disjoint');
    assert.ok(found[i + 1] > found[i], 'no range is empty');
    end = found[i + 1];
    for (let ord = found[i]; ord < end; ord++) pairs.push([sorted[ord], found[i + 2]]);
  }
  return pairs;
}

function expectedMistypedPrefixes(sorted: readonly string[], token: string, maxEdits: Edits): [string, number][] {
  return sorted
    .map((term): [string, number] => [term, Math.min(...distancesToPrefixes(token, term))])
    .filter(([, edits]) => edits >= 1 && edits <= maxEdits);
}

function checkBoth(sorted: readonly string[], token: string): void {
  for (const maxEdits of [1, 2] as const) {
    assert.deepEqual(corrections(sorted, token, maxEdits), expectedCorrections(sorted, token, maxEdits));
    assert.deepEqual(mistypedPrefixes(sorted, token, maxEdits), expectedMistypedPrefixes(sorted, token, maxEdits));
  }
}

/** A word near `word`: up to three random edits, transpositions across a character among them. */
function mangle(word: string, letters: readonly string[]): fc.Arbitrary<string> {
  const edit = fc.tuple(fc.nat(4), fc.nat(), fc.constantFrom(...letters));
  return fc.array(edit, { maxLength: 3 }).map((edits) => {
    const chars = [...word];
    for (const [kind, where, letter] of edits) {
      const at = where % (chars.length + 1);
      if (kind === 0) chars.splice(at, 1);
      else if (kind === 1) chars.splice(at, 0, letter);
      else if (kind === 2) chars.splice(at, 1, letter);
      else if (at + kind - 1 <= chars.length) chars.splice(at, kind - 1, ...chars.slice(at, at + kind - 1).reverse());
    }
    return chars.join('');
  });
}

/** A token of up to `maxLength` code points, with terms near it and terms that are not. */
function vocabulary(maxLength: number, letters: readonly string[]): fc.Arbitrary<[string, string[]]> {
  return randomWord(maxLength, letters).chain((token) =>
    fc.tuple(
      fc.constant(token),
      fc
        .tuple(
          fc.array(mangle(token, letters), { maxLength: 12 }),
          fc.array(randomWord(8, letters), { maxLength: 12 }),
          fc.array(
            mangle(token, letters).chain((word) => randomWord(3, letters).map((tail) => word + tail)),
            {
              maxLength: 6,
            },
          ),
        )
        .map((lists) => sortTerms(lists.flat().map((word) => [...word].slice(0, 64).join('')))),
    ),
  );
}

test('every pair of short words over two letters is corrected exactly as far as it should be', () => {
  const all: string[] = [];
  for (let length = 1; length <= 6; length++) {
    for (let bits = 0; bits < 1 << length; bits++) {
      all.push([...bits.toString(2).padStart(length, '0')].map((bit) => (bit === '0' ? 'a' : 'é')).join(''));
    }
  }
  const sorted = sortTerms(all);
  for (const token of sorted) checkBoth(sorted, token);
});

test('corrections and mistyped prefixes are those within the edits allowed', () => {
  fc.assert(
    fc.property(vocabulary(12, LETTERS), ([token, sorted]) => checkBoth(sorted, token)),
    { numRuns: 300 },
  );
});

test('transpositions across a character are found in words of many letters', () => {
  const letters = [...'abcdefgh'];
  fc.assert(
    fc.property(vocabulary(10, letters), ([token, sorted]) => checkBoth(sorted, token)),
    { numRuns: 300 },
  );
});

test('nodes with many children are searched to the last one', () => {
  const letters = [...'0123456789abcdefghijklmnopqrstuvwxyz', 'é', 'б', '日'];
  const wide = fc
    .tuple(randomWord(7, letters), fc.integer({ min: 1, max: letters.length }), fc.gen())
    .map(([token, width, gen]): [string, string[]] => {
      const near = gen(mangle, token, letters);
      const terms = [token, near];
      // Below every prefix, `width` children.
      for (let i = 0; i <= near.length; i++) {
        for (const letter of letters.slice(-width)) terms.push(near.slice(0, i) + letter + near.slice(i + 1));
      }
      return [token, sortTerms(terms)];
    });
  fc.assert(
    fc.property(wide, ([token, sorted]) => checkBoth(sorted, token)),
    { numRuns: 150 },
  );
});

test('tokens of up to 64 code points use every bit of the state', () => {
  const letters = ['a', 'é', '日'];
  const long = fc
    .tuple(fc.integer({ min: 60, max: 64 }), fc.array(fc.constantFrom(...letters), { minLength: 64, maxLength: 64 }))
    .map(([length, chars]) => chars.slice(0, length).join(''));
  const near = long.chain((token) =>
    fc.tuple(fc.constant(token), fc.array(mangle(token, letters), { minLength: 1, maxLength: 8 })),
  );
  fc.assert(
    fc.property(near, ([token, words]) => {
      checkBoth(sortTerms(words.map((word) => [...word].slice(0, 64).join(''))), token);
    }),
    { numRuns: 100 },
  );
});
