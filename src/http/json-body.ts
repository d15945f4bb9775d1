/**
 * A request body that is one JSON value, parsed on the HTTP thread: short ones only, for nothing else runs meanwhile.
 */
import { limits } from '../../engine/index.js';
import { RequestError } from './request-error.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns the JSON value of `body`. Throws `invalid_json` when it is no UTF-8, no JSON, or nested deeper than a document may be. */
export function parseJsonBody(body: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    throw new RequestError('invalid_json', 'request body: expected UTF-8, got bytes that are not');
  }
  if (text.trim() === '') throw new RequestError('invalid_json', 'request body: expected a JSON object, got nothing');
  checkNesting(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new RequestError('invalid_json', `request body: expected JSON, got a syntax error: ${detail}`);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Throws `invalid_json` before deep values are made of `text`: those of a mebibyte of brackets would keep the thread for a fifth of a second. */
function checkNesting(text: string): void {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // 0x20 apart: [ and {, ] and }.
    if (unit === QUOTE) i = endOfString(text, i);
    else if ((unit | 0x20) === 0x7d) depth--;
    else if ((unit | 0x20) === 0x7b && ++depth > limits.JSON_DEPTH_MAX)
      throw new RequestError(
        'invalid_json',
        `request body: expected at most ${limits.JSON_DEPTH_MAX} levels of nesting, got more`,
      );
  }
}

/** Where the string ends that begins at `start`, or `text` if it never does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}
