/**
 * Which postings of a list are of deleted documents, and what that takes off its outline. Called by segment/live-statistics.ts through
 * memory/kernel-instance.ts, and by kernels/foreseen-page.ts and list-sweep.ts. Layouts: layout/losses.ts, layout/list-outline.ts,
 * layout/postings.ts.
 */
import { LOSSES_CLASS_COUNT, LOSSES_CLASSES, LOSSES_POSTINGS } from '../layout/losses';
import {
  OUTLINE_CLASS_ALL,
  OUTLINE_CLASS_BYTES,
  OUTLINE_CLASS_DOES,
  OUTLINE_CLASS_IMPACT,
  OUTLINE_CLASS_MAY,
} from '../layout/list-outline';
import {
  CHUNK_BLOCKS,
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_CHUNK,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_FIRST,
  CHUNK_ENTRY_KIND,
  CHUNK_KIND_RANKED,
  ENTRY_LIST,
  RANKED_IMPACTS,
} from '../layout/postings';
import { CHUNK_BITSET_BYTES, CHUNK_DOCS } from '../layout/scratch';
import { hasBit } from './bit-lists';
import { canJudge } from './judged-list';
import { countPosting, OUTLINE_COUNTS_BYTES, OUTLINE_DOES, OUTLINE_MAY, writeClasses } from './list-outline';
import { signaturesOf } from './position-stream';
import { rankOfBlock } from './ranked-chunks';

/** Counts those postings of a ranked chunk whose bits are not set in `live`. */
function countRanked(data: usize, size: u32, live: usize, signatures: usize, whole: u32, counts: usize): void {
  for (let block: u32 = 0; block < <u32>CHUNK_BLOCKS; block++) {
    let rank = rankOfBlock(data, block, size);
    for (let half: usize = 0; half < 16; half += 8) {
      const own = load<u64>(data + (<usize>block << 4) + half);
      for (let gone = own & ~load<u64>(live + (<usize>block << 4) + half); gone; gone &= gone - 1) {
        const place = rank + <u32>popcnt(own & ((gone & (0 - gone)) - 1));
        if (place >= size) break;
        countPosting(load<u8>(data + RANKED_IMPACTS + place), load<u16>(signatures + (<usize>place << 1)), whole, counts);
      }
      rank += <u32>popcnt(own);
    }
  }
}

/**
 * Writes what the list of `entry`, chunked, has of documents whose bits are not set in `live` to `out`, which has room for 4,104 bytes at a multiple
 * of 4, and returns its bytes; 0: what its postings are is not told. `counts`: room for OUTLINE_COUNTS_BYTES. `whole`: the impact of a term
 * that is all its field has.
 */
export function countLosses(
  segment: usize, entry: usize, live: usize, chunks: u32, whole: u32, counts: usize, out: usize,
): u32 {
  memory.fill(counts, 0, OUTLINE_COUNTS_BYTES);
  const directory = segment + load<u32>(entry, ENTRY_LIST);
  const end = directory + 4 + <usize>min(load<u32>(directory), chunks) * CHUNK_ENTRY_BYTES;
  for (let at = directory + 4; at < end; at += CHUNK_ENTRY_BYTES) {
    const chunk = <u32>load<u16>(at, CHUNK_ENTRY_CHUNK);
    if (chunk >= chunks || !canJudge(entry, at)) return 0;
    const size = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
    const data = segment + load<u32>(at, CHUNK_ENTRY_DATA);
    const bits = live + <usize>chunk * CHUNK_BITSET_BYTES;
    const signatures = signaturesOf(segment, entry) + (<usize>load<u32>(at, CHUNK_ENTRY_FIRST) << 1);
    if (load<u8>(at, CHUNK_ENTRY_KIND) == CHUNK_KIND_RANKED) {
      countRanked(data, size, bits, signatures, whole, counts);
      continue;
    }
    const impacts = data + (<usize>size << 1);
    for (let i: u32 = 0; i < size; i++) {
      if (hasBit(bits, load<u16>(data + (<usize>i << 1)))) continue;
      countPosting(load<u8>(impacts + i), load<u16>(signatures + (<usize>i << 1)), whole, counts);
    }
  }
  const classesEnd = writeClasses(counts, out + LOSSES_CLASSES);
  let postings: u32 = 0;
  for (let at = out + LOSSES_CLASSES; at < classesEnd; at += OUTLINE_CLASS_BYTES) postings += load<u32>(at, OUTLINE_CLASS_ALL);
  store<u32>(out, <u32>((classesEnd - out - LOSSES_CLASSES) / OUTLINE_CLASS_BYTES), LOSSES_CLASS_COUNT);
  store<u32>(out, postings, LOSSES_POSTINGS);
  return <u32>(classesEnd - out);
}

/** Takes `less` off a count; of a damaged list it may be more. */
@inline
function takeOff(at: usize, less: u32): void {
  const count = load<u32>(at);
  store<u32>(at, count - min(count, less));
}

/** Takes `losses` off counts by impact as an outline adds them, u32[256] each of all postings, of such that may and of such that do. */
export function subtractLosses(losses: usize, counts: usize): void {
  const end = losses + LOSSES_CLASSES + <usize>load<u32>(losses, LOSSES_CLASS_COUNT) * OUTLINE_CLASS_BYTES;
  for (let at = losses + LOSSES_CLASSES; at < end; at += OUTLINE_CLASS_BYTES) {
    const all = counts + (<usize>load<u32>(at, OUTLINE_CLASS_IMPACT) << 2);
    takeOff(all, load<u32>(at, OUTLINE_CLASS_ALL));
    takeOff(all + OUTLINE_MAY, load<u32>(at, OUTLINE_CLASS_MAY));
    takeOff(all + OUTLINE_DOES, load<u32>(at, OUTLINE_CLASS_DOES));
  }
}

/** Takes them off counts of all postings by impact alone; returns how many they are. */
export function subtractImpacts(losses: usize, counts: usize): u32 {
  const end = losses + LOSSES_CLASSES + <usize>load<u32>(losses, LOSSES_CLASS_COUNT) * OUTLINE_CLASS_BYTES;
  for (let at = losses + LOSSES_CLASSES; at < end; at += OUTLINE_CLASS_BYTES) {
    takeOff(counts + (<usize>load<u32>(at, OUTLINE_CLASS_IMPACT) << 2), load<u32>(at, OUTLINE_CLASS_ALL));
  }
  return load<u32>(losses, LOSSES_POSTINGS);
}
