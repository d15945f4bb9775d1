/**
 * The term dictionary's edges: emptiness, long terms, many answers, misuse.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RegionFullError, RegionWriter } from '../../engine/memory/region-writer.js';
import { EditWalk } from '../../engine/terms/edit-walk.js';
import { mergeTermOrder } from '../../engine/terms/merge-term-order.js';
import { writeTermDictionary } from '../../engine/terms/term-dictionary-writer.js';
import { distancesToPrefixes, editDistance } from '../oracle/edit-distance.js';
import { binding, dirtyRegion, makeDictionary, packTerms, sortTerms } from './random-terms.js';

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

test('a dictionary without terms finds nothing', () => {
  for (const dictionary of [makeDictionary([]), makeDictionary(['a', 'b'], Uint8Array.of(0, 0))]) {
    assert.equal(dictionary.termCount, 0);
    assert.equal(dictionary.find(bytesOf('a'), 0, 1), -1);
    assert.equal(dictionary.find(bytesOf(''), 0, 0), -1);
    assert.equal(dictionary.findPrefix(bytesOf(''), 0, 0, { low: 0, high: 0 }), false);
    assert.equal(dictionary.iterate().next(), false);
    assert.deepEqual([...dictionary.findCorrections(binding, new EditWalk(bytesOf('a'), 2))], []);
    assert.deepEqual([...dictionary.findMistyped(binding, new EditWalk(bytesOf('a'), 2)).prefixes], []);
  }
  assert.equal(mergeTermOrder([]).terms.count, 0);
});

test('a term of 256 bytes is kept whole', () => {
  const long = '𐐨'.repeat(64);
  const sorted = sortTerms(['a', long, long.slice(0, -2), `${long.slice(0, -2)}𐐩`]);
  const dictionary = makeDictionary(sorted);
  const into = new Uint8Array(256);
  for (const [ord, term] of sorted.entries()) {
    assert.equal(dictionary.find(bytesOf(term), 0, bytesOf(term).length), ord);
    assert.equal(dictionary.readTerm(ord, into), bytesOf(term).length);
  }
  assert.deepEqual(
    [...dictionary.findCorrections(binding, new EditWalk(bytesOf(long), 1))],
    [sorted.indexOf(long.slice(0, -2)), 1, sorted.indexOf(`${long.slice(0, -2)}𐐩`), 1],
  );
});

test('edits count code points, not bytes', () => {
  const dictionary = makeDictionary(sortTerms(['дом', 'том', 'ток', '日本']));
  assert.deepEqual([...dictionary.findCorrections(binding, new EditWalk(bytesOf('дом'), 1))], [2, 1]);
  assert.deepEqual([...dictionary.findCorrections(binding, new EditWalk(bytesOf('дом'), 2))], [1, 2, 2, 1]);
  assert.deepEqual([...dictionary.findCorrections(binding, new EditWalk(bytesOf('月本'), 1))], [3, 1]);
});

test('a transposition across one deleted or inserted character costs two edits', () => {
  const dictionary = makeDictionary(['ba', 'bca']);
  assert.deepEqual([...dictionary.findCorrections(binding, new EditWalk(bytesOf('axb'), 2))], [0, 2]);
  assert.deepEqual([...dictionary.findCorrections(binding, new EditWalk(bytesOf('ab'), 2))], [0, 1, 1, 2]);
});

test('a mistyped prefix leads to the terms it begins', () => {
  const sorted = ['wire', 'wireless', 'wirelessly', 'wirls', 'world'];
  const dictionary = makeDictionary(sorted);
  assert.deepEqual([...dictionary.findMistyped(binding, new EditWalk(bytesOf('wirels'), 1)).prefixes], [1, 4, 1]);
  assert.deepEqual(
    [...dictionary.findMistyped(binding, new EditWalk(bytesOf('wirels'), 2)).prefixes],
    [0, 1, 2, 1, 4, 1],
  );
  assert.deepEqual([...dictionary.findMistyped(binding, new EditWalk(bytesOf('wire'), 1)).prefixes], [3, 4, 1]);
});

test('answers beyond one batch are all given, once', () => {
  const words: string[] = [];
  for (let i = 0; i < 30_000; i++) words.push(String.fromCodePoint(0x4e00 + (i % 20_000), 0x4e00 + i));
  const sorted = sortTerms(words);
  const dictionary = makeDictionary(sorted);
  const marked = binding.heap.mark();
  const pairs = dictionary.findCorrections(binding, new EditWalk(bytesOf('ab'), 2));
  assert.equal(binding.heap.mark(), marked, 'the scratch heap is given back');
  assert.equal(pairs.length, 2 * sorted.length);
  for (let i = 0; i < sorted.length; i++) assert.deepEqual([pairs[2 * i], pairs[2 * i + 1]], [i, 2]);
  assert.deepEqual(
    [...dictionary.findMistyped(binding, new EditWalk(bytesOf('ab'), 2)).prefixes],
    [0, sorted.length, 2],
  );
});

test('terms that a token of letters is found in beyond one batch are given in order', () => {
  const words: string[] = [];
  for (let i = 0; i < 30_000; i++)
    words.push(`${String.fromCodePoint(0x4e00 + i)}ab`, `a${String.fromCodePoint(0x4e00 + i)}b`);
  const sorted = sortTerms(words);
  const dictionary = makeDictionary(sorted);
  for (const token of ['ab', 'abc', 'b']) {
    const expected = sorted.flatMap((term, ord) => {
      const edits = editDistance(token, term);
      return edits === 1 || edits === 2 ? [ord, edits] : [];
    });
    assert.deepEqual([...dictionary.findCorrections(binding, new EditWalk(bytesOf(token), 2))], expected);
    const { words: found, prefixes } = dictionary.findMistyped(binding, new EditWalk(bytesOf(token), 2));
    assert.deepEqual([...found], expected);
    let end = 0;
    const edits: number[] = [];
    for (let i = 0; i < prefixes.length; i += 3) {
      assert.ok(prefixes[i] >= end, 'ranges ascend');
      end = prefixes[i + 1];
      for (let ord = prefixes[i]; ord < end; ord++) edits[ord] = prefixes[i + 2];
    }
    const best = sorted.map((term) => Math.min(...distancesToPrefixes(token, term)));
    for (const [ord, fewest] of best.entries())
      assert.equal(edits[ord], fewest === 1 || fewest === 2 ? fewest : undefined, sorted[ord]);
  }
});

test('alternating edit counts beyond one batch of ranges are all given', () => {
  const words: string[] = [];
  for (let i = 0; i < 20_000; i++) {
    const head = String.fromCodePoint(0x4e00 + i);
    words.push(`${head}a`, `${head}b`);
  }
  const sorted = sortTerms(words);
  const ranges = makeDictionary(sorted).findMistyped(binding, new EditWalk(bytesOf('xa'), 2)).prefixes;
  const edits: number[] = [];
  for (let i = 0; i < ranges.length; i += 3) {
    for (let ord = ranges[i]; ord < ranges[i + 1]; ord++) edits.push(ranges[i + 2]);
  }
  assert.deepEqual(
    edits,
    sorted.map((term) => (term.endsWith('a') ? 1 : 2)),
  );
});

test('a region that is too small is reported as such', () => {
  const out = new RegionWriter(dirtyRegion(4096));
  out.reserve(out.views.u8.length - 256);
  assert.throws(() => writeTermDictionary(out, packTerms(['a'.repeat(200)]), null), RegionFullError);
});

test('terms out of order are a bug that is caught', () => {
  for (const terms of [['b', 'a'], ['a', 'a'], ['ab', 'a'], ['']]) {
    assert.throws(() => writeTermDictionary(new RegionWriter(dirtyRegion(4096)), packTerms(terms), null), /assertion/);
  }
});
