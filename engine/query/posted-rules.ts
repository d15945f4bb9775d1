/**
 * The synonyms and stop words of one collection on a reader thread: kept as they are posted, made ready when a query asks.
 *
 * Thousands of synonyms come at once when a reader starts, for collections that perhaps nobody asks for.
 */
import type { TextRuleChange } from '../core/text-rules.js';
import { TextRuleSet } from '../text/text-rule-set.js';
import type { TextRules } from './expand/text-rules.js';

/** Tells what a change changes from an id, which is not empty. */
const keyOf = (change: TextRuleChange): string => (change.kind === 'synonym' ? change.id : '');

export class PostedRules {
  readonly #set = new TextRuleSet();
  /** The newest of the changes of the same synonym, or of the stop words, that the set does not have yet. */
  readonly #posted = new Map<string, TextRuleChange>();

  post(changes: readonly TextRuleChange[]): void {
    for (const change of changes) this.#posted.set(keyOf(change), change);
  }

  /** What all changes up to now make; null: nothing. */
  take(): TextRules | null {
    for (const change of this.#posted.values()) this.#set.apply(change);
    this.#posted.clear();
    return this.#set.isEmpty ? null : this.#set;
  }
}
