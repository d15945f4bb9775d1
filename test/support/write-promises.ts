/**
 * What the processes of a history owe their clients, as naive as can be: an acknowledged write stays, a refused one leaves
 * no trace, and no number or file of a snapshot ever comes to mean something else. Used by write-history.ts.
 */
import assert from 'node:assert/strict';
import type { TextRuleChange } from '../../engine/core/text-rules.js';
import type { CollectionSchema } from '../../engine/schema/collection-schema.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { MANIFEST_FILE, snapshotFilesOf } from '../../engine/storage/files/data-files.js';
import { walFileNumber } from '../../engine/storage/log/wal-format.js';
import type { Manifest } from '../../engine/storage/types/manifest.js';
import type { WriteRequest } from '../../engine/writer/state/write-requests.js';
import { ruleTexts } from './engine-writes.js';
import type { SimulatedDirectory } from './simulated-directory.js';

/** A request as a test says it; collections go by name. */
export type Write =
  | { readonly do: 'create'; readonly name: string }
  | { readonly do: 'drop'; readonly name: string }
  | { readonly do: 'index'; readonly name: string; readonly ids: readonly number[] }
  | { readonly do: 'delete'; readonly name: string; readonly id: number }
  /** The synonym with this id, or stop words with id 0; no words: it is removed. */
  | { readonly do: 'rule'; readonly name: string; readonly id: number; readonly words: readonly number[] }
  /** The alias of this number stands for the collection from here on, or for none. */
  | { readonly do: 'alias'; readonly name: string; readonly id: number; readonly isGone: boolean };

export type Documents = ReadonlyMap<string, string>;
/**
 * Collections by name, and their documents in order of insertion; among them synonyms and stop words, by ruleKey(). Aliases by name,
 * each as aliased() says it.
 */
export type Model = ReadonlyMap<string, Documents>;

const RULE = 'rule ';
export const ruleKey = (id: number | string): string => `${RULE}${id}`;

/** What a model has of an alias of `collection`. */
export const aliased = (collection: string): Documents => new Map([[`${RULE}alias`, collection]]);

const isAliasOf = (documents: Documents, collection: string): boolean => documents.get(`${RULE}alias`) === collection;

const aliasName = (id: number): string => `alias${id}`;

/** Under which a model has the fields of a collection that has others than at first. */
export const SCHEMA_KEY = `${RULE}schema`;

export const schemaText = ({ fields }: CollectionSchema): string => fields.map(({ name }) => name).join();

/** `model` with collection `name` of another schema. */
export function changedModel(model: Model, name: string, schema: CollectionSchema): Model {
  const documents = new Map(model.get(name));
  if (schema.fields.length > 1) documents.set(SCHEMA_KEY, schemaText(schema));
  else documents.delete(SCHEMA_KEY);
  return new Map(model).set(name, documents);
}

/** A change that adds the field of number `field`, or drops it. */
export function fieldChange({ fields }: CollectionSchema, field: number): object {
  const name = `x${field}`;
  const isThere = fields.some((one) => one.name === name);
  return { fields: [isThere ? { name, drop: true } : { name, type: 'keyword', filter: true }] };
}

/** A model as one text: names in order, each with its documents, then its synonyms and stop words. */
export function textOf(model: Model): string {
  const names = [...model.keys()].sort();
  const texts = (name: string, areRules: boolean): string[] =>
    [...(model.get(name) ?? [])].filter(([key]) => key.startsWith(RULE) === areRules).map(([, text]) => text);
  return JSON.stringify(names.map((name) => [name, ...texts(name, false), ...texts(name, true).sort()]));
}

/** The change that a write of this kind asks for. */
export function changeOf({ id, words }: Extract<Write, { readonly do: 'rule' }>): TextRuleChange {
  const texts = words.map((word) => `word${word}`);
  if (id === 0) return { kind: 'stop-words', stopWords: texts.length === 0 ? null : { language: null, words: texts } };
  const rule = texts.length === 0 ? null : { root: words.length % 2 === 0 ? null : 'root', synonyms: texts };
  return { kind: 'synonym', id: `s${id}`, rule };
}

/** `model` after a write, and the error code that it must be refused with, '' when it is valid. */
export function applyWrite(
  model: Model,
  write: Write,
  nextSerial: () => number,
): { readonly model: Model; readonly code: string } {
  const found = model.get(write.name);
  const changed = (documents: Documents): Model => new Map(model).set(write.name, documents);
  if (write.do === 'create') {
    return found === undefined ? { model: changed(new Map()), code: '' } : { model, code: 'collection_exists' };
  }
  if (write.do === 'alias') {
    const alias = aliasName(write.id);
    if (!write.isGone && found === undefined) return { model, code: 'collection_not_found' };
    const next = new Map(model);
    if (write.isGone && !next.delete(alias)) return { model, code: 'alias_not_found' };
    if (!write.isGone) next.set(alias, aliased(write.name));
    return { model: next, code: '' };
  }
  if (found === undefined) return { model, code: 'collection_not_found' };
  const documents = new Map(found);
  if (write.do === 'drop') {
    const rest = new Map(model);
    rest.delete(write.name);
    for (const [alias, documents] of model) if (isAliasOf(documents, write.name)) rest.delete(alias);
    return { model: rest, code: '' };
  }
  if (write.do === 'delete') {
    if (!documents.delete(`d${write.id}`)) return { model, code: 'document_not_found' };
    return { model: changed(documents), code: '' };
  }
  if (write.do === 'rule') {
    const key = ruleKey(write.id);
    if (write.words.length > 0) documents.set(key, ruleTexts([changeOf(write)])[0]);
    else if (!documents.delete(key))
      return { model, code: write.id === 0 ? 'stop_words_not_found' : 'synonym_not_found' };
    return { model: changed(documents), code: '' };
  }
  for (const number of write.ids) {
    const id = `d${number}`;
    documents.delete(id);
    documents.set(id, JSON.stringify({ id, title: `text ${nextSerial()}` }));
  }
  return { model: changed(documents), code: '' };
}

