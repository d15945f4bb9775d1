/**
 * What a map makes of groups of writes of every kind, for tests that compare the write path with it.
 */
import fc from 'fast-check';
import type { TextRuleChange } from '../../engine/core/text-rules.js';
import type { CollectionSchema } from '../../engine/schema/collection-schema.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import type { WriteRequest } from '../../engine/writer/state/write-requests.js';
import { ruleTexts } from './engine-writes.js';

const schemaNamed = (name: string): CollectionSchema =>
  parseSchema({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'n', type: 'int', sort: true },
    ],
  });

/** A write as a test says it; collections go by name, and a document by the number of its id. */
export type Step =
  | { readonly kind: 'create'; readonly name: string }
  | { readonly kind: 'drop'; readonly name: string; readonly force: boolean }
  /** The alias stands for the collection from here on, or for none. */
  | { readonly kind: 'alias'; readonly name: string; readonly alias: string; readonly isGone: boolean }
  | {
      readonly kind: 'index';
      readonly name: string;
      readonly ids: readonly number[];
      readonly action: 'upsert' | 'create' | 'update';
    }
  /** A merge patch with a new title, and another number or none. */
  | { readonly kind: 'patch'; readonly name: string; readonly id: number; readonly hasNumber: boolean }
  /** Deletes what has a number below that of the last document but `back`. */
  | { readonly kind: 'delete matching'; readonly name: string; readonly back: number }
  | { readonly kind: 'delete'; readonly name: string; readonly id: number }
  /** The synonym with this id, or stop words with id 0; no words: it is removed. */
  | { readonly kind: 'rule'; readonly name: string; readonly id: number; readonly words: readonly string[] };

const name = fc.constantFrom('a', 'b');
const id = fc.nat({ max: 12 });
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('create' as const), name }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('drop' as const), name: fc.constant('b'), force: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('alias' as const),
      name,
      // One is a collection's now and then.
      alias: fc.constantFrom('x', 'b'),
      isGone: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('index' as const),
      name,
      ids: fc.array(id, { minLength: 1, maxLength: 8 }),
      action: fc.constantFrom('upsert' as const, 'upsert' as const, 'create' as const, 'update' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('patch' as const), name, id, hasNumber: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete matching' as const), name, back: fc.nat({ max: 20 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), name, id }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rule' as const),
      name,
      id: fc.nat({ max: 2 }),
      words: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
    }),
  },
);

interface Known {
  readonly collectionId: number;
  readonly documents: Map<string, string>;
  /** Synonyms by id and stop words, as ruleTexts() says them. */
  readonly rules: Map<string, string>;
  readonly aliases: Set<string>;
}
export type Model = Map<string, Known>;

const ruleId = (change: TextRuleChange): string => (change.kind === 'synonym' ? change.id : '');

function changeOf(id: number, words: readonly string[]): TextRuleChange {
  const isNone = words.length === 0;
  if (id === 0) return { kind: 'stop-words', stopWords: isNone ? null : { language: null, words } };
  return { kind: 'synonym', id: `s${id}`, rule: isNone ? null : { root: 'r', synonyms: words } };
}

export const copyOf = (model: Model): Model =>
  new Map(
    [...model].map(([key, { collectionId, documents, rules, aliases }]) => [
      key,
      { collectionId, documents: new Map(documents), rules: new Map(rules), aliases: new Set(aliases) },
    ]),
  );

let serial = 0;

/** The request of a step, for collections as `model` has them. */
function requestOf(model: Model, step: Step, ticket: number): WriteRequest {
  const collectionId = model.get(step.name)?.collectionId ?? 9999;
  switch (step.kind) {
    case 'create':
      return { kind: 'create', ticket, schema: schemaNamed(step.name) };
    case 'drop':
      return { kind: 'drop', ticket, collectionId, force: step.force };
    case 'alias':
      return { kind: 'alias', ticket, change: { name: step.alias, collectionId: step.isGone ? null : collectionId } };
    case 'index': {
      const documents = step.ids.map((key) => JSON.stringify({ id: `d${key}`, title: `doc ${serial}`, n: serial++ }));
      // Among them, one that is refused and changes nothing.
      const text = `[${documents.join(',')},{"id":"d0","n":"text"}]`;
      const { action } = step;
      return { kind: 'index', ticket, collectionId, body: new Uint8Array(Buffer.from(text)), format: 'json', action };
    }
    case 'patch': {
      const text = JSON.stringify({ title: `patch ${serial}`, n: step.hasNumber ? serial++ : null });
      const body = new Uint8Array(Buffer.from(text));
      return { kind: 'index', ticket, collectionId, body, format: 'json', action: 'patch', documentId: `d${step.id}` };
    }
    case 'delete matching':
      return { kind: 'delete-matching', ticket, collectionId, filter: `n:<${serial - step.back}` };
    case 'delete':
      return { kind: 'delete', ticket, collectionId, documentId: `d${step.id}` };
    case 'rule':
      return { kind: 'rule', ticket, collectionId, change: changeOf(step.id, step.words), bytes: 100 };
  }
}

