/**
 * A process that takes all mappings the system lets it have, and goes on loading, remapping and releasing. Run by
 * page-mapper.test.ts; prints "held" when every byte was where it should be.
 */
import assert from 'node:assert/strict';
import { ARENA_SCRATCH } from '../../engine/layout/arena.js';
import { MmapPageMapper } from '../../engine/storage/mapping/mmap-page-mapper.js';
import { bindSystemMemory, type SystemMemory } from '../../engine/storage/mapping/system-memory.js';
import { patternOf, withFixture } from './mapped-arena.js';

const PAGE = 4096;
const BYTES = 256 * 1024;
const MAPPED_AT = ARENA_SCRATCH;
const USED_AT = ARENA_SCRATCH + 2 * BYTES;
const LOADED_AT = ARENA_SCRATCH + 4 * BYTES;
/** From here on every second page becomes a mapping of its own, until there are no more. */
const FILL_AT = ARENA_SCRATCH + 8 * BYTES;

const memory = bindSystemMemory() as SystemMemory;
// canMap() needs a mapping itself, and would hide what mapFile() does.
const mapper = new MmapPageMapper({ ...memory, canMap: () => true });

await withFixture(mapper, ({ target, file, buffer }) => {
  const content = patternOf(BYTES, 1);
  const stored = file(content);
  const [mapped, used, loaded] = [MAPPED_AT, USED_AT, LOADED_AT].map((ptr) => target(ptr, BYTES));
  mapper.load(stored, mapped);
  used.set(content);
  const fill = memory.addressOf(target(FILL_AT, PAGE));
  const descriptor = Number(stored.descriptor);
  let filled = 0;
  while (memory.mapFile(fill + filled, PAGE, descriptor, 0) === 'mapped') filled += 2 * PAGE;
  assert.ok(FILL_AT + filled + PAGE < buffer.byteLength);

  mapper.load(stored, loaded);
  mapper.remap(stored, used);
  const whileFull = [mapped, used, loaded].map((view) => Buffer.compare(view, content));
  const mappedBytes = mapper.mappedBytes;
  // Pages of the middle, so that the system would have to split what is there.
  const inside = memory.mapZeros(memory.addressOf(loaded.subarray(PAGE)), PAGE);
  mapper.release(mapped);
  mapped.fill(7);
  memory.mapZeros(fill, filled);

  assert.deepEqual(whileFull, [0, 0, 0]);
  assert.equal(mappedBytes, BYTES);
  assert.equal(inside, 'kept');
  assert.ok(mapped.every((byte) => byte === 7));
  assert.equal(mapper.mappedBytes, 0);
  mapper.release(loaded);
  mapper.load(stored, loaded);
  assert.equal(Buffer.compare(loaded, content), 0);
  assert.equal(mapper.mappedBytes, BYTES);
});
console.log('held');
