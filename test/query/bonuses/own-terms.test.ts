/**
 * Bonuses for a token and its completions that are told by its own list and lengths of fields, against those that are measured: of pages
 * as long as the window all are.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { OracleDocument, OracleSchema } from '../../oracle/collection.js';
import { randomNumbers, resetRegions } from '../../support/engine-arena.js';
import { freshTarget, InProcessCollection, searchTarget } from '../../support/engine-collection.js';

const RUNS = Number(process.env['OWN_TERMS_RUNS'] ?? 25);
const WINDOW = 250;

const schema: OracleSchema = {
  fields: [{ name: 'title', type: 'text', index: true, facet: false, filter: false, sort: false, boost: null }],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

/** Words that others begin, from frequent ones to rare ones, whose lists have every form. */
const STEMS = ['win', 'wind', 'wa', 'wal', 'walk', 'w', 'sun', 'sund'];

interface Shape {
  /** Of ten titles, those of one word. */
  readonly wholes: number;
  readonly lengthMax: number;
  /** Of ten words, those that are stems. */
  readonly stems: number;
}

function makeTitle({ wholes, lengthMax, stems }: Shape, random: (bound: number) => number): string {
  const word = (): string => {
    const stem = STEMS[Math.min(random(STEMS.length), random(STEMS.length))];
    return random(10) < stems ? stem : `${stem}${random(1 + random(400)).toString(36)}`;
  };
  if (random(10) < wholes) return word();
  const tokens: string[] = [];
  // Some are so long that signatures do not tell where words stand.
  for (let left = random(20) === 0 ? 40 : 1 + random(lengthMax); left > 0; left--) tokens.push(word());
  return tokens.join(' ');
}

const shapes = fc.record({
  wholes: fc.integer({ min: 0, max: 5 }),
  lengthMax: fc.constantFrom(2, 4, 12),
  stems: fc.constantFrom(0, 1, 5, 9),
});

test('a page is the beginning of the window, whose bonuses are all measured', () => {
  let gaining = 0;
  const property = fc.property(
    fc.nat(),
    shapes,
    fc.array(fc.constantFrom(2, 60, 700, 5000), { minLength: 1, maxLength: 4 }),
    (seed, shape, sizes) => {
      resetRegions();
      const random = randomNumbers(seed + 1);
      const collection = new InProcessCollection(schema);
      let next = 0;
      for (const size of sizes)
        collection.index(
          Array.from({ length: size }, (): OracleDocument => ({ id: `d${next++}`, title: makeTitle(shape, random) })),
        );
      if (random(2) === 0) for (let i = 0; i < 9; i++) collection.delete(`d${random(next)}`);
      const answer = (q: string, limit: number, ranking: string): [unknown, number][] => {
        const { hits } = searchTarget(freshTarget(collection.schema, collection.segments), { q, limit, ranking });
        return hits.map(({ document, text_match }) => [document['id'], text_match]);
      };
      for (const q of [...STEMS, 'wi', 'wand', 'sunday', 'su'])
        for (const limit of [1, 10, 60]) {
          const page = answer(q, limit, 'best');
          assert.deepEqual(page, answer(q, WINDOW, 'best').slice(0, limit), `${q}, ${limit}`);
          if (page[0]?.[1] !== answer(q, 1, 'bm25')[0]?.[1]) gaining++;
        }
      for (const { open } of collection.segments) open.release();
    },
  );
  fc.assert(property, { numRuns: RUNS });
  assert.ok(gaining > 0, 'some documents got bonuses');
});
