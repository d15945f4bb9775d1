/**
 * Counts of one word, for which document frequencies answer where they can, against documents counted one by one: whatever the
 * segments, what was deleted, merged or typed, and in which fields.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { OracleDocument, OracleSchema } from '../oracle/collection.js';
import { resetRegions } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';

const WORDS = ['maple', 'maples', 'mapel', 'plum', 'pl'];

const textField = (name: string): OracleSchema['fields'][number] => ({
  ...{ name, type: 'text', boost: null, index: true },
  ...{ facet: false, filter: false, sort: false },
});
const schema: OracleSchema = {
  fields: [textField('title'), textField('body')],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }).map((all) => all.join(' '));
const body = fc.record({ title: text, body: text });
const collections = fc.record({
  segments: fc.array(fc.array(body, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 }),
  /** Every so many documents one is deleted; 0: none is. */
  deletedStep: fc.constantFrom(0, 1, 2, 3),
  isMerged: fc.boolean(),
  word: fc.constantFrom(...WORDS, 'pear'),
  fields: fc.constantFrom(['title'], ['body'], ['title', 'body']),
  offset: fc.constantFrom(0, 3),
});

test('a count of one exact word is the number of live documents that hold it', async () => {
  await fc.assert(
    fc.asyncProperty(collections, async ({ segments, deletedStep, isMerged, word, fields, offset }) => {
      resetRegions();
      const collection = new InProcessCollection(schema);
      const live: OracleDocument[] = [];
      const deleted: string[] = [];
      let id = 0;
      for (const bodies of segments) {
        const documents = bodies.map((one) => ({ id: `d${id++}`, ...one }));
        collection.index(documents);
        documents.forEach((document, i) => {
          if (deletedStep > 0 && i % deletedStep === 0 && id > 1) deleted.push(document.id);
          else live.push(document);
        });
      }
      for (const one of deleted) collection.delete(one);
      if (isMerged && collection.segments.length > 1) collection.merge(0, collection.segments.length);
      const expected = live.filter((document) =>
        fields.some((field) => String(document[field]).split(' ').includes(word)),
      ).length;
      const params = { query_by: fields.join(), prefix: false, typo_tolerance: false, limit: 0, offset };
      for (const q of [word, `${word} ${word}`, `"${word}"`])
        assert.equal((await collection.search('', { ...params, q })).found, expected, q);
      // What is completed or corrected stands for other words too.
      const wide = { ...params, q: word, prefix: true, typo_tolerance: true };
      const { found } = await collection.search('', wide);
      assert.equal(found, (await collection.search('', { ...wide, limit: 50, offset: 0 })).hits.length);
      assert.ok(found >= expected);
    }),
  );
});
