/**
 * What the segment being looked at knows of a candidate's fields beside its postings: how long they are, and whether they hold several
 * values. Used by kernels/candidates.ts and kernels/nearness.ts. Layout: layout/occurrences.ts.
 */
import {
  ARRAYS_UNKNOWN,
  OCCURRENCE_FIELD_ARRAYS,
  OCCURRENCE_FIELD_ARRAY_COUNT,
  OCCURRENCE_FIELD_BYTES,
  OCCURRENCE_FIELD_LENGTHS,
  OCCURRENCE_FIELD_WIDTH,
  OCCURRENCE_RECORD_FIELDS,
  OCCURRENCES_FIELD_COUNT,
  OCCURRENCES_RECORD,
  OCCURRENCES_WHOLE_MAX,
} from '../layout/occurrences';
import { lowerBound } from './occurrence-runs';

/** The queried field with place `place`. */
@inline
function fieldAt(state: usize, place: u32): usize {
  return <usize>load<u32>(state, OCCURRENCES_RECORD) + OCCURRENCE_RECORD_FIELDS + place * OCCURRENCE_FIELD_BYTES;
}

/** Tokens of the field in the document. */
@inline
export function lengthOf(state: usize, place: u32, doc: u32): u32 {
  const field = fieldAt(state, place);
  const lengths = <usize>load<u32>(field, OCCURRENCE_FIELD_LENGTHS);
  const width = load<u32>(field, OCCURRENCE_FIELD_WIDTH);
  if (width == 1) return <u32>load<u8>(lengths + doc);
  return width == 2 ? <u32>load<u16>(lengths + (<usize>doc << 1)) : load<u32>(lengths + (<usize>doc << 2));
}

/** Whether the segment knows that the document holds at most one value in the field. */
@inline
export function isSurelyOne(state: usize, place: u32, doc: u32): bool {
  const field = fieldAt(state, place);
  const count = load<u32>(field, OCCURRENCE_FIELD_ARRAY_COUNT);
  if (count == 0 || count == ARRAYS_UNKNOWN) return count == 0;
  const docs = <usize>load<u32>(field, OCCURRENCE_FIELD_ARRAYS);
  const i = lowerBound(docs, count, doc);
  return i == count || load<u32>(docs + (i << 2)) != doc;
}

/** Whether a field of the document is short enough for a value that is what was typed, or may hold several values. */
export function mayBeWhole(state: usize, doc: u32): bool {
  const fields = load<u32>(state, OCCURRENCES_FIELD_COUNT);
  const most = load<u32>(state, OCCURRENCES_WHOLE_MAX);
  for (let place: u32 = 0; place < fields; place++) {
    const tokens = lengthOf(state, place, doc);
    if (tokens != 0 && (tokens <= most || !isSurelyOne(state, place, doc))) return true;
  }
  return false;
}
