/**
 * The report of a batch: no entry of it is longer than what its bound reckons with.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOCUMENT_ID_BYTES_MAX, NAME_CHARS_MAX } from '../../engine/core/limits.js';
import { BatchReport, REPORT_ENTRY_BYTES_MAX } from '../../engine/documents/batch-report.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { PendingDocuments } from '../../engine/segment/pending-documents.js';

test('the longest ids and messages stay within the bound of an entry', () => {
  const name = 'f'.repeat(NAME_CHARS_MAX);
  const fields = [
    { name, type: 'int' },
    { name: 't', type: 'text' },
  ];
  const pending = new PendingDocuments(parseSchema({ name: 'c', fields }), 1);
  // Control characters take six bytes each in JSON, and quotes two.
  const id = '\u0001'.repeat(DOCUMENT_ID_BYTES_MAX);
  const values = ['\u0001'.repeat(500), '"'.repeat(500), '\u{1f600}'.repeat(200), { [id]: id }, [[id]], 1.5e300];
  const documents = values.flatMap((value) => [{ id, [name]: value }, { id: value }, { id, [name]: [1, value] }]);
  for (const body of [...documents.map((document) => JSON.stringify(document)), JSON.stringify([id])]) {
    const report = new BatchReport();
    pending.collect(new Uint8Array(Buffer.from(body)), 'json', report, () => assert.fail('there is room'));
    const { body: bytes, numFailed } = report.finish();
    assert.equal(numFailed, 1, body);
    assert.ok(bytes.length < REPORT_ENTRY_BYTES_MAX, `${bytes.length} bytes for ${body}`);
  }
});
