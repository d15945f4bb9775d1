/**
 * What the built product imports, it finds where development packages are not installed.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { PROJECT_ROOT } from '../support/project.js';

/** A step of the build, and parts of the page, which is bundled with what it imports. */
const OTHERS = /^src\/(api\/stamp-generated\.js$|ui\/app\/)/;

const manifest = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

/** The package that `specifier` names, '' for a file. */
function packageOf(specifier: string): string {
  if (specifier.startsWith('.')) return '';
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Names of the packages that the built files below `folder` import, Node's own left out. */
function importedPackages(folder: string): Set<string> {
  const root = join(PROJECT_ROOT, 'dist');
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.c?js$/.test(path),
  );
  const built = files.map((path) => join(folder, path)).filter((path) => !OTHERS.test(path));
  const names = built
    .flatMap((path) => ts.preProcessFile(readFileSync(join(root, path), 'utf8'), true, true).importedFiles)
    .map(({ fileName }) => fileName)
    .filter((specifier) => !isBuiltin(specifier));
  return new Set(names.map(packageOf).filter((name) => name !== ''));
}

test('what became part of the product has its licence there', () => {
  const licences = readFileSync(join(PROJECT_ROOT, 'dist', 'packages', 'LICENSES'), 'utf8');
  const entries = licences.split(`\n${'-'.repeat(80)}\n`).map((entry) => entry.split('\n\n'));
  const names = entries.map(([title = '']) => title.split(' ')[0]);
  for (const name of ['prom-client', 'hdr-histogram-js', 'pako', 'typia', 'preact'])
    assert.ok(names.includes(name), name);
  for (const [title = '', ...text] of entries)
    assert.match(title, /^\S+ [\d.]+ \(.*(MIT|BSD|Apache|Zlib|ISC).*\)$/, text[0]);
});

test('what is built imports packages of dependencies alone', () => {
  const imported = ['src', 'engine', 'server'].flatMap((folder) => [...importedPackages(folder)]);
  assert.ok(imported.includes('commander'), 'imports were found');
  assert.deepEqual(
    imported.filter((name) => !(name in manifest.dependencies)),
    [],
  );
});
