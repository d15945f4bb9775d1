/**
 * The synonyms and stop words of one collection, as they are looked up in a query: by the tokens of what was typed.
 *
 * The writer has one of each collection, to know what its rules list together; each reader thread has one, which it keeps in
 * step by the writer's changes. A change costs what its rule lists, however many rules there are. Words are analysed as
 * documents are, so that "T.V." and "t v" are the same; a rule costs memory in the number of its words, not of their pairs.
 */
import { assertPresent } from '../core/assert.js';
import { SYNONYM_TARGETS_MAX, SYNONYM_TOKENS_MAX, TEXT_RULE_WORD_BYTES } from '../core/limits.js';
import type { StopWords, Synonym, SynonymRule, TextRuleChange } from '../core/text-rules.js';
import { Analyzer } from './analyzer.js';
import { analyzeTokens, type QueryToken } from './query-tokens.js';
import { hasStopWords, stopWordsOf } from './stop-word-lists.js';

/** What a rule lists: its words stand for one another, or all of them for a root. */
interface Word {
  readonly key: string;
  readonly tokens: readonly QueryToken[];
}

/** Words that may be typed, and what rules list beside them. */
interface Source {
  /** Of the tokens. */
  readonly length: number;
  readonly lists: (readonly Word[])[];
  /** How many words that are, counted once for each rule. */
  listed: number;
  /** Made when it is first asked for. */
  match: SynonymMatch | null;
}

/** A run of typed tokens that has synonyms. */
interface SynonymMatch {
  readonly length: number;
  readonly targets: readonly (readonly QueryToken[])[];
}

const NO_MATCHES: readonly SynonymMatch[] = [];
const NO_WORDS: ReadonlySet<string> = new Set();
const analyzer = new Analyzer();

/** UTF-8 as one character a byte: unlike text, it is the same for the same bytes, whatever they are. */
const byteText = ({ bytes }: QueryToken): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** What tokens[from, to) are known by: no token holds a blank. */
export function tokensKey(tokens: readonly QueryToken[], from: number, to: number): string {
  let key = byteText(tokens[from]);
  for (let i = from + 1; i < to; i++) key += ` ${byteText(tokens[i])}`;
  return key;
}

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8') + TEXT_RULE_WORD_BYTES;

/** What `words` count for in TEXT_RULES_BYTES_MAX. */
const sumBytes = (words: readonly string[]): number => words.reduce((sum, word) => sum + bytesOf(word), 0);

function ruleBytes(id: string, { root, synonyms }: SynonymRule): number {
  return bytesOf(id) + (root === null ? 0 : bytesOf(root)) + sumBytes(synonyms);
}

/** What taking in `change` has to go through, in bytes: counted as for TEXT_RULES_BYTES_MAX. */
export function changeBytes(change: TextRuleChange): number {
  if (change.kind === 'stop-words') return sumBytes(change.stopWords?.words ?? []);
  return change.rule === null ? 0 : ruleBytes(change.id, change.rule);
}

/** The different words of `texts`; one without a token is none. */
function wordsOf(texts: readonly string[]): Word[] {
  const words = new Map<string, Word>();
  for (const text of texts) {
    const tokens = analyzeTokens(text, analyzer);
    if (tokens.length === 0) continue;
    const key = tokensKey(tokens, 0, tokens.length);
    if (!words.has(key)) words.set(key, { key, tokens });
  }
  return [...words.values()];
}

/** The stop words of languages are the same for all collections. */
const languageSets = new Map<string, ReadonlySet<string>>();

function stopWordSet({ language, words }: StopWords): ReadonlySet<string> {
  if (language === null) return keySet(words ?? []);
  let set = languageSets.get(language);
  if (set === undefined) {
    set = keySet(hasStopWords(language) ? stopWordsOf(language) : []);
    languageSets.set(language, set);
  }
  return set;
}

const keySet = (words: readonly string[]): ReadonlySet<string> => new Set(wordsOf(words).map(({ key }) => key));

/** A rule, with the different words that it lists. */
interface Listing {
  readonly rule: SynonymRule;
  readonly list: readonly Word[];
}

export class TextRuleSet {
  readonly #listings = new Map<string, Listing>();
  readonly #sources = new Map<string, Source>();
  #stopWords: StopWords | null = null;
  #stopWordKeys: ReadonlySet<string> = NO_WORDS;
  /** See TEXT_RULES_BYTES_MAX. */
  bytes = 0;

  get isEmpty(): boolean {
    return this.#listings.size === 0 && this.#stopWords === null;
  }

