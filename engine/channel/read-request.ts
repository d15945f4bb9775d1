/**
 * The form in which a read crosses from the HTTP thread to a reader: integers and UTF-8 strings in a slot, no JSON but for pages of
 * exports, which are few: word 3 is the byte length of the request's.
 *
 * Words: 0 operation, 1 collection id, 2 flags, 3 limit, 4 offset, 5 typo threshold, 6 snippet tokens, 7 facet limit,
 * 8.. byte length of each string (NULL_STRING: null); the strings follow, concatenated, from byte REQUEST_HEADER_BYTES.
 */
import { EngineError, type EngineErrorCode } from '../core/errors.js';
import {
  type ExportPageRequest,
  type InnerRead,
  type MatchMode,
  OPERATION_EXPORT,
  OPERATION_FETCH,
  OPERATION_SEARCH,
  OPERATION_SUGGEST,
  type Read,
  type ReadResult,
  type ResponseFormat,
  type SearchRequest,
} from '../core/requests.js';
import { REQUEST_BYTES, SLOT, type Slot } from './read-mailbox.js';

const NULL_STRING = 0xffffffff;
const STRINGS_MAX = 14;
const REQUEST_HEADER_BYTES = 88;
const STRING_WORDS = 8;

const FLAG_PREFIX = 1;
const FLAG_TYPOS_GIVEN = 2;
const FLAG_TYPOS = 4;
const FLAG_ANY = 8;
const FLAG_MSGPACK = 16;
const FLAG_RANKING_GIVEN = 32;
const FLAG_BM25 = 64;
const FLAG_EXPLAIN = 128;
const FLAG_FACET_BY_VALUE = 256;
const FLAG_FACET_STATS = 512;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function flagsOf(read: Read): number {
  const format = read.request.format === 'msgpack' ? FLAG_MSGPACK : 0;
  if (read.operation === OPERATION_FETCH) return format;
  const typos = read.request.typoTolerance;
  const common = format | (typos === null ? 0 : FLAG_TYPOS_GIVEN) | (typos === true ? FLAG_TYPOS : 0);
  if (read.operation === OPERATION_SUGGEST) return common;
  return common | searchFlagsOf(read.request);
}

function searchFlagsOf({ prefix, matchMode, ranking, explain, facetSort, facetStats }: SearchRequest): number {
  const rankingFlags = ranking === null ? 0 : FLAG_RANKING_GIVEN | (ranking === 'bm25' ? FLAG_BM25 : 0);
  const facetFlags = (facetSort === 'value' ? FLAG_FACET_BY_VALUE : 0) | (facetStats ? FLAG_FACET_STATS : 0);
  const flags = (prefix ? FLAG_PREFIX : 0) | (matchMode === 'any' ? FLAG_ANY : 0) | (explain ? FLAG_EXPLAIN : 0);
  return flags | rankingFlags | facetFlags;
}

/** The read in `slot` as it was answered, with `body`, `tookUs` after it was asked for. */
export const resultIn = (
  { header, requestWords }: Slot,
  body: Uint8Array,
  heldBytes: number,
  tookUs: number,
): ReadResult => ({
  body,
  found: header[SLOT.FOUND],
  elapsedUs: header[SLOT.ELAPSED_US],
  waitedUs: Math.max(0, Math.round(tookUs - header[SLOT.ELAPSED_US])),
  heldBytes,
  collectionId: requestWords[1],
  version: header[SLOT.VERSION],
});

/** The error that a reader has written as `body`. */
export function errorIn(body: Uint8Array): EngineError {
  const { code, message } = JSON.parse(decoder.decode(body.slice())) as { code: EngineErrorCode; message: string };
  return new EngineError(code, message);
}

/** Writes `read` on the collection with number `collectionId` into `slot`. Throws payload_too_large when it does not fit. */
export function encodeRead(slot: Slot, read: InnerRead, collectionId: number): void {
  const { requestWords: words } = slot;
  words[0] = read.operation;
  words[1] = collectionId;
  if (read.operation === OPERATION_EXPORT) {
    words[3] = encodeText(JSON.stringify(read.request), slot.request, REQUEST_HEADER_BYTES);
    return;
  }
  words[2] = flagsOf(read);
  words[3] = read.operation === OPERATION_FETCH ? 0 : read.request.limit;
  words[4] = read.operation === OPERATION_SEARCH ? read.request.offset : 0;
  words[5] = read.operation === OPERATION_SEARCH ? read.request.typoThreshold : 0;
  words[6] = read.operation === OPERATION_SEARCH ? read.request.snippetTokens : 0;
  words[7] = read.operation === OPERATION_SEARCH ? read.request.facetLimit : 0;
  let at = REQUEST_HEADER_BYTES;
  let index = STRING_WORDS;
  const put = (text: string | null): void => {
    if (text === null) {
      words[index++] = NULL_STRING;
      return;
    }
    const written = encodeText(text, slot.request, at);
    words[index++] = written;
    at += written;
  };
  if (read.operation === OPERATION_FETCH) {
    put(read.request.id);
    put(read.request.includeFields);
    put(read.request.excludeFields);
    put(read.request.requiredFilter);
  } else {
    put(read.request.q);
    put(read.request.queryBy);
    if (read.operation === OPERATION_SEARCH) {
      put(read.request.filter);
      put(read.request.sort);
      put(read.request.facet);
      put(read.request.highlight);
      put(read.request.highlightOpen);
      put(read.request.highlightClose);
      put(read.request.explainId);
      put(read.request.includeFields);
      put(read.request.excludeFields);
      put(read.request.facetQuery);
      put(read.request.distinct);
      put(read.request.requiredFilter);
    }
  }
  while (index < STRING_WORDS + STRINGS_MAX) words[index++] = NULL_STRING;
}

