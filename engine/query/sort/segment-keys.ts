/**
 * The sort keys of one segment's documents, as pairs of doubles of which the smaller comes first.
 *
 *   key                hi                          lo
 *   _text_match        the score                   0
 *   number             high half of its i64 key    low half, unsigned
 *   keyword            ordinal                     0
 *   keyword, foreign   ordinal of the next - 0.5   rank among the foreign values
 *   no value           MISSING_KEY                 0
 *
 * Descending keys are negated, a foreign keyword's rank excepted. Made by TopDocs, one a segment; keyword ordinals of
 * different segments do not compare, so documents kept from earlier segments are given keys of the new one by adopt().
 */
import type { ColumnReader } from '../../values/column-reader.js';
import type { SortSpec } from './parse-sort.js';
import { TEXT_MATCH } from './parse-sort.js';
import { MISSING_KEY, type RankedBuffer } from './ranked-buffer.js';
import type { SortSource } from './sort-source.js';

export class SegmentKeys {
  readonly source: SortSource;
  readonly spec: SortSpec;
  /** By key; null when it is the score, or when no document of the segment has the field. */
  readonly columns: readonly (ColumnReader | null)[];

  constructor(source: SortSource, spec: SortSpec) {
    this.source = source;
    this.spec = spec;
    this.columns = spec.keys.map((key) => (key.field === TEXT_MATCH ? null : source.column(key.field)));
  }

  /** Writes the keys of `doc` with `score` into `slot`. */
  fill(buffer: RankedBuffer, slot: number, doc: number, score: number): void {
    const { keys } = this.spec;
    const { keyHi, keyLo } = buffer;
    let at = slot * keys.length;
    for (let k = 0; k < keys.length; k++, at++) {
      const key = keys[k];
      const sign = key.descending ? -1 : 1;
      const column = this.columns[k];
      keyLo[at] = 0;
      if (column === null) {
        keyHi[at] = key.field === TEXT_MATCH ? sign * score : MISSING_KEY;
        continue;
      }
      const first = column.firstIndex(doc);
      const end = column.endIndex(doc);
      if (first === end) {
        keyHi[at] = MISSING_KEY;
        continue;
      }
      const index = key.descending ? end - 1 : first;
      const codeLo = column.codeLo(index);
      if (key.keyword) {
        keyHi[at] = sign * codeLo;
        buffer.ords[at] = codeLo;
      } else {
        keyHi[at] = sign * column.keyHi(codeLo, column.codeHi(index));
        keyLo[at] = sign * column.keyLo(codeLo);
      }
    }
  }

  /**
   * Rewrites the keyword keys of every slot in use in terms of this segment's dictionaries. `segments` holds the keys of
   * the segments presented so far, by their number. A segment without the column compares nothing: its keys stay.
   */
  adopt(buffer: RankedBuffer, segments: readonly SegmentKeys[]): void {
    const { keys } = this.spec;
    for (let k = 0; k < keys.length; k++) {
      const column = this.columns[k];
      if (keys[k].keyword && column !== null) this.#adoptKey(buffer, segments, k, column);
    }
  }

  #adoptKey(buffer: RankedBuffer, segments: readonly SegmentKeys[], k: number, column: ColumnReader): void {
    const keyCount = this.spec.keys.length;
    const { keyHi, keyLo } = buffer;
    const sign = this.spec.keys[k].descending ? -1 : 1;
    const slots = slotsByKey(buffer, keyCount, k);
    let oldHi = MISSING_KEY;
    let oldLo = 0;
    let newHi = 0;
    let newLo = 0;
    for (let rank = 0; rank < slots.length; rank++) {
      const at = slots[rank] * keyCount + k;
      if (keyHi[at] === MISSING_KEY) break;
      if (keyHi[at] !== oldHi || keyLo[at] !== oldLo) {
        oldHi = keyHi[at];
        oldLo = keyLo[at];
        const home = segments[buffer.segments[slots[rank]]].columns[k] as ColumnReader;
        const ord = buffer.ords[at];
        const found = column.findOrd(home.views.u8, home.dictStart(ord), home.dictEnd(ord));
        newHi = sign * (found >= 0 ? found : -found - 1.5);
        // Slots come in the order of their values, so the rank tells apart the foreign values of one gap.
        newLo = found >= 0 ? 0 : rank;
      }
      keyHi[at] = newHi;
      keyLo[at] = newLo;
    }
  }
}

/** The slots in use, ordered by key `k` alone. */
function slotsByKey(buffer: RankedBuffer, keyCount: number, k: number): Uint32Array {
  const { keyHi, keyLo } = buffer;
  const slots = buffer.order.slice(0, buffer.count);
  return slots.sort((a, b) => {
    const i = a * keyCount + k;
    const j = b * keyCount + k;
    if (keyHi[i] !== keyHi[j]) return keyHi[i] < keyHi[j] ? -1 : 1;
    return keyLo[i] - keyLo[j];
  });
}
