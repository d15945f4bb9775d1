/**
 * Random histories of writes for the tests of replay: few ids and few collections, so that documents are replaced and
 * deleted over and over, documents that fail, snapshots in between; and what a start must find after each.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TextRuleChange } from '../../engine/core/text-rules.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import type { ReplaySizes } from '../../engine/writer/recovery/replay-queue.js';
import type { WriteRequest } from '../../engine/writer/state/write-requests.js';
import { type HarnessOptions, ruleTexts, WriteHarness } from './engine-writes.js';
import { SimulatedDirectory } from './simulated-directory.js';

export type ReplayStep =
  | { readonly do: 'create'; readonly name: string }
  | { readonly do: 'drop'; readonly name: string }
  /** A negative id makes a document that fails. */
  | { readonly do: 'index'; readonly name: string; readonly ids: readonly number[]; readonly format: 'json' | 'ndjson' }
  | { readonly do: 'delete'; readonly name: string; readonly id: number }
  /** The synonym with this id, or stop words with id 0; no words: it is removed. */
  | { readonly do: 'rule'; readonly name: string; readonly id: number; readonly words: readonly string[] }
  /** The alias stands for the collection, or for none. */
  | { readonly do: 'alias'; readonly name: string; readonly id: number; readonly isGone: boolean }
  | { readonly do: 'snapshot' };

const NAMES = ['a', 'b', 'c'];
const name = fc.constantFrom(...NAMES);
const id = fc.nat(6);
const index: fc.Arbitrary<ReplayStep> = fc.record({
  do: fc.constant('index' as const),
  name,
  ids: fc.array(fc.integer({ min: -2, max: 6 }), { minLength: 1, maxLength: 5 }),
  format: fc.constantFrom('json' as const, 'ndjson' as const),
});

export const replayHistory: fc.Arbitrary<readonly ReplayStep[]> = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: index },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('delete' as const), name, id }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('rule' as const),
        name,
        id: fc.nat(2),
        words: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('alias' as const), name, id: fc.nat(1), isGone: fc.boolean() }),
    },
    {
      weight: 2,
      arbitrary: fc.oneof(
        fc.record({ do: fc.constant('create' as const), name }),
        fc.record({ do: fc.constant('drop' as const), name }),
      ),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'snapshot' as const }) },
  ),
  { minLength: 5, maxLength: 60 },
);

/** Sizes at which a few documents are a bundle. */
export const replaySizes: fc.Arbitrary<ReplaySizes> = fc.record({
  settledBytes: fc.integer({ min: 1, max: 3000 }),
  gatheredBytesMax: fc.integer({ min: 1, max: 1500 }),
  gatheredBytesMin: fc.integer({ min: 1, max: 400 }),
  bundleBytesMin: fc.integer({ min: 0, max: 150 }),
  bundleBytesMax: fc.constantFrom(500, 1 << 20),
});

/** Live documents by collection, in the order of their last writes, then synonyms and stop words, in order, by what is no id. */
type Model = ReadonlyMap<string, ReadonlyMap<number | string, string>>;

function changeOf(id: number, words: readonly string[]): TextRuleChange {
  const isNone = words.length === 0;
  if (id === 0) return { kind: 'stop-words', stopWords: isNone ? null : { language: null, words } };
  return { kind: 'synonym', id: `s${id}`, rule: isNone ? null : { root: 'r', synonyms: words } };
}