/** Writes `text` to `request` from `at` on and returns its bytes. Throws payload_too_large when it does not fit. */
function encodeText(text: string, request: Buffer, at: number): number {
  const { read, written } = encoder.encodeInto(text, request.subarray(at));
  if (read === text.length) return written;
  throw new EngineError('payload_too_large', `the parameters take more than ${REQUEST_BYTES} bytes`);
}

export interface DecodedRead {
  readonly collectionId: number;
  readonly read: InnerRead;
}

/** Reads what encodeRead wrote. The collection's name is not sent along: `collection` is ''. */
export function decodeRead(slot: Slot): DecodedRead {
  const { requestWords: words } = slot;
  if (words[0] === OPERATION_EXPORT) {
    const json = slot.request.toString('utf8', REQUEST_HEADER_BYTES, REQUEST_HEADER_BYTES + words[3]);
    const request = JSON.parse(json) as ExportPageRequest;
    return { collectionId: words[1], read: { operation: OPERATION_EXPORT, request } };
  }
  let at = REQUEST_HEADER_BYTES;
  let index = STRING_WORDS;
  const take = (): string | null => {
    const bytes = words[index++];
    if (bytes === NULL_STRING) return null;
    const text = slot.request.toString('utf8', at, at + bytes);
    at += bytes;
    return text;
  };
  const flags = words[2];
  const format: ResponseFormat = (flags & FLAG_MSGPACK) !== 0 ? 'msgpack' : 'json';
  const typoTolerance = (flags & FLAG_TYPOS_GIVEN) === 0 ? null : (flags & FLAG_TYPOS) !== 0;
  if (words[0] === OPERATION_FETCH) {
    const id = take() ?? '';
    const includeFields = take();
    const excludeFields = take();
    const request = { collection: '', format, id, includeFields, excludeFields, requiredFilter: take() };
    return { collectionId: words[1], read: { operation: OPERATION_FETCH, request } };
  }
  const q = take() ?? '';
  const queryBy = take();
  const limit = words[3];
  if (words[0] === OPERATION_SUGGEST) {
    const request = { collection: '', format, q, queryBy, limit, typoTolerance };
    return { collectionId: words[1], read: { operation: OPERATION_SUGGEST, request } };
  }
  const filter = take();
  const sort = take();
  const facet = take();
  const highlight = take();
  const highlightOpen = take();
  const highlightClose = take();
  const explainId = take();
  const includeFields = take();
  const excludeFields = take();
  const facetQuery = take();
  const distinct = take();
  const requiredFilter = take();
  const matchMode: MatchMode = (flags & FLAG_ANY) !== 0 ? 'any' : 'all';
  const request: SearchRequest = {
    collection: '',
    format,
    q,
    queryBy,
    filter,
    sort,
    facet,
    facetLimit: words[7],
    facetSort: (flags & FLAG_FACET_BY_VALUE) !== 0 ? 'value' : 'count',
    facetStats: (flags & FLAG_FACET_STATS) !== 0,
    facetQuery,
    distinct,
    limit,
    offset: words[4],
    prefix: (flags & FLAG_PREFIX) !== 0,
    typoTolerance,
    matchMode,
    typoThreshold: words[5],
    ranking: (flags & FLAG_RANKING_GIVEN) === 0 ? null : (flags & FLAG_BM25) !== 0 ? 'bm25' : 'best',
    highlight,
    highlightOpen,
    highlightClose,
    snippetTokens: words[6],
    explain: (flags & FLAG_EXPLAIN) !== 0,
    explainId,
    includeFields,
    excludeFields,
    requiredFilter,
    note: null,
  };
  return { collectionId: words[1], read: { operation: OPERATION_SEARCH, request } };
}
