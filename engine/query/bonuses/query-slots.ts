/**
 * What the typed tokens of a query stand for, as the bonuses see it: slots in the order typed, and the sources that
 * can stand for them. Made from what the answering stage has read.
 *
 * Everything here goes by what was typed and by terms, never by where documents lie, so that bonuses do not depend on
 * segments.
 */
import { assert } from '../../core/assert.js';
import { SLOTS_MAX, SOURCES_MAX } from '../../layout/occurrences.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { QueryToken } from '../../text/query-tokens.js';
import { NO_HOLDERS } from '../expand/alternative-phrase.js';
import type { RelatedWord } from '../expand/related-words.js';
import type { SegmentRanges } from '../expand/segment-ranges.js';
import { type MatchedToken, standsAlone, type TextQuery } from '../expand/text-query.js';
import type { Expansion } from '../expand/token-expansion.js';
import type { ParsedSearch } from '../parse-search.js';
import { phraseKey, type TokenClause } from '../query-clauses.js';
import { NO_RANGES, OwnRanges, type SourceRanges } from './own-ranges.js';

/** A source as it stands for a slot. */
export interface SlotReading {
  /** Index among the term sources, or behind them among the phrase sources. */
  readonly source: number;
  /** Slots that it stands for together, this one being the first; 0: this is another of them. */
  readonly covers: number;
  /** The typed token is only the beginning of it. */
  readonly isCompleted: boolean;
}

export interface QuerySlots {
  /** Per term source: its ranges in the segment with an index. */
  readonly terms: readonly ((segment: number) => SourceRanges)[];
  /** Per phrase source: the term sources of its tokens, each one exact term. */
  readonly phrases: readonly (readonly number[])[];
  /** In the order typed, 1 to SLOTS_MAX. */
  readonly slots: readonly (readonly SlotReading[])[];
  /** There are no phrases, and each reading stands for its slot alone. */
  readonly isPlain: boolean;
}

/** Completions of shorter tokens are too many to look at. */
const COMPLETED_CODE_POINTS_MIN = 3;

/** Whether documents may get bonuses for completions of a token. */
export const gainsByCompletions = ({ token, isCompleted }: TokenClause): boolean =>
  isCompleted && token.codePoints >= COMPLETED_CODE_POINTS_MIN;

/** Whether `search` has slots, and not too many. */
export const canMakeSlots = ({ slots }: ParsedSearch): boolean => slots.length > 0 && slots.length <= SLOTS_MAX;

/** The slots of `search` as the stage `text` reads them, if they can be made. */
export function makeSlots(
  { slots }: ParsedSearch,
  text: TextQuery,
  segments: readonly SearchableSegment[],
): QuerySlots {
  const plain = slotsOfTokens(slots, text, segments);
  if (plain !== null) return plain;
  const maker = new SlotsMaker(segments);
  for (const { token, clause } of slots) {
    const matched = text.typed[clause];
    if (matched?.kind === 'token') maker.addToken(matched);
    else maker.addExact(matched?.tokens.find((each) => each.token.text === token.text) ?? { token });
  }
  for (const matched of text.typed) if (matched?.kind === 'token') maker.addRelated(matched.related);
  return maker.finish();
}

/** The slots of tokens of which each stands alone and was typed once; null: there are others. */
function slotsOfTokens(
  slots: ParsedSearch['slots'],
  text: TextQuery,
  segments: readonly SearchableSegment[],
): QuerySlots | null {
  for (let slot = 0; slot < slots.length; slot++) {
    const matched = text.typed[slots[slot].clause];
    if (matched?.kind !== 'token' || matched.repeats > 1 || !standsAlone(matched)) return null;
    if (slots.length === 1) return slotsOf(matched, segments).alone;
  }
  const terms: QuerySlots['terms'][number][] = [];
  const readings: SlotReading[][] = [];
  for (let slot = 0; slot < slots.length; slot++) {
    const matched = text.typed[slots[slot].clause];
    assert(matched?.kind === 'token', 'token');
    const own = slotsOf(matched, segments).alone.terms;
    const plain: SlotReading = { source: terms.length, covers: 1, isCompleted: false };
    terms.push(own[0]);
    if (own.length === 1) readings.push([plain]);
    else {
      readings.push([plain, { source: terms.length, covers: 1, isCompleted: true }]);
      terms.push(own[1]);
    }
  }
  return { terms, phrases: NO_PHRASES, slots: readings, isPlain: true };
}

/** A source while the number of term sources is not known yet: an index among the terms, or among the phrases. */
interface LocalSource {
  readonly index: number;
  readonly isPhrase: boolean;
}

interface LocalReading extends LocalSource {
  readonly covers: number;
  readonly isCompleted: boolean;
}

/** Field by field: an object that is spread is built many times slower. */
const readingOf = ({ index, isPhrase }: LocalSource, covers: number, isCompleted: boolean): LocalReading => ({
  index,
  isPhrase,
  covers,
  isCompleted,
});

class SlotsMaker {
  readonly #segments: readonly SearchableSegment[];
  readonly #terms: ((segment: number) => SourceRanges)[] = [];
  readonly #phrases: (readonly number[])[] = [];
  readonly #slots: LocalReading[][] = [];
  /** Related words whose readings are in their slots. */
  readonly #related = new Set<string>();
  /** Term sources of exact tokens, by token. */
  readonly #exact = new Map<string, LocalSource>();
  /** Of tokens that were typed before. */
  readonly #known = new Map<MatchedToken, readonly LocalReading[]>();

  constructor(segments: readonly SearchableSegment[]) {
    this.#segments = segments;
  }