/** A directory whose log holds `steps`, and what it must be read back as, in textOf()'s words. */
export async function writeHistory(
  steps: readonly ReplayStep[],
): Promise<{ directory: SimulatedDirectory; text: string }> {
  const harness = new WriteHarness(new SimulatedDirectory());
  const model = new Map<string, Map<number, string>>();
  const rules = new Map<string, Map<number, string>>();
  const collectionIds = new Map<string, number>();
  const aliases = new Map<string, string>();
  let serial = 0;
  const commit = async (request: WriteRequest): Promise<void> => {
    const { answers } = await harness.path.commit([request]);
    for (const answer of answers)
      if (answer.error !== null && !['delete', 'rule', 'alias'].includes(request.kind))
        throw new Error(answer.error.message);
  };
  const create = async (named: string): Promise<void> => {
    collectionIds.set(named, harness.collections.nextId);
    model.set(named, new Map());
    rules.set(named, new Map());
    const schema = parseSchema({ name: named, fields: [{ name: 'title', type: 'text' }] });
    await commit({ kind: 'create', ticket: 0, schema });
  };
  for (const named of NAMES.slice(1)) await create(named);
  for (const step of steps) {
    if (step.do === 'snapshot') {
      await harness.snapshot();
      continue;
    }
    const documents = model.get(step.name);
    if (documents === undefined || step.do === 'create') {
      if (documents === undefined && step.do === 'create') await create(step.name);
      continue;
    }
    const collectionId = collectionIds.get(step.name) ?? 0;
    if (step.do === 'drop') {
      model.delete(step.name);
      for (const [alias, to] of aliases) if (to === step.name) aliases.delete(alias);
      await commit({ kind: 'drop', ticket: 0, collectionId, force: true });
    } else if (step.do === 'alias') {
      const alias = `alias${step.id}`;
      if (step.isGone) aliases.delete(alias);
      else aliases.set(alias, step.name);
      const change = { name: alias, collectionId: step.isGone ? null : collectionId };
      await commit({ kind: 'alias', ticket: 0, change });
    } else if (step.do === 'rule') {
      const change = changeOf(step.id, step.words);
      if (step.words.length === 0) rules.get(step.name)?.delete(step.id);
      else rules.get(step.name)?.set(step.id, ruleTexts([change])[0]);
      await commit({ kind: 'rule', ticket: 0, collectionId, change, bytes: 100 });
    } else if (step.do === 'delete') {
      documents.delete(step.id);
      await commit({ kind: 'delete', ticket: 0, collectionId, documentId: `d${step.id}` });
    } else {
      const texts = step.ids.map((number) => {
        if (number < 0) return number === -1 ? '{"id":"d1","title":7}' : '[]';
        const text = `{"id":"d${number}","title":"word${number} time${serial++}"}`;
        documents.delete(number);
        documents.set(number, text);
        return text;
      });
      const body = new Uint8Array(Buffer.from(step.format === 'json' ? `[${texts}]` : texts.join('\n')));
      await commit({ kind: 'index', ticket: 0, collectionId, body, format: step.format });
    }
  }
  await harness.wal.sync();
  const whole = [...model].map(([named, documents]): [string, Map<number | string, string>] => {
    const texts = [...(rules.get(named)?.values() ?? [])].sort();
    return [
      named,
      new Map<number | string, string>([...documents, ...texts.map((text): [string, string] => [text, text])]),
    ];
  });
  return {
    directory: harness.directory.crash({ mode: 'kill' }),
    text: textOf(new Map([...whole, ...aliasEntries(aliases)])),
  };
}

/** Aliases of collections, as entries of a model. */
const aliasEntries = (aliases: ReadonlyMap<string, string>): [string, Map<number, string>][] =>
  Array.from(aliases, ([alias, collection]) => [alias, new Map([[0, collection]])]);

const textOf = (model: Model): string =>
  JSON.stringify(
    [...model].sort(([a], [b]) => (a < b ? -1 : 1)).map(([named, documents]) => [named, [...documents.values()]]),
  );

/** Recovers what `directory` holds, as textOf() says it; searches, counts and look-ups must agree with it. */
export function recoverHistory(directory: SimulatedDirectory, options: HarnessOptions = {}): string {
  const harness = new WriteHarness(directory.crash({ mode: 'kill' }), true, false, options);
  assert.equal(harness.collections.refused.count, 0);
  const model = new Map<string, Map<number, string>>();
  for (const collection of harness.collections.all()) {
    const texts = harness.documents(collection.id) ?? [];
    assert.equal(collection.documentCount, texts.length);
    for (let number = 0; number <= 6; number++) {
      const isThere = texts.some((text) => text.startsWith(`{"id":"d${number}"`));
      assert.equal(
        harness.collections.deleteDocument(collection.id, new Uint8Array(Buffer.from(`d${number}`))),
        isThere,
      );
    }
    harness.collections.discard();
    const all = [...texts, ...harness.rules(collection.id)];
    model.set(collection.schema.name, new Map(all.map((text, at) => [at, text])));
  }
  const aliases = new Map<string, string>();
  for (const [alias, id] of harness.aliases) aliases.set(alias, harness.collections.find(id)?.schema.name ?? 'none');
  return textOf(new Map([...model, ...aliasEntries(aliases)]));
}
