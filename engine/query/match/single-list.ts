/**
 * The fast path of a query that is one list in a segment: its count is the list's length, and only blocks whose bound
 * can still enter the top documents are scored.
 *
 * Applies to one token with one list, or a short prefix with prefix postings, in order of score, when nothing else must
 * look at every match: no deletion, no filter, no facet. (Ding & Suel, "Faster top-k document retrieval using block-max
 * indexes", SIGIR 2011.)
 */
import { BLOCK_POSTINGS, CHUNK_BLOCKS, CHUNK_KIND_SPARSE, ENTRY_KIND_CHUNKED } from '../../layout/postings.js';
import { CHUNK_DOCS, SCRATCH_ACC, SCRATCH_LIST_A } from '../../layout/scratch.js';
import { PLAN_ITEM_BITSET, PLAN_ITEM_DENSE, PLAN_ITEM_RANKED } from '../../layout/token-plan.js';
import {
  CHUNK_COUNT_WORD,
  CHUNK_DATA_WORD,
  CHUNK_HEAD_WORD,
  CHUNK_WORDS,
  headChunk,
  headKind,
  headMaxImpact,
} from '../../postings/entry-words.js';
import { idf } from '../../postings/impacts.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import { rangesIn } from '../expand/segment-ranges.js';
import type { TextQuery } from '../expand/text-query.js';
import { WEIGHTS } from '../expand/token-expansion.js';
import type { FieldMap } from '../field-map.js';
import type { TopDocs } from '../sort/top-docs.js';

/** The first blocks of a chunk are few, so that the threshold rises before the many are looked at. */
const FIRST_BLOCKS = 2;
const BLOCK_GROWTH = 4;

/** By CHUNK_KIND_*. */
const ITEM_FLAGS = [0, PLAN_ITEM_DENSE, PLAN_ITEM_BITSET, PLAN_ITEM_RANKED];

const f32 = new Float32Array(1);
const u32 = new Uint32Array(f32.buffer);

/** The largest 32-bit float below a score; for 0 and less it is -1, which is below every score. */
function floatBelow(value: number): number {
  if (value <= 0) return -1;
  f32[0] = value;
  u32[0]--;
  return f32[0];
}

/** The query's only list in a segment. */
export interface SingleList {
  readonly entry: number;
  readonly weight: number;
  readonly df: number;
  /** What scores are multiplied by. */
  readonly factor: number;
  /** A list that weighs more and whose documents are all in `entry` too: the token itself within its prefix postings. */
  readonly inner: { readonly entry: number; readonly weight: number } | null;
}

/**
 * The one chunked list that `query` reads in segment `index`, or the prefix postings of its prefix with the list of the
 * prefix itself inside; null when it reads others, or a short one.
 */
export function findSingleList(
  query: TextQuery,
  index: number,
  segment: SearchableSegment,
  map: FieldMap,
): SingleList | null {
  if (query.clauses.length !== 1) return null;
  const clause = query.clauses[0];
  if (clause.kind !== 'token' || clause.sought.length > 0) return null;
  const ranges = rangesIn(clause.expansion.ranges, index);
  const { postings } = segment.reader;
  const lists: { entry: number; weight: number }[] = [];
  for (let i = 0; i < ranges.length; i += 3) {
    if (ranges[i + 1] - ranges[i] > 8) return null;
    for (let entry = ranges[i]; entry < ranges[i + 1]; entry++) {
      if (map.placeOf(postings.field(entry)) < 0) continue;
      if (postings.kind(entry) !== ENTRY_KIND_CHUNKED || lists.length === 2) return null;
      lists.push({ entry, weight: WEIGHTS[ranges[i + 2]] });
    }
  }
  const { df } = clause.expansion;
  const factor = clause.repeats;
  if (lists.length === 1) return { entry: lists[0].entry, weight: lists[0].weight, df, factor, inner: null };
  if (lists.length === 0) return null;
  const [outer, inner] = lists[0].entry > lists[1].entry ? lists : [lists[1], lists[0]];
  const covers = outer.entry >= postings.entryCount && inner.entry < postings.entryCount;
  if (!covers || inner.weight <= outer.weight || postings.field(inner.entry) !== postings.field(outer.entry))
    return null;
  return { entry: outer.entry, weight: outer.weight, df, factor, inner };
}

/** The smallest impact i such that an impact of at most i scores above `threshold`; 256 when there is none. */
function firstClassAbove(bounds: Float32Array, weight: number, threshold: number): number {
  let low = 1;
  let high = 256;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Math.fround(weight * bounds[middle]) > threshold) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A list with the weight of its scores, idf and boost included, as a 32-bit float. */
interface WeighedList {
  readonly entry: number;
  readonly weight: number;
}

