/**
 * What the view "Import" proposes for a file, without the view.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftOf, idFields } from '../../src/ui/app/import/draft.js';
import { recogniseFile } from '../../src/ui/app/import/file-documents.js';
import { inspectFile } from '../../src/ui/app/import/inspect-file.js';

async function inspect(name: string, text: string) {
  const input = await recogniseFile(new File([text], name));
  return inspectFile(input, new AbortController().signal, () => {});
}

const NUMBERS = [5, 9_007_199_254_740_991].map((number) => ({ number, title: `the words of ${number}` }));
const LARGE = '{"number":9007199254740993,"title":"more words"}';

test('numbers become ids only where each is exact, of a table as they are spelled', async () => {
  const lines = NUMBERS.map((each) => JSON.stringify(each));
  const exact = await inspect('exact.jsonl', lines.join('\n'));
  assert.deepEqual(idFields(exact).sort(), ['number', 'title']);
  assert.deepEqual(draftOf('exact.jsonl', exact).id, { kind: 'field', name: 'number' });
  const large = await inspect('large.jsonl', [...lines, LARGE].join('\n'));
  assert.deepEqual(idFields(large), ['title']);
  assert.deepEqual(draftOf('large.jsonl', large).id, { kind: 'number' });
  const table = await inspect('large.csv', 'number,title\n9007199254740993,some words\n5,more words\n');
  assert.deepEqual(draftOf('large.csv', table).id, { kind: 'field', name: 'number' });
});
