/**
 * What readers see over a write harness, in the words of the promises (write-promises.ts). Used by write-history.ts.
 */
import assert from 'node:assert/strict';
import { assertPresent } from '../../engine/core/assert.js';
import type { WriteHarness } from './engine-writes.js';
import { aliased, type Documents, ruleKey, SCHEMA_KEY, schemaText, textOf } from './write-promises.js';

/** All collections, as textOf() says it. Between two commits the writer knows of the same aliases, synonyms and stop words. */
export function observedState(harness: WriteHarness, isBetweenCommits: boolean): string {
  const model = new Map<string, Documents>();
  for (const { id, documentCount } of harness.collections.all()) {
    const { schema } = assertPresent(harness.target(id), 'what readers see');
    const documents = harness.documents(id);
    assert.equal(documents?.length, documentCount);
    const found = new Map(documents?.map((text) => [text, text]));
    for (const text of harness.rules(id, isBetweenCommits)) found.set(ruleKey(text), text);
    if (schema.fields.length > 1) found.set(SCHEMA_KEY, schemaText(schema));
    model.set(schema.name, found);
  }
  if (isBetweenCommits) assert.deepEqual(new Map(aliasesOf(harness)), harness.aliases);
  for (const [alias, id] of harness.aliases) model.set(alias, aliased(harness.target(id)?.schema.name ?? 'none'));
  return textOf(model);
}

const aliasesOf = ({ collections }: WriteHarness): [name: string, collectionId: number][] =>
  Array.from(collections.names.aliases(), ({ name, collectionId }) => [name, collectionId]);
