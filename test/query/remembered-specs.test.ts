/** What a parameter comes to is remembered for each schema, in bounds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RememberedSpecs } from '../../engine/query/remembered-specs.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';

const schemaOf = (name: string) => parseSchema({ name: 'c', fields: [{ name, type: 'text' }] });

test('a text is parsed once a schema, a long one each time, and what is refused is refused again', () => {
  const parsed: (string | null)[] = [];
  const specs = new RememberedSpecs((text, schema) => {
    parsed.push(text);
    if (text === 'bad') throw new Error('refused');
    return { text, field: schema.fields[0].name };
  });
  const [one, two] = [schemaOf('one'), schemaOf('two')];
  const long = 'x'.repeat(300);
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(specs.get(null, one), { text: null, field: 'one' });
    assert.deepEqual(specs.get('null', one), { text: 'null', field: 'one' });
    assert.deepEqual(specs.get('', two), { text: '', field: 'two' });
    assert.deepEqual(specs.get(null, two), { text: null, field: 'two' });
    assert.deepEqual(specs.get(long, one), { text: long, field: 'one' });
    assert.throws(() => specs.get('bad', one));
  }
  assert.deepEqual(parsed, [null, 'null', '', null, long, 'bad', long, 'bad']);
});

test('of many texts few are remembered', () => {
  let parsed = 0;
  const specs = new RememberedSpecs((text) => ({ text, number: ++parsed }));
  const schema = schemaOf('one');
  for (let i = 0; i < 1000; i++) assert.equal(specs.get(`${i}`, schema).text, `${i}`);
  assert.equal(specs.get('999', schema).number, 1000);
  assert.equal(specs.get('0', schema).number, 1001);
});
