/**
 * Helpers of a shared search in the thread of its starter, one after the other, so that a test says who takes which chunk.
 */
import assert from 'node:assert/strict';
import { RESPONSE_BYTES_MAX } from '../../../engine/core/limits.js';
import type { SearchRequest } from '../../../engine/core/requests.js';
import { JsonWriter } from '../../../engine/documents/json-writer.js';
import { SCRATCH_HEAP } from '../../../engine/layout/scratch.js';
import { type ArenaBinding, bindArena } from '../../../engine/memory/kernel-instance.js';
import { TASK_WORDS } from '../../../engine/query/facets/count-totals.js';
import { NO_LIMIT } from '../../../engine/query/read-budget.js';
import { Searcher, type SearchTarget } from '../../../engine/query/searcher.js';
import type { OfferedSearch, WorkShare } from '../../../engine/query/share/work-share.js';
import { OpenSegment, SearchableSegment } from '../../../engine/segment/searchable-segment.js';
import { arena } from '../../support/engine-arena.js';
import { cacheBudget, freshTarget } from '../../support/engine-collection.js';

/** Scratch memory of each helper, beyond all regions of these tests. */
const HELPERS_SLOT = 20;
const HELPERS_MAX = 3;
const bindings = Array.from({ length: HELPERS_MAX }, (_, helper) => bindArena(arena, HELPERS_SLOT + helper));
/** What is lent lies in it. */
const LENT_WORDS = 1 << 20;

/** `target` as a helper with `helpersBinding` has it. */
function helpersTarget({ schema, segments, rules }: SearchTarget, helpersBinding: ArenaBinding): SearchTarget {
  const own = segments.map(({ reader, liveDocs, liveCount }) => {
    const open = new OpenSegment(reader.views, helpersBinding, cacheBudget);
    return new SearchableSegment(open, liveDocs, liveCount);
  });
  return { ...freshTarget(schema, own), rules };
}

/** Gives each chunk to the starter or to one of the helpers, who do their part when the starter has done its own. */
export class Turns implements WorkShare {
  readonly aboveUs = -1;
  first = 0;
  end = 0;
  /** How often something was shared, and whether a part is to be lost. */
  shared = 0;
  losesParts = false;
  /** How often something was lent, and totals were asked for. */
  lent = 0;
  totalled = 0;
  /** What a helper was asked to add up, and does when the starter wants it. */
  #asked: { readonly task: Uint32Array; readonly isDone: boolean; total(task: Uint32Array): void } | null = null;
  /** Who would add up what, by part. */
  #adders: (((task: Uint32Array) => void) | null)[] = [];
  readonly #helpersOwn = bindings.map(() => new Searcher(NO_LIMIT));
  readonly #draw: (below: number) => number;
  readonly #helpers: number;
  #targets: readonly SearchTarget[] = [];
  #request: SearchRequest | null = null;
  #offered: OfferedSearch = { costUs: 0, chunks: 0, foundBefore: 0, partWords: 0 };
  /** By chunk: who takes it; 0: the starter. */
  #takers: number[] = [];

  constructor(helpers: number, draw: (below: number) => number) {
    this.#helpers = helpers;
    this.#draw = draw;
  }

  ask(request: SearchRequest, target: SearchTarget): void {
    this.#request = request;
    this.#targets = bindings.map((binding) => helpersTarget(target, binding));
  }

  begin(): void {}

  announce(): void {}

  withdraw(): void {}

  offer(offered: OfferedSearch): boolean {
    this.shared++;
    this.#offered = offered;
    this.#takers = Array.from({ length: offered.chunks }, () => this.#draw(this.#helpers + 1));
    this.end = 0;
    return true;
  }

  take(): boolean {
    return this.#takeNext(this, 0);
  }

  #takeNext(chunks: { first: number; end: number }, taker: number): boolean {
    const first = this.#takers.indexOf(taker, chunks.end);
    if (first < 0) return false;
    chunks.first = first;
    chunks.end = first + 1;
    return true;
  }

  close(): readonly Uint32Array[] | null {
    if (this.losesParts) return null;
    const parts: Uint32Array[] = [];
    this.#adders = [];
    for (let taker = 1; taker <= this.#helpers; taker++) {
      const words = new Uint32Array(this.#offered.partWords);
      let adder: ((task: Uint32Array) => void) | null = null;
      const source = {
        first: 0,
        end: 0,
        take: (): boolean => this.#takeNext(source, taker),
        lend: (total: ((task: Uint32Array) => void) | null): boolean => {
          assert.ok(source.end > 0, 'it has taken something');
          const lends = this.#draw(4) > 0;
          if (lends) this.lent++;
          if (lends && this.#draw(4) > 0) adder = total;
          return lends;
        },
      };
      assert.ok(this.#request !== null);
      const { foundBefore } = this.#offered;
      const { [taker - 1]: helper } = this.#helpersOwn;
      assert.ok(helper.help(this.#request, this.#targets[taker - 1], foundBefore, source, words));
      // What it reads next may not touch what it has lent.
      helper.search(this.#request, this.#targets[taker - 1], new JsonWriter(new Uint8Array(4096), RESPONSE_BYTES_MAX));
      // Who has taken nothing is not heard of.
      if (source.end === 0) continue;
      parts.push(words);
      this.#adders.push(adder);
    }
    return parts;
  }

  askForTotals(write: (task: Uint32Array, adder: number) => boolean): boolean {
    const adder = this.#adders.findIndex((each) => each !== null);
    const task = new Uint32Array(TASK_WORDS);
    const { [adder]: total = null } = this.#adders;
    // Who waited may have gone when the task is written.
    if (total === null || !write(task, adder) || this.#draw(4) === 0) return false;
    this.totalled++;
    this.#asked = { task, total, isDone: false };
    // Before the starter goes on, or when it cannot any more without.
    if (this.#draw(2) === 0) this.#addUp();
    return true;
  }

  get isAsked(): boolean {
    return this.#asked !== null;
  }

  takeTotals(total: (task: Uint32Array) => void): Uint32Array {
    assert.ok(this.#asked !== null, 'somebody was asked');
    // Nobody may have begun.
    if (this.#draw(2) === 0) this.#asked = { total, task: this.#asked.task, isDone: this.#asked.isDone };
    return this.#addUp();
  }

  #addUp(): Uint32Array {
    assert.ok(this.#asked !== null, 'somebody was asked');
    const { task, total, isDone } = this.#asked;
    if (!isDone) total(task);
    this.#asked = { task, total, isDone: true };
    return task;
  }

  /** Whoever reads what was lent after this finds something else. */
  giveBack(): void {
    for (const { heap } of bindings) heap.letGo();
    for (const { scratch } of bindings) scratch.u32.fill(0xabababab, SCRATCH_HEAP / 4, SCRATCH_HEAP / 4 + LENT_WORDS);
  }

  release(): void {
    if (this.#asked !== null) this.giveBack();
    this.#asked = null;
  }
}
