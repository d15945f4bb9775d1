/**
 * One list of error codes: what the sources can send, what the table of statuses has, what /openapi.json and docs/api.md say.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINE_ERROR_CODES } from '../../engine/core/errors.js';
import { buildOpenApi } from '../../src/api/openapi/document.js';
import { FILTER_GRAMMAR } from '../../src/api/openapi/filter-grammar.js';
import { ERROR_STATUS } from '../../src/http/error-reply.js';
import type { Description } from '../support/openapi.js';
import { operationsOf } from '../support/openapi.js';
import { readSources, readText } from '../support/sources.js';

const description = buildOpenApi('1.2.3') as unknown as Description;
const KNOWN = new Set(Object.keys(ERROR_STATUS));

/** Codes that some answers have with another status: one client's fault, and what others have not answered. */
const SECOND_STATUS: Readonly<Record<string, string>> = { overloaded: '429', unknown_outcome: '504' };

/** The codes that stand in the sources where an error is made. */
function codesSent(): Set<string> {
  const made = /(?:new (?:Request|Engine)Error|replyError|refuse|fail)\(\s*(?:[\w.#]+,\s*)?'([a-z]+_[a-z_]+)'/g;
  const texts = readSources('src', 'engine').filter(({ path }) => !path.startsWith('src/ui/app/'));
  return new Set(texts.flatMap(({ text }) => [...text.matchAll(made)].map(([, code = '']) => code)));
}

test('the sources send no code that the table has not', () => {
  const sent = codesSent();
  assert.ok(sent.size > 15, [...sent].join(' '));
  for (const code of sent) assert.ok(KNOWN.has(code), code);
  for (const code of ENGINE_ERROR_CODES) assert.ok(KNOWN.has(code), code);
});

test('/openapi.json lists every code with its status, and docs/api.md does too', () => {
  const rows = [...description.info.description.matchAll(/^\| ([\d, ]+) \| `(\w+)` \|/gm)];
  const listed = new Map(rows.map(([, statuses = '', code = '']) => [code, statuses.split(', ').map(Number)]));
  assert.deepEqual(new Set(listed.keys()), KNOWN);
  const documented = readText('docs/api.md');
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    assert.ok(listed.get(code)?.includes(status), code);
    assert.match(documented, new RegExp(`^\\| ${status} \\|[^|]*\`${code}\``, 'm'), code);
  }
});

test('every code is an answer of some operation, with its status, but those of no operation', () => {
  const answered = new Set<string>();
  for (const { operationId, responses } of operationsOf(description)) {
    for (const [status, answer] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      const codes = [...answer.description.matchAll(/^- `(\w+)`: /gm)].map(([, code = '']) => code);
      assert.ok(codes.length > 0, operationId);
      const schema = JSON.stringify(answer.content?.['application/json']?.schema);
      assert.ok(schema.includes(`"enum":${JSON.stringify(codes)}`), `${operationId} ${status}`);
      for (const code of codes) {
        answered.add(code);
        const known: number | undefined = ERROR_STATUS[code as keyof typeof ERROR_STATUS];
        assert.ok(known === Number(status) || SECOND_STATUS[code] === status, `${operationId} ${code}`);
      }
    }
  }
  const missing = [...KNOWN].filter((code) => !answered.has(code));
  assert.deepEqual(missing, ['method_not_allowed'], 'what is answered where there is no operation');
});

test('the grammar of filters is the same in the description, the reference and the parser', () => {
  for (const line of FILTER_GRAMMAR.split('\n')) {
    assert.ok(description.info.description.includes(line), line);
    assert.ok(readText('docs/api.md').includes(line), line);
    assert.ok(readText('engine/query/filter/parse-filter.ts').includes(line), line);
  }
});