/** Of a request that is done and changes nothing: the log has nothing of it. */
export const UNLOGGED = 'unlogged';

/** Applies `request`, made of `step`, to `model`; returns the error code that it must be refused with, '' for none; or UNLOGGED. */
export function apply(model: Model, step: Step, request: WriteRequest, nextId: () => number): string {
  const found = model.get(step.name);
  if (request.kind === 'create') {
    if (found !== undefined || aliasesOf(model).has(step.name)) return 'collection_exists';
    model.set(step.name, { collectionId: nextId(), documents: new Map(), rules: new Map(), aliases: new Set() });
    return '';
  }
  if (request.kind === 'alias') return applyAlias(model, found, request);
  if (found?.collectionId !== request.collectionId) return 'collection_not_found';
  if (request.kind === 'drop') {
    if (request.force !== true && found.aliases.size > 0) return 'collection_has_aliases';
    model.delete(step.name);
  } else if (request.kind === 'delete') return found.documents.delete(request.documentId) ? '' : 'document_not_found';
  else if (request.kind === 'rule') {
    const { change } = request;
    const isNone = (change.kind === 'synonym' ? change.rule : change.stopWords) === null;
    if (!isNone) found.rules.set(ruleId(change), ruleTexts([change])[0]);
    else if (!found.rules.delete(ruleId(change)))
      return change.kind === 'synonym' ? 'synonym_not_found' : 'stop_words_not_found';
  } else if (request.kind === 'delete-matching') {
    const below = Number(request.filter.slice('n:<'.length));
    const { size } = found.documents;
    for (const [key, text] of found.documents) if ((JSON.parse(text).n ?? below) < below) found.documents.delete(key);
    return found.documents.size === size ? UNLOGGED : '';
  } else return applyDocuments(found.documents, request);
  return '';
}

/** Numbers of collections by alias. */
export const aliasesOf = (model: Model): Map<string, number> =>
  new Map(
    [...model.values()].flatMap(({ collectionId, aliases }) =>
      Array.from(aliases, (alias): [string, number] => [alias, collectionId]),
    ),
  );

function applyAlias(
  model: Model,
  found: Known | undefined,
  { change: { name: alias, collectionId } }: Extract<WriteRequest, { readonly kind: 'alias' }>,
): string {
  if (collectionId !== null && found?.collectionId !== collectionId) return 'collection_not_found';
  if (collectionId === null && !aliasesOf(model).has(alias)) return 'alias_not_found';
  if (model.has(alias)) return 'collection_exists';
  for (const { aliases } of model.values()) aliases.delete(alias);
  if (collectionId !== null) found?.aliases.add(alias);
  return '';
}

function applyDocuments(
  documents: Map<string, string>,
  { body, action, documentId = '' }: Extract<WriteRequest, { readonly kind: 'index' }>,
): string {
  const given = JSON.parse(Buffer.from(body).toString());
  const put = (key: string, document: object): void => {
    documents.delete(key);
    documents.set(key, JSON.stringify(document));
  };
  if (action === 'patch') {
    const before = documents.get(documentId);
    if (before === undefined) return 'document_not_found';
    const merged = Object.entries({ ...JSON.parse(before), ...given }).filter(([, value]) => value !== null);
    put(documentId, Object.fromEntries(merged));
    return '';
  }
  let taken = 0;
  for (const document of given.slice(0, -1)) {
    if (action !== 'upsert' && documents.has(document.id) !== (action === 'update')) continue;
    put(document.id, document);
    taken++;
  }
  return taken === 0 ? UNLOGGED : '';
}

/** The requests of the steps of one commit, when all before them succeed; takes numbers of collections from `ids`. */
export function requestsOf(model: Model, steps: readonly Step[], ids: () => number): WriteRequest[] {
  const optimistic = copyOf(model);
  return steps.map((step, ticket) => {
    const request = requestOf(optimistic, step, ticket);
    apply(optimistic, step, request, ids);
    return request;
  });
}