  get synonymCount(): number {
    return this.#listings.size;
  }

  hasSynonym(id: string): boolean {
    return this.#listings.has(id);
  }

  get stopWords(): StopWords | null {
    return this.#stopWords;
  }

  /** In no order. */
  *synonyms(): Iterable<Synonym> {
    for (const [id, { rule }] of this.#listings) yield { id, root: rule.root, synonyms: rule.synonyms };
  }

  /** Carries out `change` and returns the one that takes it back. */
  apply(change: TextRuleChange): TextRuleChange {
    if (change.kind === 'stop-words') return this.#setStopWords(change.stopWords);
    const { id, rule } = change;
    const before = this.#listings.get(id) ?? null;
    if (before !== null) {
      this.#listings.delete(id);
      for (const word of sourcesOf(before)) this.#unlist(word, before.list);
      this.bytes -= ruleBytes(id, before.rule);
    }
    if (rule !== null) {
      const listing: Listing = { rule, list: wordsOf(rule.synonyms) };
      this.#listings.set(id, listing);
      for (const word of sourcesOf(listing)) this.#list(word, listing.list);
      this.bytes += ruleBytes(id, rule);
    }
    return { kind: 'synonym', id, rule: before?.rule ?? null };
  }

  /**
   * Words of the rule `id` for which all rules together list more than SYNONYM_TARGETS_MAX, and how many that are; null:
   * there are none.
   */
  findCrowded(id: string): { readonly text: string; readonly listed: number } | null {
    const listing = this.#listings.get(id);
    for (const { key } of listing === undefined ? [] : sourcesOf(listing)) {
      const listed = this.#sources.get(key)?.listed ?? 0;
      if (listed > SYNONYM_TARGETS_MAX) return { text: Buffer.from(key, 'latin1').toString(), listed };
    }
    return null;
  }

  /**
   * The synonyms of the runs that begin at tokens[i], shorter runs first; what may stand for one, in the order of its bytes.
   */
  synonymsAt(tokens: readonly QueryToken[], i: number): readonly SynonymMatch[] {
    if (this.#sources.size === 0) return NO_MATCHES;
    const matches: SynonymMatch[] = [];
    const end = Math.min(tokens.length, i + SYNONYM_TOKENS_MAX);
    let key = '';
    for (let to = i; to < end; to++) {
      key = to === i ? byteText(tokens[to]) : `${key} ${byteText(tokens[to])}`;
      const source = this.#sources.get(key);
      if (source !== undefined) matches.push(matchOf(key, source));
    }
    return matches;
  }

  isStopWord(token: QueryToken): boolean {
    return this.#stopWordKeys.size > 0 && this.#stopWordKeys.has(byteText(token));
  }

  #setStopWords(stopWords: StopWords | null): TextRuleChange {
    const before = this.#stopWords;
    this.#stopWords = stopWords;
    this.#stopWordKeys = stopWords === null ? NO_WORDS : stopWordSet(stopWords);
    this.bytes += sumBytes(stopWords?.words ?? []) - sumBytes(before?.words ?? []);
    return { kind: 'stop-words', stopWords: before };
  }

  #list({ key, tokens }: Word, list: readonly Word[]): void {
    let source = this.#sources.get(key);
    if (source === undefined) {
      source = { length: tokens.length, lists: [], listed: 0, match: null };
      this.#sources.set(key, source);
    }
    source.lists.push(list);
    source.listed += countOthers(key, list);
    source.match = null;
  }

  #unlist({ key }: Word, list: readonly Word[]): void {
    const source = assertPresent(this.#sources.get(key), 'words of a rule');
    source.lists.splice(source.lists.indexOf(list), 1);
    source.listed -= countOthers(key, list);
    source.match = null;
    if (source.lists.length === 0) this.#sources.delete(key);
  }
}

/** The words that may be typed for what a rule lists. */
const sourcesOf = ({ rule, list }: Listing): readonly Word[] => (rule.root === null ? list : wordsOf([rule.root]));

/** How many words of `list` are not those of `key`. */
const countOthers = (key: string, list: readonly Word[]): number =>
  list.reduce((count, word) => (word.key === key ? count : count + 1), 0);

function matchOf(key: string, source: Source): SynonymMatch {
  if (source.match !== null) return source.match;
  const words = new Map<string, Word>();
  for (const list of source.lists) for (const word of list) if (word.key !== key) words.set(word.key, word);
  const ordered = [...words.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  source.match = { length: source.length, targets: ordered.map(({ tokens }) => tokens) };
  return source.match;
}
