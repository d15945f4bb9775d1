/**
 * Where structures lie that only large segments have: packed documents, their dictionary, and ranked chunks of terms. They are
 * few of a file's bytes, so a share of the damages is aimed at them.
 */
import { CHUNK_KIND_RANKED, ENTRY_KIND_CHUNKED, RANKED_IMPACTS } from '../../engine/layout/postings.js';
import {
  CHUNK_COUNT_WORD,
  CHUNK_DATA_WORD,
  CHUNK_HEAD_WORD,
  CHUNK_WORDS,
  headKind,
} from '../../engine/postings/entry-words.js';
import type { SegmentReader } from '../../engine/segment/segment-reader.js';

/** Bytes [start, end) of a segment and of its file. */
export interface Aim {
  readonly what: 'packed documents' | 'dictionary' | 'ranked chunk';
  readonly start: number;
  readonly end: number;
}

/** What is aimed at in a segment, in no order. */
export const aimsOf = (segment: SegmentReader): Aim[] => [...packedParts(segment), ...rankedChunks(segment)];

function packedParts({ documents: { maxDoc, parts, rows }, views }: SegmentReader): Aim[] {
  return parts.flatMap(({ first, dictionary }, part): Aim[] => {
    if (dictionary === null) return [];
    const start = dictionary.byteOffset - views.u8.byteOffset;
    return [
      { what: 'packed documents', start: rows.start(first), end: rows.start(parts[part + 1]?.first ?? maxDoc) },
      { what: 'dictionary', start, end: start + dictionary.length },
    ];
  });
}

function rankedChunks({ postings, views: { u32 } }: SegmentReader): Aim[] {
  const aims: Aim[] = [];
  for (let entry = 0; entry < postings.entryCount; entry++) {
    if (postings.kind(entry) !== ENTRY_KIND_CHUNKED) continue;
    const list = postings.list(entry) >> 2;
    for (let chunk = 0; chunk < u32[list]; chunk++) {
      const at = list + 1 + chunk * CHUNK_WORDS;
      if (headKind(u32[at + CHUNK_HEAD_WORD]) !== CHUNK_KIND_RANKED) continue;
      const start = u32[at + CHUNK_DATA_WORD];
      aims.push({ what: 'ranked chunk', start, end: start + RANKED_IMPACTS + u32[at + CHUNK_COUNT_WORD] });
    }
  }
  return aims;
}
