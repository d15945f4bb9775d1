/**
 * docs/operations.md has a row for each option of the server, with its variable; and none for one that there is not.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverOptions } from '../../src/server-options.js';
import { readText } from '../support/sources.js';

test('the tables of options have those that there are', () => {
  const rows = [...readText('docs/operations.md').matchAll(/^\| `(--[a-z-]+)` \| `(SABRE_[A-Z_]+)` \|/gm)];
  const listed = rows.map(([, flag, variable]) => `${flag} ${variable}`);
  assert.deepEqual(
    listed.toSorted(),
    serverOptions()
      .map(({ long, envVar }) => `${long} ${envVar}`)
      .toSorted(),
  );
});
