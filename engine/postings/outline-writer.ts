/**
 * Writes the outlines of a segment's long lists (layout/list-outline.ts), each as kernels/list-outline.ts would make it. Called by the
 * postings builder and merger once lists and positions are written.
 */
import { CHAMPION_BEGUN, CHAMPION_PLAIN, CHAMPION_WHOLE } from '../layout/champions.js';
import {
  OUTLINE_CLASS_ALL,
  OUTLINE_CLASS_BYTES,
  OUTLINE_CLASS_COUNT,
  OUTLINE_CLASS_DOES,
  OUTLINE_CLASS_IMPACT,
  OUTLINE_CLASS_MAY,
  OUTLINE_CLASSES,
  OUTLINE_GROUP_BLOCKS,
  OUTLINE_GROUP_BYTES,
  OUTLINE_GROUP_WHOLES,
  OUTLINE_GROUPS,
  OUTLINED_POSTINGS_MIN,
} from '../layout/list-outline.js';
import { UNION_OUTLINE } from '../layout/list-union.js';
import {
  BLOCK_POSTINGS,
  CHUNK_BLOCKS,
  CHUNK_KIND_RANKED,
  ENTRY_BYTES,
  ENTRY_KIND_CHUNKED,
  ENTRY_KIND_TINY,
  RANKED_IMPACTS,
  RANKED_RANKS,
  SIGNATURE_BEYOND,
} from '../layout/postings.js';
import { CHUNK_DOCS } from '../layout/scratch.js';
import type { RegionWriter } from '../memory/region-writer.js';
import { ChampionPicker, kindOf, nthBit } from './champion-picker.js';
import type { EntryTable } from './entry-table.js';
import {
  CHUNK_COUNT_WORD,
  CHUNK_DATA_WORD,
  CHUNK_FIRST_WORD,
  CHUNK_HEAD_WORD,
  CHUNK_WORDS,
  DF_WORD,
  ENTRY_WORDS,
  headChunk,
  headKind,
  LIST_WORD,
  POSITIONS_WORD,
  packTail,
  TAIL_WORD,
} from './entry-words.js';
import { WHOLE_IMPACT } from './impacts.js';

/** Impacts are bytes. */
const IMPACTS = 256;

const sumOf = (counts: Uint32Array): number => counts.reduce((sum, count) => sum + count, 0);

/** Postings of a chunk that an outline tells of together. */
interface Block {
  /** Byte of the first impact, and u16 of the first signature. */
  readonly impacts: number;
  readonly signatures: number;
  readonly count: number;
  /** The documents: bits at a byte, the first of which is that of `firstDoc`, or else u16[] from `docs` on, counted from it. */
  readonly firstDoc: number;
  readonly bits: number;
  readonly docs: number;
}

/** Where the outlines of a segment lie, and how many there are. */
export interface OutlineSection {
  readonly table: number;
  readonly count: number;
}

class OutlineWriter {
  readonly #out: RegionWriter;
  /** By impact: postings, those of which the field may begin with the term, and those of which it does. */
  readonly #all = new Uint32Array(IMPACTS);
  readonly #may = new Uint32Array(IMPACTS);
  readonly #does = new Uint32Array(IMPACTS);
  readonly #champions = new ChampionPicker();
  /** The groups of an outline. */
  #groups = new Uint8Array(CHUNK_BLOCKS * OUTLINE_GROUP_BYTES);
  #groupCount = 0;

  constructor(out: RegionWriter) {
    this.#out = out;
  }

  /** Writes the outline of the chunked list at `list`, whose signatures lie at `signatures`; returns its offset. */
  write(list: number, signatures: number): number {
    this.#all.fill(0);
    this.#may.fill(0);
    this.#does.fill(0);
    this.#champions.begin();
    this.#groupCount = 0;
    const { u32 } = this.#out.views;
    const chunks = u32[list >> 2];
    const first = (list >> 2) + 1;
    for (let at = first; at < first + chunks * CHUNK_WORDS; at += CHUNK_WORDS) this.#countChunk(at, signatures);
    return this.#put();
  }

