/**
 * Remembers what is known of tokens for as long as the collection stays as it is: people ask for the same words, and a
 * generation never changes. One per generation and reader thread, in that thread's budget; released with its generation.
 */
import { BudgetedCache, type CacheBudget } from '../../core/cache-budget.js';
import type { QueryToken } from '../../text/query-tokens.js';
import type { AlternativePhrase } from './alternative-phrase.js';
import type { Expansion } from './token-expansion.js';

/** The token, and an empty list of expansions. */
const TOKEN_BYTES = 480;
/**
 * Bytes of an expansion beside its numbers: its objects, and of two arrays the heads, buffers and what those cost the system; and what
 * bonuses make of it (query/bonuses/query-slots.ts), whose numbers are as many again, with two arrays a segment.
 */
const EXPANSION_BYTES = 1400;
const SEGMENT_BYTES = 96;
/** A larger expansion is not remembered: many others would have to go for it. */
const EXPANSION_BYTES_MAX = 8 << 20;
/** Sets of queried fields that are told apart; with one more all is forgotten. */
const FIELD_SETS_MAX = 64;
/** The lists of a token's splits, and each of them: a phrase of two tokens, which share their bytes with it. */
const SPLITS_BYTES = 240;
const SPLIT_BYTES = 800;

const expansionBytes = ({ ranges: { words, starts } }: Expansion): number =>
  EXPANSION_BYTES + 3 * words.byteLength + starts.byteLength + SEGMENT_BYTES * starts.length;

/** The phrases that a token may be cut into. */
export interface Splits {
  readonly all: readonly AlternativePhrase[];
  /** Those that some document holds. */
  readonly held: readonly AlternativePhrase[];
}

/** What is known of a token in some queried fields: as much as was asked for. */
export class KnownToken {
  readonly token: QueryToken;
  /** By mode, which its user numbers. */
  readonly #expansions: (Expansion | undefined)[] = [];
  #splits: Splits | undefined;
  /** What it takes, about. */
  bytes = TOKEN_BYTES;

  constructor(token: QueryToken) {
    this.token = token;
  }

  expansion(mode: number): Expansion | undefined {
    return this.#expansions[mode];
  }

  get splits(): Splits | undefined {
    return this.#splits;
  }

  /** Whether it is remembered: it is not too large. */
  setExpansion(mode: number, expansion: Expansion): boolean {
    const bytes = expansionBytes(expansion);
    if (bytes > EXPANSION_BYTES_MAX) return false;
    while (this.#expansions.length <= mode) this.#expansions.push(undefined);
    this.#expansions[mode] = expansion;
    this.bytes += bytes;
    return true;
  }

  setSplits(splits: Splits): void {
    this.#splits = splits;
    this.bytes += SPLITS_BYTES;
    for (const { tokens } of splits.all) {
      this.bytes += SPLIT_BYTES;
      // Its tokens may be forgotten by themselves; their expansions stay.
      for (const { expansion } of tokens) this.bytes += expansionBytes(expansion);
    }
  }
}

/** Known tokens by text. */
export type KnownTokens = BudgetedCache<string, KnownToken>;

export class ExpansionCache {
  readonly #budget: CacheBudget;
  /** By queried fields. */
  readonly #byFields = new Map<string, KnownTokens>();
  #released = false;

  constructor(budget: CacheBudget) {
    this.#budget = budget;
  }

  /** What is known of tokens in the queried fields that `fieldKey` names. */
  tokensOf(fieldKey: string): KnownTokens {
    const known = this.#byFields.get(fieldKey);
    if (known !== undefined) return known;
    if (this.#byFields.size === FIELD_SETS_MAX) this.#forget();
    const tokens: KnownTokens = new BudgetedCache(this.#budget);
    if (this.#released) tokens.release();
    this.#byFields.set(fieldKey, tokens);
    return tokens;
  }

  /** Remembers `known`, to which something was added, as far as there is room. */
  keep(tokens: KnownTokens, known: KnownToken): void {
    tokens.add(known.token.text, known, known.bytes + known.token.text.length);
  }

  /** Forgets everything, for good. */
  release(): void {
    this.#released = true;
    this.#forget();
  }

  #forget(): void {
    for (const tokens of this.#byFields.values()) tokens.release();
    this.#byFields.clear();
  }
}
