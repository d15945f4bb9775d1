/**
 * Compares the highlights of a search with the oracle's.
 */
import assert from 'node:assert/strict';
import { highlightOracle, markerOf } from '../oracle/highlight.js';
import { answerOracle } from '../oracle/search.js';
import type { FieldValue } from '../support/wire.js';
import { type Loaded, paramsOf, type Request } from './harness.js';

export interface HighlightRequest extends Request {
  /** Text fields; those that the schema lacks are left out. */
  readonly highlight: readonly string[];
  readonly snippet_tokens: number;
}

const PAGE = { limit: 250 };
const [OPEN, CLOSE] = ['[', ']'];

/** Every hit is highlighted as the oracle says, and is otherwise what it is without. */
export async function compareHighlights(loaded: Loaded, request: HighlightRequest): Promise<void> {
  const { client, name, oracle } = loaded;
  const fields = request.highlight.filter((field) => oracle.schema.fields.some((each) => each.name === field));
  const answer = answerOracle(oracle, request);
  const markers = new Map(fields.map((field) => [field, markerOf(answer, field)]));
  const params = { ...paramsOf(request), ...PAGE };
  const { snippet_tokens } = request;
  const marks = { highlight_open: OPEN, highlight_close: CLOSE };
  const { hits } = await client.search(name, { ...params, ...marks, highlight: fields.join(','), snippet_tokens });
  for (const { document, highlight } of hits) {
    const expected: Record<string, unknown> = {};
    for (const [field, marker] of markers) {
      const value = document[field] as FieldValue | undefined;
      const shown = highlightOracle(value, marker, { open: OPEN, close: CLOSE, tokens: snippet_tokens });
      if (shown !== null) expected[field] = shown;
    }
    if (fields.length === 0) assert.equal(highlight, undefined);
    else assert.deepEqual(highlight, expected, `of ${JSON.stringify(document)}`);
  }
  const { hits: plain } = await client.search(name, params);
  assert.deepEqual(
    hits.map(({ highlight: _, ...rest }) => rest),
    plain,
  );
}
