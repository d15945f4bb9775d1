/**
 * Content negotiation: which of the two response formats a client prefers, and which form a body of documents has.
 *
 * Called per request by the routes that know MessagePack. Never refuses a request: what is not understood means JSON.
 */
import type { BodyFormat, ResponseFormat } from '../../engine/index.js';

const MSGPACK = 'application/msgpack';
const NDJSON = 'application/x-ndjson';
const JSON_RANGES = ['application/json', 'application/*', '*/*'];

/**
 * Returns the format that the `Accept` header `accept` ('' when absent) prefers (RFC 9110, section 12.5.1).
 *
 * MessagePack must be named, with a weight above zero and no lower than that of JSON; of two equals the first named wins,
 * and a wildcard counts for JSON only when MessagePack weighs less.
 */
export function responseFormatOf(accept: string): ResponseFormat {
  if (accept === '' || accept === '*/*' || !accept.toLowerCase().includes(MSGPACK)) return 'json';
  let msgpack = 0;
  let json = 0;
  let jsonRank = JSON_RANGES.length;
  let isJsonFirst = false;
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = weightOf(parameters);
    const rank = JSON_RANGES.indexOf(type);
    if (type === MSGPACK) {
      msgpack = weight;
    } else if (rank >= 0 && rank < jsonRank) {
      json = weight;
      jsonRank = rank;
      isJsonFirst = rank === 0 && msgpack === 0;
    }
  }
  if (msgpack === 0 || msgpack < json) return 'json';
  return msgpack === json && isJsonFirst ? 'json' : 'msgpack';
}

/** An unreadable weight counts as 1, as if it were absent. */
function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    if (!parameter.startsWith('q=')) continue;
    const weight = Number(parameter.slice(2));
    return weight >= 0 && weight <= 1 ? weight : 1;
  }
  return 1;
}

/**
 * Returns the form of an export that `accept` prefers: an array when JSON is named, with a weight above zero and above that of
 * NDJSON or no lower and named first; else NDJSON.
 */
export function exportFormatOf(accept: string): 'json' | 'ndjson' {
  const weights = { json: 0, ndjson: 0 };
  let first: 'json' | 'ndjson' = 'ndjson';
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const form = type === 'application/json' ? 'json' : type === NDJSON ? 'ndjson' : null;
    if (form === null) continue;
    if (weights.json + weights.ndjson === 0) first = form;
    weights[form] = weightOf(parameters);
  }
  if (weights.json === weights.ndjson) return weights.json === 0 ? 'ndjson' : first;
  return weights.json > weights.ndjson ? 'json' : 'ndjson';
}

/** Returns the form of a body of documents whose `Content-Type` is `contentType`: JSON unless it names another one. */
export function bodyFormatOf(contentType: string): BodyFormat {
  if (contentType === 'application/json') return 'json';
  const semicolon = contentType.indexOf(';');
  const type = (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase();
  if (type === NDJSON) return 'ndjson';
  return type === MSGPACK ? 'msgpack' : 'json';
}
