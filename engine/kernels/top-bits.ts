/**
 * The best documents by a column among the bits of a chunk: zones that hold the best values first, and of the others none whose
 * values cannot enter. Called by query/sort/kernel-top.ts. Layouts: layout/score-top.ts, layout/columns.ts.
 *
 * Values that grow with the insertion, as dates do, make each document the best so far; taken from the last zone, they make the
 * documents of all others lose at a glance. (Moerkotte, "Small materialized aggregates", VLDB 1998.)
 */
import { ZONE_BYTES, ZONE_DOCS, ZONE_MAX, ZONE_MIN } from '../layout/columns';
import { TOP_CODES, TOP_LAST, TOP_ORDER_BASE, TOP_STARTS, TOP_WIDTH } from '../layout/score-top';
import { matchCodes } from './columns';
import { listChunk } from './doc-lists';
import { offerByColumn } from './score-top';
import { highestCode, isBoundPresent, isClosed, lowestCode } from './top-columns';

const ZONE_BITSET_BYTES: usize = ZONE_DOCS / 8;

/** Of the zones in `left`, a bit each, the one whose best value is the best. */
function bestZone(top: usize, zones: usize, left: u32): u32 {
  const isLast = load<u32>(top, TOP_LAST);
  let best = <u32>ctz(left);
  let bestValue: u64 = 0;
  for (let rest = left; rest !== 0; rest &= rest - 1) {
    const zone = <u32>ctz(rest);
    const at = zones + <usize>zone * ZONE_BYTES;
    // A zone without values has the worst.
    const value = isLast ? load<u64>(at, ZONE_MAX) : ~load<u64>(at, ZONE_MIN);
    if (value <= bestValue) continue;
    best = zone;
    bestValue = value;
  }
  return best;
}

/**
 * Lists the documents of a zone, `docs` bits at `bits`, that may enter, and returns how many they are. `first`: the zone's first
 * document in the segment; `zones`: the zones of the column, 0 when it has none.
 */
function listZone(top: usize, bits: usize, docs: u32, first: u32, zones: usize, list: usize, room: usize): u32 {
  if (isClosed(top)) return 0;
  // Documents without a value may enter.
  if (!isBoundPresent(top)) return listChunk(bits, 0, docs, list, docs);
  if (zones === 0) return 0;
  const lowest = lowestCode(top);
  const highest = highestCode(top);
  const zone = zones + <usize>(first / ZONE_DOCS) * ZONE_BYTES;
  const least = load<u64>(zone, ZONE_MIN);
  const most = load<u64>(zone, ZONE_MAX);
  if (lowest > highest || most < lowest || least > highest) return 0;
  const isInside = least >= lowest && most <= highest;
  if (isInside || load<u32>(top, TOP_STARTS) !== 0) return listChunk(bits, 0, docs, list, docs);
  memory.fill(room, 0, ZONE_BITSET_BYTES);
  matchCodes(room, load<u32>(top, TOP_CODES), load<u32>(top, TOP_WIDTH), zones, first, docs, lowest, highest);
  return listChunk(bits, room, docs, list, docs);
}

/**
 * Offers the documents whose bits are set among the `docs` of a chunk, of which document d has the order `orderBase` + d, to an order
 * with a column in front, or with the score, when all score 0: `acc` holds CHUNK_DOCS zeros. `zones`: the zones of the segment's
 * column, 0 when it has none. `list` and `spread` have room for the documents of a chunk; nothing but that is overwritten.
 */
export function offerBits(
  top: usize,
  orderBase: u32,
  bits: usize,
  docs: u32,
  zones: usize,
  acc: usize,
  list: usize,
  spread: usize,
): void {
  const chunkBase = orderBase - load<u32>(top, TOP_ORDER_BASE);
  const chunkZones = zones === 0 ? 0 : zones + <usize>(chunkBase / ZONE_DOCS) * ZONE_BYTES;
  const zoneCount = (docs + ZONE_DOCS - 1) / ZONE_DOCS;
  let left: u32 = (1 << zoneCount) - 1;
  while (left !== 0) {
    const zone = zones === 0 ? <u32>ctz(left) : bestZone(top, chunkZones, left);
    left &= ~(1 << zone);
    const from = zone * ZONE_DOCS;
    const zoneDocs = min<u32>(docs - from, ZONE_DOCS);
    const room = list + (ZONE_DOCS << 1);
    const count = listZone(top, bits + (from >> 3), zoneDocs, chunkBase + from, zones, list, room);
    if (count !== 0) offerByColumn(top, orderBase + from, list, count, acc, spread);
  }
}
