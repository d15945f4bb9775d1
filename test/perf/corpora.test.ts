/**
 * Corpora of anybody: the queries that are drawn from their documents and fields, and what is refused with which words.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { chooseSources, describeCorpora } from '../../perf/corpus-source.js';
import { browseBy, fileCorpus, filterFields } from '../../perf/file-corpus.js';
import { BROWSE, createMixes, MIX_PURPOSES } from '../../perf/query-mixes.js';
import { createRandom } from '../../perf/random.js';
import type { PerfField } from '../../perf/schemas.js';
import { readVocabulary } from '../../perf/vocabulary.js';

const folder = mkdtempSync(join(tmpdir(), 'sabre-corpora-'));
after(() => rmSync(folder, { recursive: true }));

const TEXT: PerfField = { name: 'title', type: 'text' };
const write = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const schemaFile = (fields: unknown, name?: string): string => write('schema.json', JSON.stringify({ name, fields }));
const linesOf = (documents: readonly object[]): string =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join('');
const parametersOf = (path: string): URLSearchParams => new URLSearchParams(path.slice(path.indexOf('?')));

const FIELDS: readonly PerfField[] = [
  TEXT,
  { name: 'body', type: 'text' },
  { name: 'brand', type: 'keyword', facet: true },
  { name: 'colour', type: 'keyword', facet: true },
  { name: 'price', type: 'float', filter: true, sort: true },
  { name: 'made', type: 'date', filter: true },
];
const DOCUMENTS = Array.from({ length: 50 }, (_, i) => ({
  id: `${i}`,
  title: `wireless headphones number${i}`,
  body: ['noise cancelling', 'of all kinds'],
  brand: i % 2 === 0 ? 'Acme' : "O'Neill",
  colour: 'red',
  price: i / 2,
  made: `2024-01-${10 + (i % 20)} 10:00`,
}));

test('queries come from the documents and the fields, the same ones from run to run, with the fields that are searched', async () => {
  const file = write('documents.ndjson.gz', gzipSync(linesOf(DOCUMENTS)));
  const corpus = fileCorpus(file, schemaFile(FIELDS, 'shop'), 'title');
  const valueFields = filterFields(corpus.fields).map(({ name }) => name);
  assert.deepEqual(valueFields, ['price', 'made']);
  const draw = async () => createMixes(corpus, await readVocabulary([file], ['title'], valueFields), 40, '');
  const mixes = await draw();
  assert.deepEqual(mixes, await draw());
  const names = mixes.map(({ name }) => name);
  const expected = Object.keys(MIX_PURPOSES).flatMap((name) =>
    name === 'prefix of 1' ? [name, 'prefix of 2', 'prefix of 3'] : [name],
  );
  assert.deepEqual(names, expected);
  for (const { name, paths } of mixes) {
    assert.equal(paths.length, 40, name);
    for (const path of paths) {
      assert.match(path, /^\/collections\/shop\/(search|suggest)\?/);
      assert.equal(parametersOf(path).get('query_by'), 'title', path);
    }
  }
  const browse = mixes.find(({ name }) => name === BROWSE)?.paths.map(parametersOf) ?? [];
  for (const parameters of browse) {
    const filter = parameters.get('filter') ?? '';
    const bounds = /^price:>=([\d.]+) && made:\['(2024-01-\d\d 10:00)'\.\.'(2024-01-\d\d 10:00)'\]$/.exec(filter);
    assert.ok(bounds !== null && (bounds[2] ?? '') <= (bounds[3] ?? ''), filter);
    assert.equal(parameters.get('facet'), 'brand,colour');
    assert.match(parameters.get('sort') ?? '', /^price:(asc|desc)$/);
  }
  assert.ok(new Set(browse.map((parameters) => parameters.get('filter'))).size > 10);
});

test('several texts of one field are one text, and their words count', async () => {
  const file = write('documents.ndjson', linesOf(DOCUMENTS.slice(0, 2)));
  const { documents, postings, words } = await readVocabulary([file], ['title', 'body']);
  assert.deepEqual([documents, postings, words.length], [2, 2 * (3 + 5), 2 + 2 + 5]);
});

test('what the fields do not allow is not asked, and the name of the kind says so', async () => {
  const file = write('documents.ndjson', linesOf([{ id: '1', title: 'a b', brand: "it's \\ red" }]));
  const mixesOf = async (fields: readonly PerfField[]) => {
    const corpus = fileCorpus(file, schemaFile(fields));
    const vocabulary = await readVocabulary(
      [file],
      ['title'],
      filterFields(fields).map(({ name }) => name),
    );
    return createMixes(corpus, vocabulary, 2, '');
  };
  const names = (await mixesOf([TEXT])).map(({ name }) => name);
  // No word has two letters, so none can be cut there or misspelt.
  assert.deepEqual(names.slice(-4), ['one word, default', 'two words, default', 'phrase of two words', 'prefix of 1']);
  const withBrand = await mixesOf([TEXT, { name: 'brand', type: 'keyword', facet: true }]);
  assert.deepEqual(withBrand.map(({ name }) => name).slice(-2), ['filter, 1 facet', 'one word, 1 facet']);
  assert.equal(parametersOf(withBrand.at(-2)?.paths[0] ?? '').get('filter'), "brand:='it\\'s \\\\ red'");
});

test('a flag can be filtered by where nothing has an order', () => {
  const fields: PerfField[] = [TEXT, { name: 'sold', type: 'bool', filter: true }];
  const vocabulary = { documents: 1, postings: 1, words: ['a'], samples: [['a']], values: new Map([['sold', [true]]]) };
  assert.deepEqual(browseBy(fields)(createRandom(1), vocabulary), { filter: 'sold:=true' });
});

test('what cannot be measured is refused with the reason', async () => {
  const file = write('documents.ndjson', linesOf([{ id: '1', title: 'one' }]));
  const empty = join(folder, 'empty');
  mkdirSync(empty, { recursive: true });
  const choose = (options: object) => () => chooseSources({ data: empty, seed: 1, ...options }, () => {});
  const schema = schemaFile([TEXT]);
  assert.throws(
    choose({ corpus: 'nothing' }),
    /--corpus nothing: expected one of reddit, .*synthetic:N, or a file .*no such file/,
  );
  assert.throws(choose({ corpus: file }), /a file needs --schema FILE/);
  assert.throws(choose({ corpus: 'reddit' }), /THE CORPORA ARE MISSING: .*reddit-titles-0.*PERF_DATA/);
  assert.throws(choose({ corpus: 'synthetic:0' }), /expected a number of documents from 1/);
  assert.throws(choose({ corpus: 'synthetic', queryBy: 'topic' }), /the text field is title/);
  assert.throws(choose({ schema }), /--schema is for --corpus FILE/);
  assert.throws(choose({ corpus: join(folder, 'none'), schema }), /no such file/);
  assert.throws(
    choose({ corpus: file, schema, queryBy: 'title,brand' }),
    /brand is no indexed text field; there are title/,
  );
  assert.throws(choose({ corpus: file, schema: write('bad.json', '{') }), /--schema .*bad\.json: .*JSON/);
  assert.throws(choose({ corpus: file, schema: write('bad.json', '[]') }), /expected an object with "fields"/);
  assert.throws(choose({ corpus: file, schema: schemaFile(3) }), /expected "fields" to be an array/);
  assert.throws(
    choose({ corpus: file, schema: schemaFile([{ name: 'a' }]) }),
    /expected fields with "name" and "type", got \{"name":"a"\}/,
  );
  assert.throws(
    choose({ corpus: file, schema: schemaFile([{ ...TEXT, index: false }]) }),
    /no indexed field of type text/,
  );
  const broken = write('broken.ndjson', '{"id":"1"}\n\n[]\n');
  await assert.rejects(readVocabulary([broken], ['title']), /broken\.ndjson, line 3: expected a JSON object, got \[\]/);
  const silent = await readVocabulary([write('silent.ndjson', '{"id":"1"}\n')], ['title']);
  assert.throws(
    () => createMixes(fileCorpus(file, schemaFile([TEXT])), silent, 1, ''),
    /no text field of any document has a word/,
  );
});

test('without the corpora outside of the project the synthetic one is measured, and that is said', () => {
  const said: string[] = [];
  const sources = chooseSources({ data: join(folder, 'nowhere'), seed: 1 }, (line) => said.push(line));
  assert.deepEqual(
    sources.map(({ corpus }) => corpus.name),
    ['synthetic'],
  );
  assert.match(
    said.join(),
    /no reddit-titles-0\.jsonl\.gz.* in .*nowhere \(--data, PERF_DATA\): measuring the synthetic corpus/,
  );
  const there = join(folder, 'there');
  mkdirSync(there);
  for (const name of ['reddit-titles-0.jsonl.gz', 'reddit-titles-1.jsonl.gz']) writeFileSync(join(there, name), '');
  const [reddit] = chooseSources({ data: there, seed: 1 }, (line) => said.push(line));
  assert.deepEqual([reddit?.corpus.name, said.length], ['reddit', 1]);
  assert.match(
    describeCorpora(there).join('\n'),
    /^reddit +in .*\n[\s\S]*^tate +MISSING in [\s\S]*^synthetic:N +N documents/m,
  );
});
