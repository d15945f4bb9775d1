/**
 * Every command in an `sh` block of these documents runs, against a real server, and prints what the document shows below it.
 *
 * A `json` or `text` block directly below an `sh` block is what that printed (shown-answers.ts has the rules). An answer that is
 * an error fails the test unless the block shows it, or names its status in a comment (`# 404`). What cannot be run here is
 * named in NOT_RUN by its first line; all that is fenced as `console` must be.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type FencedBlock, fencedBlocks } from '../support/markdown.js';
import { needing } from '../support/needed-program.js';
import { listFiles, readText } from '../support/sources.js';
import { type BlockResult, runBlocks, type Setting } from './run-document.js';
import { compareJson, compareText } from './shown-answers.js';

/** Documents whose commands run, and what each needs to be there. */
const SETTINGS: Readonly<Record<string, Setting>> = {
  'README.md': {
    isServerUp: true,
    setup: `
      printf '%s\\n' '{"id":"7","title":"Desk lamp","brand":"Acme","price":2000}' | gzip > products.jsonl.gz
      printf '%s\\n' 'sku,title,brand,price,tags' 'p1,Wall lamp,Acme,2500,new|sale' > products.csv`,
  },
  'docs/api.md': {
    setup: `echo '{"id":"3","title":"USB cable","brand":"Initech","color":"black","price":9.9}' > products.jsonl`,
  },
  'docs/operations.md': {
    setup: `
      mkdir -p /var/lib /etc/sabre
      printf KEY > /etc/sabre/admin.key
      printf '%s\\n' 'id,name,price' '1,Desk lamp,20' '2,Folding chair,45' | gzip > products.csv.gz
      echo '{"id":"3","name":"Wall lamp","price":25}' | gzip > dump.jsonl.gz
      sabre serve --data-dir /var/lib/sabre
      sabre import products.csv.gz --collection products --infer
      stop_server`,
  },
  'docs/tutorial.md': {},
  ...Object.fromEntries(listFiles('docs/guides', '.md').map((path) => [path, {}])),
};

/** Blocks that are not run, by their first lines, and why. */
const NOT_RUN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': {
    'npm ci       # installs and builds': 'test/package installs; the tutorial starts',
    'npm pack                           # in the checkout: makes sabre-search-0.1.0.tgz': 'test/package does this',
    'npm run check     # formatting, lint, types; files, exports and packages that nothing uses': '.ci/run runs them',
  },
  'docs/api.md': {
    'npx openapi-typescript openapi.json -o sabre-types.ts': 'test/conformance/openapi-tools.test.ts does this',
  },
  'docs/operations.md': {
    'npm ci': 'test/package does this',
    'npm install /path/to/sabre-search-0.1.0.tgz': 'test/package does this',
    'npx sabre service install | sudo tee /etc/systemd/system/sabre.service': 'would change the system',
    'docker build --file docs/deploy/Dockerfile --tag sabre .': 'needs Docker; test/deploy takes its steps',
    'SABRE_ADMIN_KEY=$(openssl rand -hex 32) docker compose --file docs/deploy/compose.yaml up --build --detach':
      'needs Docker',
    'node sabre.mjs --tls-cert-file /etc/sabre/fullchain.pem --tls-key-file /etc/sabre/privkey.pem':
      'test/conformance/tls.test.ts starts with certificates',
    'promtool check config prometheus.yml': 'test/conformance/monitoring.test.ts does this',
  },
  'docs/guides/moving-from-elasticsearch.md': {
    "curl 'http://elasticsearch:9200/films/_search?scroll=1m' -H 'content-type: application/json' -d '{\"size\": 1000}' > page-0.json":
      'asks Elasticsearch',
    "curl 'http://elasticsearch:9200/films/_search' -H 'content-type: application/json' -d '{": 'asks Elasticsearch',
  },
  'docs/guides/moving-from-meilisearch.md': {
    'curl -H "Authorization: Bearer $KEY" \'http://meilisearch:7700/indexes/films/documents?limit=1000&offset=0\' > page-0.json':
      'asks Meilisearch',
  },
  'docs/guides/moving-from-typesense.md': {
    'curl -H "X-TYPESENSE-API-KEY: $KEY" http://typesense:8108/collections/films/documents/export > films.jsonl':
      'asks Typesense',
  },
};

/** What may stand behind a fence. Only `sh` is run. */
const LANGUAGES = ['sh', 'json', 'text', 'console', 'js', 'ts', 'html', 'nginx', ''];

/** The block that shows what `block` prints, if there is one. */
function answerOf(blocks: readonly FencedBlock[], block: FencedBlock): FencedBlock | undefined {
  const next = blocks[blocks.indexOf(block) + 1];
  return next?.followsBlock === true && ['json', 'text'].includes(next.language) ? next : undefined;
}

const firstLine = ({ text }: FencedBlock): string => text.split('\n')[0] ?? '';
const isNotRun = (path: string, block: FencedBlock): boolean => NOT_RUN[path]?.[firstLine(block)] !== undefined;

function checkBlock({ block, status, printed }: BlockResult, answer: FencedBlock | undefined): void {
  assert.equal(status, 0, `exit status; printed:\n${printed}`);
  const mayFail = /# [45]\d\d\b/.test(block.text) || /"error":\s*\{/.test(answer?.text ?? '');
  const error = /^\{"error":\{.*/m.exec(printed)?.[0];
  if (!mayFail) assert.equal(error, undefined, 'an answer is an error');
  if (answer?.language === 'json') compareJson(answer.text, printed);
  if (answer?.language === 'text') compareText(answer.text, printed);
}

for (const [path, setting] of Object.entries(SETTINGS)) {
  describe(path, needing('curl', 'bash'), async () => {
    const blocks = fencedBlocks(readText(path));
    const commands = blocks.filter((block) => block.language === 'sh' && !isNotRun(path, block));
    const results = runBlocks(commands, setting);
    for (const [index, block] of commands.entries()) {
      test(`line ${block.line}: ${firstLine(block)}`, async () => {
        const result = (await results)[index];
        assert.ok(result !== undefined);
        checkBlock(result, answerOf(blocks, block));
      });
    }
  });
}

test('what is not run is named here, with nothing else', () => {
  for (const path of Object.keys(SETTINGS)) {
    const blocks = fencedBlocks(readText(path));
    for (const { language, line } of blocks) {
      assert.ok(LANGUAGES.includes(language), `${path}:${line}: fence "${language}"`);
    }
    const notRun = blocks.filter((block) => block.language === 'console' || isNotRun(path, block)).map(firstLine);
    assert.deepEqual(notRun.toSorted(), Object.keys(NOT_RUN[path] ?? {}).toSorted(), path);
  }
});
