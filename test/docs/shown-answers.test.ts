/**
 * The comparison of shown answers with printed ones: what it lets pass, and what it must not.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareJson, compareText } from './shown-answers.js';

const PRINTED = 'made\n{"a":[1,2,3],"b":{"x":1,"y":"..."},"search_time_ms":0.123}\n';

test('white space, volatile figures and what "..." leaves out may differ', () => {
  compareJson('{"a": [1, 2, 3],\n "b": {"x": 1, "y": "..."}, "search_time_ms": 9}', PRINTED);
  compareJson('{"a":[1,...],"b":{"x":1,...},...}', PRINTED);
  compareJson('{"n":2}\n{"n":3}', '{"n":1}\n{"n":2}\n{\n "n":3}\n');
});

for (const [what, shown] of [
  ['a value', '{"a":[1,2,4],...}'],
  ['a key', '{"c":[1,2,3],...}'],
  ['the order of keys', '{"b":{...},"a":[...],...}'],
  ['a missing element', '{"a":[1,2],...}'],
  ['an element too many', '{"a":[1,2,3,...],...}'],
  ['a missing member', '{"a":[1,2,3],"b":{"x":1,"y":"..."}}'],
  ['a member too many', '{"a":[1,2,3],"b":{...},"search_time_ms":1,...}'],
  ['the type of a volatile figure', '{"a":[...],"b":{...},"search_time_ms":"0.1"}'],
  ['"..." in a string', '{"a":[...],"b":{"x":1,"y":"more"},...}'],
  ['a value too many', '{"z":1}\n{"a":[...],...}'],
] as const) {
  test(`another answer is noticed: ${what}`, () => {
    assert.throws(() => compareJson(shown, PRINTED));
  });
}

test('lines are compared in their order, figures with a unit left out', () => {
  compareText('one in 3.1 s\n...\nthree', 'one in 12 s\ntwo\nthree\n');
  assert.throws(() => compareText('three\none in 3.1 s', 'one in 12 s\ntwo\nthree\n'), /not in this order: one/);
  assert.throws(() => compareText('12 documents', '13 documents'), /not printed/);
});
