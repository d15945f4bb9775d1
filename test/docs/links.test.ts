/**
 * Links of all documents lead somewhere: files and pictures exist, `#anchors` are headings, and addresses elsewhere are HTTPS.
 * Nothing is fetched.
 */
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { anchorsOf, fencedBlocks, linksOf } from '../support/markdown.js';
import { PROJECT_ROOT } from '../support/project.js';
import { listFiles, readText } from '../support/sources.js';

const documents = [
  'README.md',
  ...['docs', 'engine', 'bench', 'perf', 'test'].flatMap((path) => listFiles(path, '.md')),
];

/** What is wrong with a link, or null. */
function faultOf(document: string, target: string): string | null {
  if (/^[a-z]+:/i.test(target)) {
    const isFine = /^https:\/\/[\w.-]+\.[a-z]+(?:[/?#]\S*)?$/.test(target) && URL.canParse(target);
    return isFine ? null : 'no https address';
  }
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? document : normalize(join(dirname(document), path));
  if (!existsSync(join(PROJECT_ROOT, file))) return 'no such file';
  if (anchor === undefined) return null;
  return file.endsWith('.md') && anchorsOf(readText(file)).has(anchor) ? null : 'no such heading';
}

test('links and pictures of documents lead to files, headings and https addresses that are there', () => {
  const faults = documents.flatMap((document) =>
    linksOf(readText(document)).flatMap(({ target, line }) => {
      const fault = faultOf(document, target);
      return fault === null ? [] : [`${document}:${line}: ${target}: ${fault}`];
    }),
  );
  assert.deepEqual(faults, []);
});

test('docs/README.md links to every file of docs/ but pictures', () => {
  const linked = new Set(linksOf(readText('docs/README.md')).map(({ target }) => normalize(join('docs', target))));
  const files = listFiles('docs', '')
    .filter((path) => statSync(join(PROJECT_ROOT, path)).isFile())
    .filter((path) => path !== 'docs/README.md' && !path.startsWith('docs/images/'));
  assert.ok(files.includes('docs/deploy/Dockerfile'), 'files without an extension are looked at');
  assert.deepEqual(
    files.filter((path) => !linked.has(path)),
    [],
  );
});

test('the client is found from where people begin', () => {
  for (const document of ['README.md', 'docs/README.md', 'docs/api.md', 'docs/tutorial.md']) {
    const targets = linksOf(readText(document)).map(({ target }) => normalize(join(dirname(document), target)));
    assert.ok(targets.includes('docs/client.md'), document);
  }
});

test('faults of links are noticed', () => {
  assert.equal(faultOf('docs/api.md', 'operations.md#keys'), null);
  assert.equal(faultOf('docs/api.md', '../README.md#run-it'), null);
  assert.equal(faultOf('docs/api.md', '#keys'), null);
  assert.equal(faultOf('docs/api.md', 'https://snowballstem.org/a?b#c'), null);
  assert.equal(faultOf('docs/api.md', '#no-such'), 'no such heading');
  assert.equal(faultOf('docs/api.md', 'images/none.svg'), 'no such file');
  assert.equal(faultOf('docs/api.md', 'images/write.svg#keys'), 'no such heading');
  for (const target of ['http://example.org', 'ftp://example.org', 'https://localhost/a', 'mailto:a@example.org'])
    assert.equal(faultOf('docs/api.md', target), 'no https address');
});

test('headings become anchors as GitHub makes them, equal ones numbered, and nothing in a fence counts', () => {
  const text =
    '# A `b`, *c* & [d](e.md)!\n\n```sh\n# no heading\n```\n\n## Again\n## Again ##\n[x](#again) `[y](#z)` ![p](q.svg)\n';
  assert.deepEqual([...anchorsOf(text)], ['a-b-c--d', 'again', 'again-1']);
  assert.deepEqual(
    linksOf(text).map(({ target }) => target),
    ['e.md', '#again', 'q.svg'],
  );
  assert.deepEqual(
    fencedBlocks(`${text}\n\`\`\`json\n{}\n\`\`\`\n\n\`\`\`\n\`\`\`\n`).map(({ language, line, followsBlock }) => [
      language,
      line,
      followsBlock,
    ]),
    [
      ['sh', 3, false],
      ['json', 11, false],
      ['', 15, true],
    ],
  );
});