const schemaNamed = (name: string): CollectionSchema =>
  parseSchema({ name, fields: [{ name: 'title', type: 'text' }] });

/** What a client sends to change an alias; deletions of collections delete their aliases too. */
export function aliasRequest(
  { id, isGone }: Extract<Write, { readonly do: 'alias' }>,
  ticket: number,
  collectionId: number,
): WriteRequest {
  return { kind: 'alias', ticket, change: { name: aliasName(id), collectionId: isGone ? null : collectionId } };
}

/** What a client sends for `write`; `after` is the model with the write applied. */
export function requestOf(write: Write, ticket: number, collectionId: number, after: Model): WriteRequest {
  if (write.do === 'create') return { kind: 'create', ticket, schema: schemaNamed(write.name) };
  if (write.do === 'drop') return { kind: 'drop', ticket, collectionId, force: true };
  if (write.do === 'alias') return aliasRequest(write, ticket, collectionId);
  if (write.do === 'delete') return { kind: 'delete', ticket, collectionId, documentId: `d${write.id}` };
  if (write.do === 'rule') return { kind: 'rule', ticket, collectionId, change: changeOf(write), bytes: 100 };
  const documents = [...new Set(write.ids)].map((number) => after.get(write.name)?.get(`d${number}`));
  return { kind: 'index', ticket, collectionId, body: new Uint8Array(Buffer.from(`[${documents}]`)), format: 'json' };
}

/** What the processes so far owe their clients. */
export class WritePromises {
  /** The states that were reached, one for each request that changed something; the last is the current one. */
  models: Model[] = [new Map()];
  /** How many of them were acknowledged, and how many are durable as well. The first is the blank disk. */
  acknowledged = 1;
  synced = 1;
  /** How many of them the crashes since the last recovery must have left. */
  #kept = Number.POSITIVE_INFINITY;
  /** States with writes of unknown outcome: until the next one is acknowledged they may return. */
  undead: Model[][] = [];
  /** Makes every document another. */
  serial = 0;
  /** Of the last snapshot known to be in force. */
  snapshot = 0;
  /** Checksum of each file that a manifest ever named. */
  files = new Map<string, number>();

  get model(): Model {
    return this.models[this.models.length - 1];
  }

  copy(): WritePromises {
    const copy = Object.assign(new WritePromises(), this);
    copy.models = [...this.models];
    copy.undead = [...this.undead];
    copy.#kept = this.#kept;
    copy.files = new Map(this.files);
    return copy;
  }

  /** The first `models` states, by default all, were acknowledged. */
  acknowledge(isSynced: boolean, models = this.models.length): void {
    this.acknowledged = models;
    if (isSynced) this.synced = this.acknowledged;
    this.undead = [];
  }

  /** The writes since the last acknowledged one were refused. */
  refuse(mayReturn: boolean): void {
    const refused = this.models.splice(this.acknowledged);
    if (mayReturn) this.undead.push(refused);
  }

  /** The process dies. One that died before its recovery ended has promised nothing itself. */
  crash(mode: 'kill' | 'power'): void {
    this.#kept = Math.min(this.#kept, mode === 'kill' ? this.acknowledged : this.synced);
  }

  /** Takes what a recovery found as the new truth, after checking that it keeps every promise. */
  recover(found: string): void {
    const allowed = [...this.models.slice(this.#kept - 1), ...this.undead.flat()];
    const model = allowed.find((one) => textOf(one) === found);
    if (model === undefined) {
      const expected = allowed.map(textOf).join('\n  or ');
      assert.fail(`after a crash the collections hold\n     ${found}\nexpected ${expected}`);
    }
    this.models = [model];
    this.acknowledged = 1;
    this.synced = 1;
    this.#kept = Number.POSITIVE_INFINITY;
    this.undead = [];
  }

  /** `manifest` is in force on `directory`. */
  checkFiles(manifest: Manifest, directory: SimulatedDirectory): void {
    assert.ok(manifest.snapshot >= this.snapshot, `snapshot ${manifest.snapshot} after ${this.snapshot}`);
    this.snapshot = manifest.snapshot;
    for (const name of snapshotFilesOf(manifest)) {
      const content = directory.content(name);
      const checksum = crc32c(0, content, 0, content.length);
      assert.equal(this.files.get(name) ?? checksum, checksum, `${name} holds what it held`);
      this.files.set(name, checksum);
    }
  }

  /** No file is there that nobody needs. */
  checkNames(manifest: Manifest, directory: SimulatedDirectory): void {
    const needed = new Set([MANIFEST_FILE, ...snapshotFilesOf(manifest)]);
    const strays = directory
      .list()
      .filter((name) => !needed.has(name) && walFileNumber(name) === null && !/^wal-\d+\.log\.tmp$/.test(name));
    assert.deepEqual(strays, []);
  }
}
