import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../../engine/core/errors.js';
import { parseFacets } from '../../../engine/query/facets/parse-facets.js';
import { schemaOf } from '../sort/segments.js';

const schema = schemaOf(['text', 'int', 'keyword']);

test('no facets are null, names become indexes in the order given', () => {
  for (const text of [null, '', '  ']) assert.equal(parseFacets(text, schema), null);
  assert.deepEqual(parseFacets('f2, f1 ', schema), [2, 1]);
});

const FAULTS: [string, RegExp][] = [
  ['f1,,f2', /got nothing \(at position 3\)/],
  [',', /got nothing \(at position 0\)/],
  ['f1, nope', /unknown field "nope" \(at position 4\)/],
  ['f0', /"f0" is not a facet/],
  ['f1,f2,f1', /"f1" is given twice \(at position 6\)/],
  ['id', /unknown field "id"/],
];

for (const [text, message] of FAULTS) {
  test(`"${text}" is refused and says why`, () => {
    const check = (error: unknown): boolean =>
      error instanceof EngineError && error.code === 'invalid_query' && message.test(error.message);
    assert.throws(() => parseFacets(text, schema), check);
  });
}