  /** A slot of a phrase, or of a token that was dropped: its exact term alone. */
  addExact(token: ExactToken): void {
    const source = this.#exactSource(token);
    this.#slots.push(source === null ? [] : [readingOf(source, 1, false)]);
  }

  addToken(matched: MatchedToken): void {
    const known = this.#known.get(matched);
    const readings = known ?? this.#readingsOf(matched);
    if (known === undefined) this.#known.set(matched, readings);
    this.#slots.push([...readings]);
  }

  /** Words that stand for slots together: synonyms, and neighbours written as one. Each clause of theirs has them. */
  addRelated(words: readonly RelatedWord[]): void {
    for (const { slot, length, tokens } of words) {
      const key = `${slot} ${length} ${phraseKey(tokens)}`;
      if (this.#related.has(key)) continue;
      this.#related.add(key);
      const exact = tokens.map((token) => ({ token }));
      const source = exact.length === 1 ? this.#exactSource(exact[0]) : this.#addPhrase(exact);
      if (source === null) continue;
      for (let at = slot; at < slot + length; at++)
        this.#slots[at].push(readingOf(source, at === slot ? length : 0, false));
    }
  }

  finish(): QuerySlots {
    const slots = this.#slots.map((readings) =>
      readings.map(({ index, isPhrase, covers, isCompleted }) => ({
        source: isPhrase ? this.#terms.length + index : index,
        covers,
        isCompleted,
      })),
    );
    const isPlain = this.#phrases.length === 0 && slots.every((own) => own.every(({ covers }) => covers === 1));
    return { terms: this.#terms, phrases: this.#phrases, slots, isPlain };
  }

  #readingsOf(matched: MatchedToken): LocalReading[] {
    const readings: LocalReading[] = [];
    const add = (ranges: (segment: number) => SourceRanges, completed: boolean): void => {
      const source = this.#addTerms(ranges);
      if (source !== null) readings.push(readingOf(source, 1, completed));
    };
    const { ranges: own } = slotsOf(matched, this.#segments);
    add(own.plain, false);
    if (gainsByCompletions(matched.clause)) add(own.completed, true);
    for (const { kind, tokens, holders } of matched.phrases) {
      if (kind !== 'split' || holders === NO_HOLDERS) continue;
      const source = this.#addPhrase(tokens);
      if (source !== null) readings.push(readingOf(source, 1, false));
    }
    return readings;
  }

  /** Whether there is room for one more source. */
  get #hasRoom(): boolean {
    return this.#terms.length + this.#phrases.length < SOURCES_MAX;
  }

  #addTerms(ranges: (segment: number) => SourceRanges): LocalSource | null {
    return this.#hasRoom ? { index: this.#terms.push(ranges) - 1, isPhrase: false } : null;
  }

  #exactSource({ token, expansion }: ExactToken): LocalSource | null {
    const key = token.text;
    const known = this.#exact.get(key);
    if (known !== undefined) return known;
    const source = this.#addTerms((s) =>
      expansion === undefined ? exactRanges(token, this.#segments[s]) : onlyRange(expansion.ranges, s),
    );
    if (source !== null) this.#exact.set(key, source);
    return source;
  }

  #addPhrase(tokens: readonly ExactToken[]): LocalSource | null {
    const sources: number[] = [];
    for (const token of tokens) {
      const source = this.#exactSource(token);
      if (source === null) return null;
      sources.push(source.index);
    }
    return this.#hasRoom ? { index: this.#phrases.push(sources) - 1, isPhrase: true } : null;
  }
}

/** What is known of a token that stands for its exact term alone: what that is expanded to, or nothing. */
interface ExactToken {
  readonly token: QueryToken;
  readonly expansion?: Expansion;
}

/** The range of an exact term in segment `index`. */
const onlyRange = ({ words, starts }: SegmentRanges, index: number): SourceRanges => {
  const at = starts[index];
  return at === starts[index + 1] ? NO_RANGES : [words[at], words[at + 1]];
};

function exactRanges({ bytes }: QueryToken, { reader }: SearchableSegment): SourceRanges {
  const ord = reader.dictionary.find(bytes, 0, bytes.length);
  return ord < 0 ? NO_RANGES : [reader.postings.firstEntry(ord), reader.postings.firstEntry(ord + 1)];
}

const NO_PHRASES: QuerySlots['phrases'] = [];
const PLAIN_READING: SlotReading = { source: 0, covers: 1, isCompleted: false };
const PLAIN_SLOT = [[PLAIN_READING]];
const COMPLETED_SLOT = [[PLAIN_READING, { source: 1, covers: 1, isCompleted: true }]];

/** What a token is to bonuses. */
interface TokenSlots {
  readonly ranges: OwnRanges;
  /** The slots of a query of this token alone. */
  readonly alone: QuerySlots;
}

/** Of expansions that are remembered, as long as they are; what it takes is part of theirs (query/expand/expansion-cache.ts). */
const knownSlots = new WeakMap<Expansion, TokenSlots>();

/** What `matched` is by itself, of a generation with `segments`. */
function slotsOf({ clause, own }: MatchedToken, segments: readonly SearchableSegment[]): TokenSlots {
  const known = knownSlots.get(own);
  if (known !== undefined) return known;
  const ranges = new OwnRanges(clause, own, segments);
  const alone: QuerySlots = gainsByCompletions(clause)
    ? { terms: [ranges.plain, ranges.completed], phrases: NO_PHRASES, slots: COMPLETED_SLOT, isPlain: true }
    : { terms: [ranges.plain], phrases: NO_PHRASES, slots: PLAIN_SLOT, isPlain: true };
  const made = { ranges, alone };
  knownSlots.set(own, made);
  return made;
}
