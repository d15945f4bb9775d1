/**
 * The synonyms and stop words of one collection, as the writer knows them, with what the commit under way changes.
 *
 * Changes are made at once and noted with what takes them back, for there may be thousands of synonyms that stay as they are.
 * So nobody but the commit under way may ask between the first change and publish() or discard(). Only the writer thread
 * touches it.
 */
import { EngineError } from '../../core/errors.js';
import { SYNONYM_TARGETS_MAX, SYNONYMS_MAX, TEXT_RULES_BYTES_MAX } from '../../core/limits.js';
import type { TextRuleChange } from '../../core/text-rules.js';
import { encodeTextRules } from '../../storage/files/text-rules-bytes.js';
import { TextRuleSet } from '../../text/text-rule-set.js';

/** Where the bytes of all collections are added up. */
export interface RuleMemory {
  textRuleBytes: number;
}

const NO_CHANGES: readonly TextRuleChange[] = [];

export class CollectionRules {
  readonly #memory: RuleMemory;
  /** null: most collections never have any. */
  #set: TextRuleSet | null = null;
  #staged: TextRuleChange[] = [];
  /** What takes back each of them. */
  #undo: TextRuleChange[] = [];
  /** What the last publish() made public. */
  published: readonly TextRuleChange[] = NO_CHANGES;
  /** Made when a snapshot asks for it. */
  #encoded: Uint8Array | null = null;

  constructor(memory: RuleMemory) {
    this.#memory = memory;
  }

  /**
   * Stages `change`, whose parts have been checked. Errors: synonym_not_found, stop_words_not_found when it removes what is
   * not there; invalid_synonym, invalid_stop_words when the collection would hold too much.
   */
  stage(change: TextRuleChange): void {
    const set = this.#set ?? new TextRuleSet();
    checkBefore(change, set);
    this.replay(change);
    try {
      checkAfter(change, this.#set ?? set);
    } catch (error) {
      this.#staged.pop();
      this.#takeBack(this.#undo.pop());
      throw error;
    }
  }

  /** Stages a change that was accepted when it was logged, whatever the bounds are now. */
  replay(change: TextRuleChange): void {
    this.#undo.push(this.#apply(change));
    this.#staged.push(change);
  }

  /** Takes in what a snapshot holds, as published. */
  restore(changes: readonly TextRuleChange[]): void {
    for (const change of changes) this.#apply(change);
  }

  publish(): void {
    if (this.#staged.length === 0) {
      this.published = NO_CHANGES;
      return;
    }
    this.published = this.#staged;
    this.#staged = [];
    this.#undo = [];
  }

  discard(): void {
    while (this.#undo.length > 0) this.#takeBack(this.#undo.pop());
    this.#staged = [];
  }

  /** The collection is gone. */
  release(): void {
    this.#memory.textRuleBytes -= this.#set?.bytes ?? 0;
    this.#set = null;
  }

  /** The changes that make of nothing what is there. */
  all(): readonly TextRuleChange[] {
    if (this.#set === null || this.#set.isEmpty) return NO_CHANGES;
    const changes: TextRuleChange[] = [];
    for (const { id, root, synonyms } of this.#set.synonyms())
      changes.push({ kind: 'synonym', id, rule: { root, synonyms } });
    const { stopWords } = this.#set;
    if (stopWords !== null) changes.push({ kind: 'stop-words', stopWords });
    return changes;
  }

  /** What the manifest holds of it; null: nothing. */
  encode(): Uint8Array | null {
    if (this.#set === null || this.#set.isEmpty) return null;
    this.#encoded ??= encodeTextRules(this.#set.synonyms(), this.#set.stopWords);
    return this.#encoded;
  }

  #apply(change: TextRuleChange): TextRuleChange {
    this.#set ??= new TextRuleSet();
    this.#encoded = null;
    const before = this.#set.bytes;
    const undo = this.#set.apply(change);
    this.#memory.textRuleBytes += this.#set.bytes - before;
    return undo;
  }

  #takeBack(undo: TextRuleChange | undefined): void {
    if (undo !== undefined) this.#apply(undo);
  }
}

function checkBefore(change: TextRuleChange, set: TextRuleSet): void {
  if (change.kind === 'stop-words') {
    if (change.stopWords === null && set.stopWords === null)
      throw new EngineError('stop_words_not_found', 'the collection has no stop words');
    return;
  }
  const isKnown = set.hasSynonym(change.id);
  if (change.rule === null && !isKnown)
    throw new EngineError('synonym_not_found', `there is no synonym with the id "${change.id}"`);
  if (change.rule !== null && !isKnown && set.synonymCount >= SYNONYMS_MAX)
    throw new EngineError(
      'invalid_synonym',
      `synonyms of the collection: expected at most ${SYNONYMS_MAX}, and there are as many already`,
    );
}

function checkAfter(change: TextRuleChange, set: TextRuleSet): void {
  const isSynonym = change.kind === 'synonym';
  if ((isSynonym ? change.rule : change.stopWords) === null) return;
  if (set.bytes > TEXT_RULES_BYTES_MAX) {
    const what = 'synonyms and stop words of the collection';
    const message = `${what}: expected at most ${TEXT_RULES_BYTES_MAX} bytes in all, got ${set.bytes}`;
    throw new EngineError(isSynonym ? 'invalid_synonym' : 'invalid_stop_words', message);
  }
  if (!isSynonym) return;
  const crowded = set.findCrowded(change.id);
  if (crowded === null) return;
  const { text, listed } = crowded;
  const expected = `expected at most ${SYNONYM_TARGETS_MAX} words listed for it by all together`;
  throw new EngineError('invalid_synonym', `synonyms of ${JSON.stringify(text)}: ${expected}, got ${listed}`);
}
