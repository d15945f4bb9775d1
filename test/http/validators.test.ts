/**
 * The generated validators are what their types generate today, and their objections read well.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeViolation } from '../../src/api/describe-violation.js';
import { nodeArguments, PROJECT_ROOT } from '../support/project.js';

const TYPIA = ['node_modules/typia/lib/executable/typia.js', 'generate', '--project', 'tsconfig.json'];

/** Imports are relative to the folder, which is the one thing that differs. */
const withoutPlace = (text: string): string => text.replaceAll(/from "[./][^"]*\/(\w+\/[\w-]+\.js")/g, 'from "$1');

for (const place of ['src/api', 'engine/storage']) {
  test(`the committed validators of ${place} are fresh`, () => {
    const committed = join(PROJECT_ROOT, place, 'generated');
    const folder = mkdtempSync(join(tmpdir(), 'validators-'));
    try {
      execFileSync('node', [...TYPIA, '--input', `${place}/templates`, '--output', folder], {
        cwd: PROJECT_ROOT,
        stdio: 'pipe',
      });
      execFileSync('node', [...nodeArguments('src/api/stamp-generated'), folder], { cwd: PROJECT_ROOT, stdio: 'pipe' });
      assert.deepEqual(readdirSync(committed), readdirSync(folder));
      for (const name of readdirSync(folder)) {
        const text = withoutPlace(readFileSync(join(committed, name), 'utf8'));
        assert.equal(
          text,
          withoutPlace(readFileSync(join(folder, name), 'utf8')),
          `run npm run build:validators: ${name}`,
        );
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

test('types are put into words', () => {
  const cases: [string, unknown, string][] = [
    ['(null | string | undefined)', 3, 'expected a string, got 3'],
    ['("all" | "any")', 'x', 'expected "all" or "any", got "x"'],
    ['number & Minimum<1>', 0, 'expected at least 1, got 0'],
    ['(TypoTolerance | null | undefined)', [], 'expected an object, got an array'],
    ['(boolean | null | undefined)', 'yes', 'expected true or false, got "yes"'],
    ['undefined', null, 'expected no such key, got null'],
    ['SchemaChange', [], 'expected an object, got an array'],
    ['FieldChange', 0, 'expected an object, got 0'],
    ['(string & JsonSchemaPlugin<__type>)', 3, 'expected a string, got 3'],
    ['(ReadonlyArray<Field> & JsonSchemaPlugin<__type>)', 'x', 'expected an array, got "x"'],
    ['((number & JsonSchemaPlugin<__type>) | null | undefined)', 'x', 'expected a number, got "x"'],
  ];
  for (const [expected, value, message] of cases) {
    assert.equal(describeViolation('schema', [{ path: '$input.a', expected, value }]), `schema "a": ${message}`);
  }
  assert.equal(
    describeViolation('schema', [{ path: '$input', expected: 'CollectionSchema', value: 1 }]),
    'schema: expected an object, got 1',
  );
});
