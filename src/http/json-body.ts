/**
 * A request body that is one JSON value, parsed on the HTTP thread: short ones only, for nothing else runs meanwhile.
 */
import { RequestError } from './request-error.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns the JSON value of `body`. Throws `invalid_json` when it is no UTF-8 or no JSON. */
export function parseJsonBody(body: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    throw new RequestError('invalid_json', 'request body: expected UTF-8, got bytes that are not');
  }
  if (text.trim() === '') throw new RequestError('invalid_json', 'request body: expected a JSON object, got nothing');
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new RequestError('invalid_json', `request body: expected JSON, got a syntax error: ${detail}`);
  }
}
