/**
 * The synonyms and stop words of one collection on a reader thread: kept as they are posted, made ready when a query asks.
 *
 * Thousands of synonyms come at once when a reader starts, for collections that perhaps nobody asks for.
 */
import type { TextRuleChange } from '../core/text-rules.js';
import { changeBytes, TextRuleSet } from '../text/text-rule-set.js';
import type { TextRules } from './expand/text-rules.js';
import type { ReadBudget } from './read-budget.js';

/** To analyse a byte of a rule and list it takes as long as to go through so many: 160 ns or so. */
const SCANNED_PER_BYTE = 16;

/** Tells what a change changes from an id, which is not empty. */
const keyOf = (change: TextRuleChange): string => (change.kind === 'synonym' ? change.id : '');

export class PostedRules {
  readonly #set = new TextRuleSet();
  /** The newest of the changes of the same synonym, or of the stop words, that the set does not have yet. */
  readonly #posted = new Map<string, TextRuleChange>();

  post(changes: readonly TextRuleChange[]): void {
    for (const change of changes) {
      const key = keyOf(change);
      // Else what comes and goes while nobody asks would pile up.
      const isNothing = change.kind === 'synonym' && change.rule === null && !this.#set.hasSynonym(key);
      if (isNothing) this.#posted.delete(key);
      else this.#posted.set(key, change);
    }
  }

  /**
   * What all changes up to now make; null: nothing. Where `budget` stops it, it goes on from there when it is called again; each time one
   * change is taken in at least, which is ten thousand stop words at most.
   */
  take(budget: ReadBudget): TextRules | null {
    for (const [key, change] of this.#posted) {
      this.#set.apply(change);
      this.#posted.delete(key);
      if (this.#posted.size > 0) budget.expectScan(SCANNED_PER_BYTE * changeBytes(change));
    }
    return this.#set.isEmpty ? null : this.#set;
  }
}
