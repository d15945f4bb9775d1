/**
 * Remembers what is known of tokens for as long as the collection stays as it is: people ask for the same words, and a
 * generation never changes. One per generation and reader thread, in that thread's budget; released with its generation.
 */
import { BudgetedCache, type CacheBudget } from '../../core/cache-budget.js';
import type { QueryToken } from '../../text/query-tokens.js';
import type { AlternativePhrase } from './alternative-phrase.js';
import type { Expansion } from './token-expansion.js';

/** The token, and what holds its expansions. */
const TOKEN_BYTES = 240;
/**
 * Bytes of an expansion beside its numbers: its objects, and what is known by it alone: of bonuses (query/bonuses/query-slots.ts), whose numbers
 * are as many again, and of lists (list-outlines.ts, later-use.ts).
 */
const EXPANSION_BYTES = 900;
/** Of a number; and of a segment, two arrays beside where its ranges begin. */
const WORD_BYTES = 8;
const SEGMENT_BYTES = 72;
/** A larger expansion is not remembered: many others would have to go for it. */
const EXPANSION_BYTES_MAX = 8 << 20;
/** Sets of queried fields that are told apart; with one more all is forgotten. */
const FIELD_SETS_MAX = 64;
/** The lists of a token's splits, and each of them: a phrase of two tokens. */
const SPLITS_BYTES = 160;
const SPLIT_BYTES = 800;

const expansionBytes = ({ ranges: { words, starts } }: Expansion): number =>
  EXPANSION_BYTES + 3 * WORD_BYTES * words.length + SEGMENT_BYTES * starts.length;

/** The phrases that a token may be cut into. */
export interface Splits {
  readonly all: readonly AlternativePhrase[];
  /** Those that some document holds. */
  readonly held: readonly AlternativePhrase[];
}

export const NO_SPLITS: Splits = { all: [], held: [] };

/** What a token stands for in a mode, which its user numbers. */
interface KnownExpansion {
  readonly mode: number;
  readonly expansion: Expansion;
  readonly older: KnownExpansion | null;
}

/** What is known of a token in some queried fields: as much as was asked for. */
export class KnownToken {
  readonly token: QueryToken;
  /** Few: a chain takes less memory than arrays that grow. */
  #newest: KnownExpansion | null = null;
  #splits: Splits | undefined;
  /** What it takes, about. */
  bytes = TOKEN_BYTES;

  constructor(token: QueryToken) {
    this.token = token;
  }

  expansion(mode: number): Expansion | undefined {
    for (let known = this.#newest; known !== null; known = known.older) if (known.mode === mode) return known.expansion;
    return undefined;
  }

  get splits(): Splits | undefined {
    return this.#splits;
  }

  /** Remembers that of a mode that has none; false: it is too large. */
  setExpansion(mode: number, expansion: Expansion): boolean {
    const bytes = expansionBytes(expansion);
    if (bytes > EXPANSION_BYTES_MAX) return false;
    this.#newest = { mode, expansion, older: this.#newest };
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
