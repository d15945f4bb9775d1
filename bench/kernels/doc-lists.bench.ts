/**
 * Lists and counts of a chunk's documents against bitsets: what deletions and filters cost each match.
 *
 * filterList works in place, so each call copies its list first; the copy alone is there to subtract. commonDocs meets two sparse lists
 * of a chunk, many pairs of them in turn, so that no branch is foretold by memory.
 */
import { Bench } from 'tinybench';
import {
  CHUNK_BITSET_BYTES,
  CHUNK_DOCS,
  SCRATCH_HEAP,
  SCRATCH_LIST_A,
  SCRATCH_LIST_B,
} from '../../engine/layout/scratch.js';
import type { ArenaBinding } from '../../engine/memory/kernel-instance.js';
import { createRandom, type Random } from '../../perf/random.js';
import { benchOptions, type SuiteSize, work } from '../suites.js';
import { bindingOf, writeViews } from '../support/engine-memory.js';

/** Share of documents that are live, and that pass the filter. */
const LIVE_SHARE = 0.95;
const FILTER_SHARE = 0.3;
const MATCH_SHARE = 0.25;

function fillBits(bits: Uint8Array, share: number, random: Random): void {
  for (let doc = 0; doc < 8 * bits.length; doc++) if (random() < share) bits[doc >> 3] |= 1 << (doc & 7);
}

/** Lengths of two sparse lists: alike, uneven, and far apart. */
const LENGTHS = [
  [200, 400],
  [50, 400],
  [10, 1500],
] as const;
const PAIRS = 64;

function ascending(random: Random, count: number): number[] {
  const docs = new Set<number>();
  while (docs.size < count) docs.add(Math.floor(random() * CHUNK_DOCS));
  return [...docs].sort((a, b) => a - b);
}

function addCommonDocs(bench: Bench, { kernels, scratch }: ArenaBinding, random: Random): void {
  let at = SCRATCH_HEAP;
  const place = (docs: readonly number[]): number => {
    const ptr = scratch.ptr + at;
    scratch.u16.set(docs, at / 2);
    at += 2 * docs.length + 16;
    return ptr;
  };
  const out = scratch.ptr + SCRATCH_LIST_A;
  for (const [n, m] of LENGTHS) {
    const pairs = Array.from({ length: PAIRS }, () => [place(ascending(random, n)), place(ascending(random, m))]);
    bench.add(work(`commonDocs, ${n} of ${m}`, PAIRS * n, 'documents'), () => {
      for (const [a, b] of pairs) kernels.commonDocs(a, n, b, m, out);
    });
  }
}

/** One call works on one chunk. */
export function suite(size: SuiteSize): Bench {
  const documents = size === 'tiny' ? 1000 : CHUNK_DOCS;
  const random = createRandom(1);
  const views = writeViews(3 * CHUNK_BITSET_BYTES, (out) => {
    for (const share of [LIVE_SHARE, FILTER_SHARE]) {
      const at = out.reserveZeroed(CHUNK_BITSET_BYTES);
      fillBits(out.views.u8.subarray(at, at + CHUNK_BITSET_BYTES), share, random);
    }
  });
  const { kernels, scratch } = bindingOf(views);
  const live = views.region.ptr;
  const filter = live + CHUNK_BITSET_BYTES;
  const list = scratch.ptr + SCRATCH_LIST_A;
  const spare = SCRATCH_LIST_B / 2;
  let matches = 0;
  for (let doc = 0; doc < documents; doc++) if (random() < MATCH_SHARE) scratch.u16[spare + matches++] = doc;
  const restore = (): void => {
    scratch.u16.copyWithin(SCRATCH_LIST_A / 2, spare, spare + matches);
  };
  const filterBy = (liveBits: number, filterBits: number) => (): void => {
    restore();
    kernels.filterList(list, matches, liveBits, filterBits);
  };
  const bench = new Bench(benchOptions(size, `document list kernels, a chunk of ${documents} documents`))
    .add(work('copy of the list', matches, 'matches'), restore)
    .add(work('filterList, live', matches, 'matches'), filterBy(live, 0))
    .add(work('filterList, filter', matches, 'matches'), filterBy(0, filter))
    .add(work('filterList, live and filter', matches, 'matches'), filterBy(live, filter))
    .add(work('listChunk, all', documents, 'documents'), () => {
      kernels.listChunk(0, 0, documents, list, documents);
    })
    .add(work('listChunk, live and filter', documents, 'documents'), () => {
      kernels.listChunk(live, filter, documents, list, documents);
    })
    .add(work('listChunk, live, the first 10', 10, 'matches'), () => {
      kernels.listChunk(live, 0, documents, list, 10);
    })
    .add(work('bitsetMeet and bitsetCount, live and filter', documents, 'documents'), () => {
      kernels.bitsetCount(kernels.bitsetMeet(list, live, filter, documents), documents);
    });
  addCommonDocs(bench, bindingOf(views), random);
  return bench;
}
