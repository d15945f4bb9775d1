/**
 * Synonyms and stop words as the HTTP thread has them: a view of every collection's, kept in step with acknowledgements,
 * and the writes that change them.
 */
import type { StopWords, Synonym, TextRuleChange } from '../core/text-rules.js';
import type { TextRuleEngine } from '../engine.js';
import { Analyzer } from '../text/analyzer.js';
import { checkStopWords, checkSynonym, checkSynonymId } from '../text/check-text-rules.js';
import type { ChangedRules } from '../writer/state/write-requests.js';
import type { Writes } from './write-queue.js';

interface View {
  readonly synonyms: Map<string, Synonym>;
  stopWords: StopWords | null;
  /** By id; null: it is made when it is asked for. */
  ordered: readonly Synonym[] | null;
}

const NONE: View = { synonyms: new Map(), stopWords: null, ordered: [] };

/** About what a change takes on its way, beside its words, and each of them beside its text. */
const CHANGE_BYTES = 64;

export class TextRuleClient implements TextRuleEngine {
  readonly #queue: Writes;
  /** Number of a collection by name. Errors: collection_not_found, corrupt_data. */
  readonly #find: (name: string) => number;
  readonly #views = new Map<number, View>();
  readonly #analyzer = new Analyzer();

  constructor(queue: Writes, find: (name: string) => number) {
    this.#queue = queue;
    this.#find = find;
  }

  listSynonyms(collection: string): readonly Synonym[] {
    const view = this.#view(collection);
    view.ordered ??= [...view.synonyms.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    return view.ordered;
  }

  getSynonym(collection: string, id: string): Synonym | null {
    return this.#view(collection).synonyms.get(id) ?? null;
  }

  async putSynonym(collection: string, { id, root, synonyms }: Synonym): Promise<void> {
    const collectionId = this.#find(collection);
    checkSynonymId(id);
    const rule = { root, synonyms };
    checkSynonym(rule, this.#analyzer);
    await this.#change(collectionId, { kind: 'synonym', id, rule }, [id, root ?? '', ...synonyms]);
  }

  async deleteSynonym(collection: string, id: string): Promise<void> {
    await this.#change(this.#find(collection), { kind: 'synonym', id, rule: null }, [id]);
  }

  getStopWords(collection: string): StopWords | null {
    return this.#view(collection).stopWords;
  }

  async putStopWords(collection: string, stopWords: StopWords): Promise<void> {
    const collectionId = this.#find(collection);
    checkStopWords(stopWords, this.#analyzer);
    await this.#change(collectionId, { kind: 'stop-words', stopWords }, stopWords.words ?? []);
  }

  async deleteStopWords(collection: string): Promise<void> {
    await this.#change(this.#find(collection), { kind: 'stop-words', stopWords: null }, []);
  }

  /** Takes what commits have changed. */
  take(rules: readonly ChangedRules[]): void {
    for (const { collectionId, changes } of rules) {
      let view = this.#views.get(collectionId);
      if (view === undefined) {
        view = { synonyms: new Map(), stopWords: null, ordered: null };
        this.#views.set(collectionId, view);
      }
      for (const change of changes) apply(view, change);
    }
  }

  /** The collection is gone, or refused. */
  forget(collectionId: number): void {
    this.#views.delete(collectionId);
  }

  #view(collection: string): View {
    return this.#views.get(this.#find(collection)) ?? NONE;
  }

  async #change(collectionId: number, change: TextRuleChange, words: readonly string[]): Promise<void> {
    const bytes = words.reduce((sum, word) => sum + word.length + CHANGE_BYTES, CHANGE_BYTES);
    await this.#queue.submit(bytes, (ticket) => ({ kind: 'rule', ticket, collectionId, change, bytes }));
  }
}

function apply(view: View, change: TextRuleChange): void {
  if (change.kind === 'stop-words') {
    view.stopWords = change.stopWords;
    return;
  }
  const { id, rule } = change;
  if (rule === null) view.synonyms.delete(id);
  else view.synonyms.set(id, { id, ...rule });
  view.ordered = null;
}
