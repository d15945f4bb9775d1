/**
 * The text of a proposed schema: what it says, and how it looks.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaText } from '../../src/cli/schema-text.js';

test('a schema is printed with a field on each line, and reads back as it was', () => {
  const schema = {
    name: 'a "b"',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'year', type: 'int', facet: true },
    ],
  };
  const text = schemaText(schema);
  assert.deepEqual(JSON.parse(text), schema);
  assert.equal(
    text,
    '{\n  "name": "a \\"b\\"",\n  "fields": [\n    {"name": "title", "type": "text"},\n    {"name": "year", "type": "int", "facet": true}\n  ]\n}\n',
  );
});
