/**
 * Compares what a document shows below a command with what the command printed. The rules, which docs/README.md tells readers:
 *
 * - `json`: values are compared, not white space; keys in their order. `...` stands for further elements or members.
 *   Times, moments and counts of segments differ from run to run (VOLATILE): of them only the type is compared.
 * - `text`: the lines shown are printed in this order, other lines may stand between; digits match digits where a unit of
 *   time, size or rate follows.
 *
 * It knows nothing of servers.
 */
import assert from 'node:assert/strict';

/** Keys whose numbers and strings are those of one run. */
const VOLATILE = new Set([
  'search_time_ms',
  'created_at',
  'num_segments',
  'took_ms',
  'uptime_seconds',
  'last_seen',
  'avg_latency_ms',
  'mean_ms',
  'p50_ms',
  'p95_ms',
  'p99_ms',
  'max_ms',
  'queries_per_second',
  'snapshot',
  'sequence',
  'bytes_written',
  'files_written',
  'version',
]);

/** Stands for `...` in parsed answers. */
const MORE = '\u2026more';

/** The end of the JSON value that begins at `start`, or -1 where there is none before the text ends. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
    } else if ('{['.includes(char)) depth++;
    else if ('}]'.includes(char)) depth--;
    if (depth === 0) return at + 1;
  }
  return -1;
}

/** All objects and arrays that a text holds at the beginnings of lines, one after the other. */
function jsonValues(text: string): unknown[] {
  const values: unknown[] = [];
  let at = 0;
  while (at < text.length) {
    const isValue = text[at] === '{' || text[at] === '[';
    const end = isValue ? endOfValue(text, at) : -1;
    if (end > 0) values.push(JSON.parse(text.slice(at, end)));
    const lineEnd = text.indexOf('\n', end > 0 ? end : at);
    at = lineEnd < 0 ? text.length : lineEnd + 1;
  }
  return values;
}

/** A shown answer with `...` outside of strings made a part of JSON. */
function withMarkers(shown: string): string {
  return shown.replace(/"(?:[^"\\]|\\.)*"|\.\.\./g, (found: string, offset: number) => {
    if (found !== '...') return found;
    return opensObject(shown.slice(0, offset)) ? `"${MORE}":0` : `"${MORE}"`;
  });
}

/** Whether the innermost open bracket of `text` is that of an object. */
function opensObject(text: string): boolean {
  const open: string[] = [];
  for (const [bracket] of text.replace(/"(?:[^"\\]|\\.)*"/g, '').matchAll(/[{}[\]]/g)) {
    if (bracket === '{' || bracket === '[') open.push(bracket);
    else open.pop();
  }
  return open.at(-1) === '{';
}

function compareArrays(shown: readonly unknown[], printed: readonly unknown[], place: string): void {
  const isOpen = shown.at(-1) === MORE;
  const expected = isOpen ? shown.slice(0, -1) : shown;
  if (isOpen) assert.ok(printed.length > expected.length, `${place}: nothing more is there for "..."`);
  else assert.equal(printed.length, expected.length, `${place}: elements`);
  for (const [index, value] of expected.entries()) compareValues(value, printed[index], `${place}[${index}]`);
}

function compareObjects(shown: object, printed: object, place: string): void {
  const expected = new Map<string, unknown>(Object.entries(shown));
  const isOpen = expected.delete(MORE);
  const got = new Map<string, unknown>(Object.entries(printed));
  const keys = [...got.keys()];
  if (isOpen) {
    assert.ok(keys.length > expected.size, `${place}: nothing more is there for "..."`);
    assert.deepEqual(
      keys.filter((key) => expected.has(key)),
      [...expected.keys()],
      `${place}: keys`,
    );
  } else assert.deepEqual(keys, [...expected.keys()], `${place}: keys`);
  for (const [key, value] of expected) {
    if (VOLATILE.has(key)) assert.equal(typeof got.get(key), typeof value, `${place}.${key}: type`);
    else compareValues(value, got.get(key), `${place}.${key}`);
  }
}

function compareValues(shown: unknown, printed: unknown, place: string): void {
  if (Array.isArray(shown) && Array.isArray(printed)) compareArrays(shown, printed, place);
  else if (isObject(shown) && isObject(printed)) compareObjects(shown, printed, place);
  else assert.deepEqual(printed, shown, place);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws unless the JSON values of `shown` are the last ones of `printed`. */
export function compareJson(shown: string, printed: string): void {
  const expected = jsonValues(withMarkers(shown));
  assert.ok(expected.length > 0, 'a json block without an object or an array');
  const got = jsonValues(printed).slice(-expected.length);
  assert.equal(got.length, expected.length, `JSON values printed; all that was printed:\n${printed}`);
  for (const [index, value] of expected.entries()) {
    try {
      compareValues(value, got[index], '$');
    } catch (cause) {
      throw new Error(`${String(cause)}\nprinted: ${JSON.stringify(got[index])}`, { cause });
    }
  }
}

/** A line without what differs from run to run: figures before a unit, and runs of spaces. */
const withoutFigures = (line: string): string =>
  line
    .replace(/[\d.,]+(?=\s?(?:ms|s|B|kB|KB|MB|KiB|MiB|documents\/s|docs\/s)\b)/g, '0')
    .replace(/\s+/g, ' ')
    .trim();

/** Throws unless the lines of `shown` are printed, in their order. `...` on a line of its own says that others stand between. */
export function compareText(shown: string, printed: string): void {
  const lines = printed.split('\n').map(withoutFigures);
  let from = 0;
  for (const line of shown.split('\n').filter((text) => !['', '...'].includes(text.trim()))) {
    const at = lines.indexOf(withoutFigures(line), from);
    assert.ok(at >= 0, `not printed, or not in this order: ${line}\nprinted:\n${printed}`);
    from = at + 1;
  }
}
