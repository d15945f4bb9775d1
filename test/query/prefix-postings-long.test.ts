/**
 * A prefix that stands once in long documents full of one of its completions, which then counts more than the prefix.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OracleDocument, OracleSchema } from '../oracle/collection.js';
import { randomNumbers, resetRegions } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';

const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false, boost: null };
const schema: OracleSchema = {
  fields: [{ name: 'title', ...text }],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

test('of a prefix and its completions the better one scores a document, through prefix postings too', async () => {
  resetRegions();
  const random = randomNumbers(3);
  const documents = Array.from({ length: 20_000 }, (_, i): OracleDocument => {
    const word = `w${random(300).toString(36)}x`;
    if (i % 60 === 7) return { id: `d${i}`, title: `w ${'wave '.repeat(10 + random(30))}${'other '.repeat(100)}` };
    return { id: `d${i}`, title: i % 40 === 3 ? `w ${'other '.repeat(random(40))}` : word };
  });
  const large = new InProcessCollection(schema);
  large.index(documents);
  const small = new InProcessCollection(schema);
  for (let from = 0; from < documents.length; from += 500) small.index(documents.slice(from, from + 500));
  assert.ok(large.segments[0].reader.prefixPostings.count > 0);
  assert.ok(small.segments.every(({ reader }) => reader.prefixPostings.count === 0));
  for (const [limit, offset] of [
    [10, 0],
    [200, 0],
    [200, 200],
    [200, 700],
  ]) {
    const through = await large.search('', { q: 'w', limit, offset });
    const plain = await small.search('', { q: 'w', limit, offset });
    assert.equal(through.found, plain.found);
    assert.deepEqual(
      through.hits.map(({ document, text_match }) => [document['id'], text_match]),
      plain.hits.map(({ document, text_match }) => [document['id'], text_match]),
      `${limit} from ${offset}`,
    );
  }
});

test('completions that repeat in documents of any length score alike through prefix postings and without', async () => {
  resetRegions();
  const random = randomNumbers(9);
  const repeated = (word: string, most: number): string => `${word} `.repeat(random(most));
  const documents = Array.from({ length: 20_000 }, (_, i): OracleDocument => {
    if (i % 40 !== 5) return { id: `d${i}`, title: `w${random(300).toString(36)}x` };
    const filler = repeated('other', 10 ** (1 + random(3)));
    return { id: `d${i}`, title: repeated('wave', 40) + repeated('wind', 40) + repeated('water', 12) + filler };
  });
  const large = new InProcessCollection(schema);
  large.index(documents);
  const small = new InProcessCollection(schema);
  for (let from = 0; from < documents.length; from += 500) small.index(documents.slice(from, from + 500));
  assert.ok(large.segments[0].reader.prefixPostings.count > 0);
  assert.ok(small.segments.every(({ reader }) => reader.prefixPostings.count === 0));
  const scores = async (collection: InProcessCollection): Promise<unknown> => {
    // The long documents are those that score least.
    const params = { q: 'w', sort: '_text_match:asc', limit: 250 };
    const pages = [0, 250].map((offset) => collection.search('', { ...params, offset }));
    return (await Promise.all(pages)).map(({ hits }) =>
      hits.map(({ document, text_match }) => [document['id'], text_match]),
    );
  };
  assert.deepEqual(await scores(large), await scores(small));
});
