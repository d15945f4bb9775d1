/**
 * Runs the curl commands of the README's "A first search" against the server on the port given, and checks the answers.
 *
 * Called by .ci/run. With curl on the machine the block runs in a shell as it is printed; without, its requests are sent
 * by fetch.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const base = `http://localhost:${process.argv[2]}`;
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const block = /## A first search[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1];
assert.ok(block, 'the README has a shell block under "A first search"');
const script = block.replaceAll('http://localhost:8108', base);

for (let tries = 0; ; tries++) {
  const ready = await fetch(`${base}/ready`).catch(() => null);
  if (ready?.status === 200) break;
  assert.ok(tries < 600, 'the server became ready');
  await sleep(200);
}

/** Sends the requests of the block without a shell: each command is `curl URL [-d 'BODY']`. */
async function sendAll() {
  const answers = [];
  for (const [, url, body] of script.matchAll(/^curl '?([^'\s]+)'?(?:[^\S\n]+-d[^\S\n]+'([^']*)')?/gm)) {
    const reply = await fetch(url, body === undefined ? {} : { method: 'POST', body });
    answers.push(await reply.text());
  }
  return answers.join('\n');
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const prelude = 'set -euo pipefail\ncurl() { command curl --silent --show-error --fail "$@"; echo; }\n';
const output = hasCurl ? execFileSync('bash', ['-c', prelude + script], { encoding: 'utf8' }) : await sendAll();
console.log(output);
assert.match(output, /"num_indexed":3/);
assert.match(output, /"found":1\b/);
assert.match(output, /"found":2\b/);
assert.match(output, /"facets":\{"brand":\{"Acme":2\}\}/);
assert.match(output, /"suggestions":\[\{/);