  /** Counts the chunk of the directory entry at word `at`. */
  #countChunk(at: number, signatures: number): void {
    const { u16, u32 } = this.#out.views;
    const size = u32[at + CHUNK_COUNT_WORD];
    const data = u32[at + CHUNK_DATA_WORD];
    const head = u32[at + CHUNK_HEAD_WORD];
    const isRanked = headKind(head) === CHUNK_KIND_RANKED;
    const firstDoc = headChunk(head) * CHUNK_DOCS;
    const impacts = isRanked ? data + RANKED_IMPACTS : data + size * 2;
    const signature = (signatures >> 1) + u32[at + CHUNK_FIRST_WORD];
    const blocks = isRanked ? CHUNK_BLOCKS : Math.ceil(size / BLOCK_POSTINGS);
    const groups = this.#beginGroups(Math.ceil(blocks / OUTLINE_GROUP_BLOCKS));
    const ranks = (data + RANKED_RANKS) >> 1;
    let from = 0;
    for (let block = 0; block < blocks; block++) {
      let to = Math.min(from + BLOCK_POSTINGS, size);
      if (isRanked) to = block + 1 < CHUNK_BLOCKS ? u16[ranks + block + 1] : size;
      const group = groups + Math.floor(block / OUTLINE_GROUP_BLOCKS) * OUTLINE_GROUP_BYTES;
      const postings: Block = {
        impacts: impacts + from,
        signatures: signature + from,
        count: to - from,
        firstDoc: isRanked ? firstDoc + block * BLOCK_POSTINGS : firstDoc,
        bits: isRanked ? data + block * (BLOCK_POSTINGS / 8) : -1,
        docs: (data >> 1) + from,
      };
      this.#countBlock(postings, group, block % OUTLINE_GROUP_BLOCKS);
      from = to;
    }
  }

  /** Makes room for `count` groups, all zero, and returns where they begin. */
  #beginGroups(count: number): number {
    const start = this.#groupCount * OUTLINE_GROUP_BYTES;
    const end = start + count * OUTLINE_GROUP_BYTES;
    if (end > this.#groups.length) {
      const larger = new Uint8Array(end * 2);
      larger.set(this.#groups);
      this.#groups = larger;
    }
    this.#groups.fill(0, start, end);
    this.#groupCount += count;
    return start;
  }

  /** Counts the postings of block `place` of a group. */
  #countBlock(block: Block, group: number, place: number): void {
    const { u8, u16 } = this.#out.views;
    const { impacts, signatures, count } = block;
    const { floors } = this.#champions;
    let largest = 0;
    for (let i = 0; i < count; i++) {
      const impact = u8[impacts + i];
      const signature = u16[signatures + i];
      const kind = kindOf(impact, signature);
      if (impact > floors[kind]) this.#champions.take(kind, this.#docOf(block, i), impact, signature);
      const isWhole = impact === WHOLE_IMPACT;
      const begins = (signature & 1) !== 0;
      this.#all[impact]++;
      if (!begins && !isWhole) continue;
      this.#may[impact]++;
      if (begins && (isWhole || (signature & SIGNATURE_BEYOND) === 0)) this.#does[impact]++;
      if (isWhole) this.#groups[group + OUTLINE_GROUP_WHOLES + (place >> 3)] |= 1 << (place & 7);
      else if (impact > largest) largest = impact;
    }
    this.#groups[group + place] = largest;
  }

  /** The document of posting `index` of a block. */
  #docOf({ firstDoc, bits, docs }: Block, index: number): number {
    const { views } = this.#out;
    return firstDoc + (bits < 0 ? views.u16[docs + index] : nthBit(views, bits, index));
  }

  /** How many postings of each kind of champions there are. */
  #countKinds(): number[] {
    const counts: number[] = [];
    counts[CHAMPION_WHOLE] = this.#all[WHOLE_IMPACT];
    counts[CHAMPION_BEGUN] = sumOf(this.#may) - this.#all[WHOLE_IMPACT];
    counts[CHAMPION_PLAIN] = sumOf(this.#all) - sumOf(this.#may);
    return counts;
  }

  #put(): number {
    const classCount = this.#all.reduce((count, all) => count + (all > 0 ? 1 : 0), 0);
    const championsAt = OUTLINE_CLASSES + classCount * OUTLINE_CLASS_BYTES;
    const groupsAt = championsAt + this.#champions.bytes;
    const start = this.#out.align(4);
    this.#out.reserve(groupsAt + this.#groupCount * OUTLINE_GROUP_BYTES);
    const { views } = this.#out;
    const { u8, u32 } = views;
    u32[(start + OUTLINE_CLASS_COUNT) >> 2] = classCount;
    u32[(start + OUTLINE_GROUPS) >> 2] = groupsAt;
    let at = start + OUTLINE_CLASSES;
    for (let impact = IMPACTS - 1; impact > 0; impact--) {
      if (this.#all[impact] === 0) continue;
      u32[(at + OUTLINE_CLASS_IMPACT) >> 2] = impact;
      u32[(at + OUTLINE_CLASS_ALL) >> 2] = this.#all[impact];
      u32[(at + OUTLINE_CLASS_MAY) >> 2] = this.#may[impact];
      u32[(at + OUTLINE_CLASS_DOES) >> 2] = this.#does[impact];
      at += OUTLINE_CLASS_BYTES;
    }
    this.#champions.write(views, at, this.#countKinds());
    u8.set(this.#groups.subarray(0, this.#groupCount * OUTLINE_GROUP_BYTES), start + groupsAt);
    return start;
  }
}

/** The entries among the first `count` of `entries` that get an outline. */
function outlinedEntries(entries: EntryTable, count: number): Uint32Array {
  const outlined: number[] = [];
  for (let entry = 0; entry < count; entry++)
    if (entries.df(entry) >= OUTLINED_POSTINGS_MIN && entries.kind(entry) === ENTRY_KIND_CHUNKED) outlined.push(entry);
  return Uint32Array.from(outlined);
}

/** Writes the outlines of the first `count` of `entries`: those of terms, which have positions. */
export function writeOutlines(out: RegionWriter, entries: EntryTable, count: number): OutlineSection {
  const outlined = outlinedEntries(entries, count);
  if (outlined.length === 0) return { table: 0, count: 0 };
  const table = out.align(64);
  out.reserve(outlined.length * 4);
  out.views.u32.set(outlined, table >> 2);
  const standIns = out.align(64);
  out.reserve(outlined.length * ENTRY_BYTES);
  const { u32 } = out.views;
  const writer = new OutlineWriter(out);
  for (const [i, entry] of outlined.entries()) {
    const at = (standIns >> 2) + i * ENTRY_WORDS;
    u32[at + LIST_WORD] = writer.write(entries.list(entry), entries.signatures(entry));
    u32[at + DF_WORD] = 0;
    u32[at + POSITIONS_WORD] = UNION_OUTLINE;
    u32[at + TAIL_WORD] = packTail(entries.field(entry), 0, ENTRY_KIND_TINY);
  }
  return { table, count: outlined.length };
}
