/**
 * What single tokens stand for, each found out once a generation: asks the cache, and the segments for what that does not
 * hold.
 *
 * One per search, made by text-query.ts.
 */
import type { QueryToken } from '../../text/query-tokens.js';
import { findHolders } from '../match/phrase-holders.js';
import type { ParsedSearch } from '../parse-search.js';
import { type AlternativePhrase, mayBeHeld, type PhraseToken } from './alternative-phrase.js';
import { type ExpansionCache, KnownToken, type KnownTokens, NO_SPLITS, type Splits } from './expansion-cache.js';
import type { TextRules } from './text-rules.js';
import {
  countTyped,
  type Expansion,
  type ExpansionMode,
  type ExpansionSource,
  expandExactly,
  expandToken,
  widenExpansion,
} from './token-expansion.js';
import { findSplits, isInDictionary, joinTokens } from './word-splits.js';

/** Numbers of modes: the token alone; the first stage; the second, and what it adds when the first found nothing. */
const EXACTLY = 0;
const FIRST_STAGE = 1;
const SECOND_STAGE = 7;
const FOUND_NOTHING = 13;

/** The number of `mode` among the six of a stage. */
const placeOf = ({ isCompleted, edits }: ExpansionMode): number => 2 * edits + (isCompleted ? 1 : 0);

/** What expanding needs beside the parsed search. */
export interface ExpansionContext extends ExpansionSource {
  readonly cache: ExpansionCache;
  /** null: the collection has none. */
  readonly rules: TextRules | null;
}

export class TokenReader {
  readonly #context: ExpansionContext;
  readonly #tokens: KnownTokens;

  constructor({ fieldKey }: ParsedSearch, context: ExpansionContext) {
    this.#context = context;
    this.#tokens = context.cache.tokensOf(fieldKey);
  }

  /** What is known of `token`; the other methods add to it. */
  known(token: QueryToken): KnownToken {
    return this.#tokens.get(token.text) ?? new KnownToken(token);
  }

  /** What the token stands for in the first stage. */
  expand(known: KnownToken, mode: ExpansionMode): Expansion {
    const number = FIRST_STAGE + placeOf(mode);
    return known.expansion(number) ?? this.#keep(known, number, expandToken(known.token, mode, this.#prepared()));
  }

  /** What the token, expanded to `first` in the first stage, stands for in the second. */
  widen(known: KnownToken, first: Expansion, mode: ExpansionMode, foundNothing: boolean): Expansion {
    if (!first.isKnown || mode.edits === 0) return first;
    const number = (foundNothing ? FOUND_NOTHING : SECOND_STAGE) + placeOf(mode);
    const wider = known.expansion(number);
    if (wider !== undefined) return wider;
    return this.#keep(known, number, widenExpansion(known.token, first, mode, foundNothing, this.#prepared()));
  }

  /** Each of `tokens` by itself and nothing else. */
  exactly(tokens: readonly QueryToken[]): PhraseToken[] {
    return tokens.map((token): PhraseToken => {
      const known = this.known(token);
      return { token: known.token, expansion: this.#exact(known) };
    });
  }

  /** The phrases that the token may be cut into. */
  splits(known: KnownToken): Splits {
    if (known.splits !== undefined) return known.splits;
    const { segments, fields, budget } = this.#context;
    const frequencyOf = (part: QueryToken): number =>
      this.#tokens.get(part.text)?.expansion(EXACTLY)?.df ?? countTyped(part, this.#context);
    const all = findSplits(known.token, this.#context, frequencyOf).map((split): AlternativePhrase => {
      const tokens = this.exactly(split);
      const holders = findHolders(tokens, segments, fields, budget);
      return { kind: 'split', tokens, typedTokens: 1, holders };
    });
    const held = all.filter(mayBeHeld);
    // The same for most tokens.
    const splits = all.length === 0 ? NO_SPLITS : { all, held: held.length === all.length ? all : held };
    known.setSplits(splits);
    this.#context.cache.keep(this.#tokens, known);
    return splits;
  }

  /** `left` and `right` written as one, if some live document holds that in a queried field; else null. */
  join(left: QueryToken, right: QueryToken): QueryToken | null {
    const joined = this.#tokens.peek(left.text + right.text)?.token ?? joinTokens(left, right);
    // Hardly any two words are one, and what is none is not worth remembering.
    if (joined === null) return null;
    const { bytes } = joined;
    if (!isInDictionary(bytes, 0, bytes.length, this.#context)) return null;
    return this.#exact(this.known(joined)).df > 0 ? joined : null;
  }

  #exact(known: KnownToken): Expansion {
    return known.expansion(EXACTLY) ?? this.#keep(known, EXACTLY, expandExactly(known.token, this.#context));
  }

  #keep(known: KnownToken, mode: number, expansion: Expansion): Expansion {
    if (known.setExpansion(mode, expansion)) this.#context.cache.keep(this.#tokens, known);
    return expansion;
  }

  /** The context, with room for walks of dictionaries: the heaps still hold what the last query put there. */
  #prepared(): ExpansionContext {
    for (const { binding } of this.#context.segments) binding.heap.reset();
    return this.#context;
  }
}
