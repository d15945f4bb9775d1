/**
 * Highlights by the plainest reading of the rules: flags on characters, every window tried.
 */
import type { FieldValue } from '../support/wire.js';
import { analyzePlaces } from './analyze.js';
import { readToken } from './readings.js';
import type { OracleAnswer } from './search.js';

/** What marks words: clauses by number. */
export interface Marker {
  /** Clauses that the term matches by itself. */
  readonly clausesOf: (term: string) => readonly number[];
  /** Terms that match their clause when they stand side by side. */
  readonly phrases: readonly { readonly clause: number; readonly terms: readonly string[] }[];
}

export interface HighlightOptions {
  readonly open: string;
  readonly close: string;
  /** Tokens of a snippet; 0: the whole value. */
  readonly tokens: number;
}

export interface Highlight {
  readonly snippet: string | readonly string[];
  readonly matched: readonly string[];
}

interface HighlightedValue {
  readonly snippet: string;
  readonly words: readonly string[];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Runs of characters that some [from, to) covers. */
function runsOf(text: string, covered: readonly { from: number; to: number }[]): { from: number; to: number }[] {
  const flags = new Array<boolean>(text.length).fill(false);
  for (const { from, to } of covered) flags.fill(true, from, to);
  const runs: { from: number; to: number }[] = [];
  for (let i = 0; i < flags.length; i++) {
    if (flags[i] !== true) continue;
    const run = runs.at(-1);
    if (run !== undefined && run.to === i) run.to = i + 1;
    else runs.push({ from: i, to: i + 1 });
  }
  return runs;
}

const html = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '');

/** The first of the tokens that a snippet of `count` shows. */
function chooseFirst(clauses: readonly ReadonlySet<number>[], count: number): number {
  let best = { distinct: 0, matches: 0, first: 0, last: 0 };
  clauses.forEach((own, first) => {
    if (own.size === 0) return;
    const inside = clauses.slice(first, first + count);
    const distinct = new Set(inside.flatMap((set) => [...set])).size;
    const matches = inside.filter((set) => set.size > 0).length;
    const isBetter = distinct > best.distinct || (distinct === best.distinct && matches > best.matches);
    if (isBetter) best = { distinct, matches, first, last: first + inside.findLastIndex((set) => set.size > 0) };
  });
  if (best.distinct === 0) return 0;
  const free = count - (best.last - best.first + 1);
  return Math.max(0, Math.min(best.first - Math.floor(free / 2), clauses.length - count));
}

function highlightValue(text: string, marker: Marker, options: HighlightOptions): HighlightedValue {
  const tokens = analyzePlaces(text);
  const clauses = tokens.map(({ token }) => new Set(marker.clausesOf(token)));
  for (const { clause, terms } of marker.phrases)
    tokens.forEach((_, at) => {
      if (terms.every((term, i) => tokens[at + i]?.token === term))
        for (let i = 0; i < terms.length; i++) clauses[at + i]?.add(clause);
    });
  const count = options.tokens === 0 ? tokens.length : options.tokens;
  const first = chooseFirst(clauses, count);
  const past = Math.min(tokens.length, first + count);
  const from = first === 0 ? 0 : (tokens[first]?.from ?? 0);
  const to = past === tokens.length ? text.length : (tokens[past - 1]?.to ?? 0);
  const isMarked = (_: unknown, i: number): boolean => (clauses[i]?.size ?? 0) > 0;
  const shown = runsOf(
    text,
    tokens.filter((token, i) => isMarked(token, i) && i >= first && i < past),
  );
  let snippet = from > 0 ? '…' : '';
  let at = from;
  for (const run of shown) {
    snippet += html(text.slice(at, run.from)) + options.open + html(text.slice(run.from, run.to)) + options.close;
    at = run.to;
  }
  snippet += html(text.slice(at, to)) + (to < text.length ? '…' : '');
  return { snippet, words: runsOf(text, tokens.filter(isMarked)).map((run) => text.slice(run.from, run.to)) };
}

/** The highlight of a field that holds `value`; null when it holds none. */
export function highlightOracle(
  value: FieldValue | undefined,
  marker: Marker,
  options: HighlightOptions,
): Highlight | null {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) {
    const { snippet, words } = highlightValue(String(value), marker, options);
    return { snippet, matched: [...new Set(words)] };
  }
  const all = value.filter((element) => element !== null).map((each) => highlightValue(String(each), marker, options));
  if (all.length === 0) return null;
  const matching = all.filter(({ words }) => words.length > 0);
  return {
    snippet: (matching.length > 0 ? matching : all.slice(0, 1)).map(({ snippet }) => snippet),
    matched: [...new Set(matching.flatMap(({ words }) => words))],
  };
}

/** What the answer marks in `field`: nothing, if it was not queried. */
export function markerOf(answer: OracleAnswer, field: string): Marker {
  const { corpus, clauses } = answer;
  if (!corpus.statistics.some((queried) => queried.field.name === field)) return { clausesOf: () => [], phrases: [] };
  const distinct = [...new Map(clauses.map((clause) => [JSON.stringify(clause), clause])).values()];
  const readings = distinct.map((clause) => (clause.kind === 'phrase' ? null : readToken(clause, answer)));
  return {
    clausesOf: (term) => readings.flatMap((reading, i) => ((reading?.weightIn(field, term) ?? 0) > 0 ? [i] : [])),
    phrases: distinct.flatMap((clause, i) => {
      const phrases = clause.kind === 'phrase' ? [clause] : (readings[i]?.phrases ?? []);
      return phrases.map(({ tokens }) => ({ clause: i, terms: tokens }));
    }),
  };
}
