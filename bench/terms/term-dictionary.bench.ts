/**
 * The term dictionary: laying down the trie, looking terms and prefixes up, corrections and mistyped prefixes, and the
 * merged order of several dictionaries.
 */
import { Bench } from 'tinybench';
import type { ArenaBinding } from '../../engine/memory/kernel-instance.js';
import { EditWalk } from '../../engine/terms/edit-walk.js';
import { mergeTermOrder } from '../../engine/terms/merge-term-order.js';
import { type OrdRange, TermDictionary } from '../../engine/terms/term-dictionary.js';
import { type SortedTerms, writeTermDictionary } from '../../engine/terms/term-dictionary-writer.js';
import { createRandom, pick, type Random, randomBelow } from '../../perf/random.js';
import { benchOptions, type SuiteSize, work } from '../suites.js';
import { bindingOf, writeOnce, writeViews } from '../support/engine-memory.js';
import { makeWords } from '../support/zipf.js';

const SOURCES = 8;
const TOKENS = 256;
/** Bytes a term may take in the trie, generously. */
const TERM_BYTES = 200;

function sortTerms(words: readonly string[]): SortedTerms {
  const sorted = words.map((word) => Buffer.from(word)).sort(Buffer.compare);
  const offsets = new Uint32Array(sorted.length + 1);
  for (const [i, word] of sorted.entries()) offsets[i + 1] = offsets[i] + word.length;
  return { bytes: Buffer.concat(sorted), offsets, count: sorted.length };
}

/** A dictionary and the arena it lies in. */
interface Built {
  readonly dictionary: TermDictionary;
  readonly binding: ArenaBinding;
}

function makeDictionary(words: readonly string[]): Built {
  let offset = 0;
  const views = writeViews(words.length * TERM_BYTES + 4096, (out) => {
    offset = writeTermDictionary(out, sortTerms(words), null);
  });
  return { dictionary: new TermDictionary(views, offset), binding: bindingOf(views) };
}

/** `word` with one letter replaced. */
function mistype(word: string, random: Random): string {
  const at = randomBelow(random, word.length);
  return `${word.slice(0, at)}${pick(random, ['x', 'q', 'e'])}${word.slice(at + 1)}`;
}

/** Goes round the tokens, one a call. */
function cycle(tokens: readonly Uint8Array[], run: (token: Uint8Array) => void): () => void {
  let next = 0;
  return () => run(tokens[next++ % tokens.length]);
}

/** Corrections and mistyped prefixes of one token a call. */
function addWalks(bench: Bench, { dictionary, binding }: Built, words: readonly string[], random: Random): void {
  binding.heap.reset();
  const long = words.filter((word) => word.length >= 8);
  const tokens = Array.from({ length: TOKENS }, () => Buffer.from(mistype(pick(random, long), random)));
  const prefixes = tokens.map((token) => token.subarray(0, 6));
  for (const edits of [1, 2] as const) {
    const within = edits === 1 ? '1 edit' : '2 edits';
    bench.add(
      `findCorrections, ${within}, a token`,
      cycle(tokens, (token) => void dictionary.findCorrections(binding, new EditWalk(token, edits))),
    );
    bench.add(
      `findMistyped, ${within}, a token of 6 letters`,
      cycle(prefixes, (token) => void dictionary.findMistyped(binding, new EditWalk(token, edits))),
    );
  }
}

/** Lookups are of many tokens a call: one would be too short to time. */
export function suite(size: SuiteSize): Bench {
  const count = size === 'tiny' ? 500 : 200_000;
  const random = createRandom(1);
  const words = makeWords(count, 2);
  const terms = sortTerms(words);
  const built = makeDictionary(words);
  const { dictionary } = built;
  const tokens = Array.from({ length: TOKENS }, () => Buffer.from(pick(random, words)));
  const sources = Array.from({ length: SOURCES }, (_, s) => {
    return makeDictionary(words.filter((_word, i) => i % 3 === 0 || i % SOURCES === s)).dictionary;
  });
  const sourceTerms = sources.reduce((sum, { termCount }) => sum + termCount, 0);
  const range: OrdRange = { low: 0, high: 0 };
  const spelled = new Uint8Array(256);
  const bench = new Bench(benchOptions(size, `term dictionary of ${count} terms`, true))
    .add(work('writeTermDictionary', count, 'terms'), () => {
      writeOnce(count * TERM_BYTES + 4096, (out) => {
        writeTermDictionary(out, terms, null);
        return out.align(4);
      });
    })
    .add(work(`mergeTermOrder of ${SOURCES} dictionaries`, sourceTerms, 'terms'), () => void mergeTermOrder(sources))
    .add(work('find', TOKENS, 'terms'), () => {
      for (const token of tokens) dictionary.find(token, 0, token.length);
    })
    .add(work('findPrefix of 3 letters', TOKENS, 'terms'), () => {
      for (const token of tokens) dictionary.findPrefix(token, 0, 3, range);
    })
    .add(work('readTerm', TOKENS, 'terms'), () => {
      for (let i = 0; i < TOKENS; i++) dictionary.readTerm(Math.floor((i * count) / TOKENS), spelled);
    });
  addWalks(bench, built, words, random);
  return bench;
}