/** `list` of `single` with idf and boost in its weight. */
function weigh(list: WeighedList, single: SingleList, segment: SearchableSegment, map: FieldMap): WeighedList {
  const place = map.placeOf(segment.reader.postings.field(single.entry));
  const scale = map.scaleOf(place, idf(map.documents, Math.min(single.df, map.documents)) * single.factor);
  return { entry: list.entry, weight: Math.fround(Math.fround(list.weight) * Math.fround(scale)) };
}

/** Whether some document of `single` could still enter `top`, as far as its largest impacts tell. */
export function mayEnter(single: SingleList, segment: SearchableSegment, map: FieldMap, top: TopDocs): boolean {
  const { postings } = segment.reader;
  const worst = top.threshold();
  if (worst < 0) return true;
  const threshold = top.tiesMayEnter ? floatBelow(worst) : worst;
  const bounds = map.bounds(map.placeOf(postings.field(single.entry)));
  for (const list of single.inner === null ? [single] : [single, single.inner]) {
    const { weight } = weigh(list, single, segment, map);
    if (Math.fround(weight * bounds[postings.maxImpact(list.entry)]) > threshold) return true;
  }
  return false;
}

/** Offers the best documents of `single` to `top`. */
export function collectSingleList(single: SingleList, segment: SearchableSegment, map: FieldMap, top: TopDocs): void {
  const outer = weigh(single, single, segment, map);
  if (single.inner === null) {
    offerList(outer, null, false, segment, map, top);
    return;
  }
  // Either may score a document higher: the prefix weighs more, a completion may stand there more often.
  const inner = weigh(single.inner, single, segment, map);
  offerList(inner, outer, false, segment, map, top);
  offerList(outer, inner, true, segment, map, top);
}

/**
 * Offers the documents of `own` that can enter `top`, but for those that `rival`, a list of the same field, scores
 * higher. `again`: it was offered before `own`, and had the documents that both score alike.
 */
function offerList(
  own: WeighedList,
  rival: WeighedList | null,
  again: boolean,
  segment: SearchableSegment,
  map: FieldMap,
  top: TopDocs,
): void {
  const { binding, reader } = segment;
  const { kernels, scratch } = binding;
  const { views, postings } = reader;
  const { entry, weight } = own;
  const place = map.placeOf(postings.field(entry));
  const bounds = map.bounds(place);
  const lut = map.tablesPtr(binding) + place * 1024;
  const acc = scratch.ptr + SCRATCH_ACC;
  const list = scratch.ptr + SCRATCH_LIST_A;
  // A second list goes back to earlier documents, which win ties.
  const tiesMayEnter = top.tiesMayEnter || again;
  const offset = postings.list(entry);
  const chunks = Math.min(views.u32[offset >> 2], Math.ceil(reader.maxDoc / CHUNK_DOCS));
  for (let c = 0; c < chunks; c++) {
    const at = (offset >> 2) + 1 + c * CHUNK_WORDS;
    const head = views.u32[at + CHUNK_HEAD_WORD];
    const maxImpact = headMaxImpact(head);
    const kind = headKind(head);
    const count = Math.min(views.u32[at + CHUNK_COUNT_WORD], CHUNK_DOCS);
    const data = views.region.ptr + views.u32[at + CHUNK_DATA_WORD];
    const packed = count | ITEM_FLAGS[kind];
    const blocks = kind === CHUNK_KIND_SPARSE ? Math.ceil(count / BLOCK_POSTINGS) : CHUNK_BLOCKS;
    const base = headChunk(head) * CHUNK_DOCS;
    for (let low = 0, size = FIRST_BLOCKS; low < blocks; low += size, size *= BLOCK_GROWTH) {
      const worst = top.threshold();
      const threshold = tiesMayEnter ? floatBelow(worst) : worst;
      const classMin = firstClassAbove(bounds, weight, threshold);
      if (classMin > maxImpact) break;
      let found = kernels.scoreBlocks(data, packed, weight, lut, classMin, low, low + size, threshold, acc, list);
      if (rival !== null) found = dropBeaten(found, base, rival, again, lut, segment);
      if (found > 0) top.collectChunk(base, list, found, acc);
    }
  }
}

/** Keeps of the `count` documents of LIST_A, scored in ACC, those that offerList is to offer; returns how many. */
function dropBeaten(
  count: number,
  base: number,
  rival: WeighedList,
  again: boolean,
  lut: number,
  { binding, reader }: SearchableSegment,
): number {
  const { u16, f32: floats, ptr } = binding.scratch;
  const table = (lut - ptr) >> 2;
  const first = SCRATCH_LIST_A >> 1;
  let kept = first;
  for (let i = first; i < first + count; i++) {
    const doc = u16[i];
    const impact = reader.postings.chunkedImpact(rival.entry, base + doc);
    const score = floats[(SCRATCH_ACC >> 2) + doc];
    const other = impact === 0 ? -1 : Math.fround(rival.weight * floats[table + impact]);
    if (other < score || (other === score && !again)) u16[kept++] = doc;
  }
  return kept - first;
}
