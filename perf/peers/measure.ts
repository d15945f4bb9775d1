/**
 * Asks every contestant the texts of a row, in turn and round after round, so that a machine that is slower for a while is so
 * for all, and compares their counts.
 */
import { type Contestant, inTwoCalls, type Mode, type Pass, type Shape, twoCallsOf } from './contestant.js';
import { type Row, warmUpSlicesOf } from './questions.js';
import { medianOf } from './statistics.js';

/** A row warms everyone up until it was asked so often, or took so long. */
const WARM_UP_PASSES = 10;
const WARM_UP_MS = 1000;

/** What is asked again was asked so often before it is measured. */
const ASKED_BEFORE = 2;

/** A line of the table: microseconds a query by column, the same queries in the same order everywhere. */
export interface MeasuredLine {
  readonly name: string;
  readonly times: ReadonlyMap<string, Float64Array>;
}

/** Who answers a row, with what and in which shape, for which column. */
interface Entrant {
  readonly column: string;
  readonly contestant: Contestant;
  readonly mode: Mode;
  readonly shape: Shape;
}

/**
 * Sabre's columns: its engine as a program, as the others are, by BM25 alone, as they rank, and as it ranks by default; and what the
 * answers of its server say.
 */
export const SABRE = 'Sabre';
const SABRE_RANKED = 'Sabre, default ranking';
const SABRE_SERVER = 'its server';
export const SABRE_COLUMNS: readonly string[] = [SABRE, SABRE_RANKED, SABRE_SERVER];

export interface Field {
  readonly bm25: Contestant;
  readonly ranked: Contestant;
  readonly server: Contestant;
  readonly others: readonly Contestant[];
}

const isExactShape = (shape: Shape): boolean => shape === 'all' || shape === 'any' || shape === 'phrase';

/** Searches with corrections are asked of each of Sabre's once: asked twice, they are not new. */
function entrantsOf({ mode, ownMode, shapes }: Row, { bm25, ranked, server, others }: Field): Entrant[] {
  const [shape] = shapes;
  const own = { mode: ownMode, shape };
  return [
    { column: SABRE, contestant: bm25, ...own },
    { column: SABRE_RANKED, contestant: ranked, ...own },
    { column: SABRE_SERVER, contestant: server, ...own },
    ...shapes.flatMap((each) => others.flatMap((contestant) => waysOf(contestant, mode, each))),
  ];
}

/** How another engine is asked: exact searches in two calls as well, where it can be. */
function waysOf(contestant: Contestant, mode: Mode, shape: Shape): Entrant[] {
  const { name, hasTwoCalls } = contestant;
  const apart = hasTwoCalls && isExactShape(shape) ? inTwoCalls(mode) : null;
  const inOne = { column: name, contestant, mode, shape };
  return apart === null ? [inOne] : [inOne, { ...inOne, column: twoCallsOf(name), mode: apart }];
}

/** Says for each text that the exact ones count differently what they count. */
function disagreements(entrants: readonly Entrant[], passes: readonly Pass[], texts: readonly string[]): string[] {
  const exact = entrants.flatMap(({ column, contestant }, i) =>
    contestant.isExact ? [{ column, pass: passes[i] }] : [],
  );
  return texts.flatMap((text, i) => {
    if (new Set(exact.map(({ pass }) => pass.counts[i])).size <= 1) return [];
    return [`"${text}": ${exact.map(({ column, pass }) => `${column} ${pass.counts[i]}`).join(', ')}`];
  });
}

/** Asks `entrant` a slice of the texts of `row`. */
function askSlice({ kind }: Row, { contestant, mode, shape }: Entrant, slice: number): Promise<Pass> {
  const first = kind.first + slice * kind.each;
  return contestant.ask({ mode, shape, first, end: first + kind.each });
}

/** Asks every contestant the first slice. Throws when counts that must agree do not. `texts`: of the run. */
export async function checkRow(row: Row, field: Field, texts: readonly string[]): Promise<void> {
  const { kind, mode, name, shapes } = row;
  const entrants = entrantsOf(row, field);
  const passes: Pass[] = [];
  for (const entrant of entrants) passes.push(await askSlice(row, entrant, 0));
  if (!isExactShape(shapes[0]) || mode === 'top') return;
  const wrong = disagreements(entrants, passes, texts.slice(kind.first, kind.first + kind.each));
  if (wrong.length > 0) throw new Error(`COUNTS DIFFER (${name}, ${mode}): ${wrong.slice(0, 5).join('; ')}`);
}

/** Lets compilers that optimise what runs often see the row often; one whose texts are to be new by texts that are not measured. */
export async function warmUp(row: Row, field: Field): Promise<void> {
  const { kind, isFirstTime } = row;
  for (const entrant of isFirstTime ? entrantsOf(row, field) : [])
    for (let slice = kind.slices - warmUpSlicesOf(kind.name); slice < kind.slices; slice++)
      await askSlice(row, entrant, slice);
  if (isFirstTime || !isExactShape(row.shapes[0])) return;
  for (const entrant of entrantsOf(row, field)) {
    const endMs = performance.now() + WARM_UP_MS;
    for (let pass = 0; pass < WARM_UP_PASSES && performance.now() < endMs; pass++) await askSlice(row, entrant, 0);
  }
}

/**
 * A row being measured, a line for each of its shapes. A query's time is the median of its rounds, or the only one of a query that
 * is asked for the first time.
 */
export class RowMeasure {
  readonly #row: Row;
  readonly #field: Field;
  readonly #entrants: readonly Entrant[];
  readonly #passes: readonly Pass[][];

  constructor(row: Row, field: Field) {
    this.#row = row;
    this.#field = field;
    this.#entrants = entrantsOf(row, field);
    this.#passes = this.#entrants.map(() => []);
  }

  /**
   * Asks everyone in turn, another one first each time: so that all lies where it does among queries of this kind, and those that are asked again
   * often enough that whoever remembers does; then to measure.
   */
  async askRound(round: number): Promise<void> {
    const entrants = this.#entrants;
    const passes = this.#row.isFirstTime ? 1 : ASKED_BEFORE;
    for (const entrant of entrants) for (let pass = 0; pass < passes; pass++) await askSlice(this.#row, entrant, 0);
    for (let turn = 0; turn < entrants.length; turn++) {
      const which = (turn + round) % entrants.length;
      this.#passes[which].push(await askSlice(this.#row, entrants[which], this.#row.isFirstTime ? round + 1 : 0));
    }
  }

  lines(): MeasuredLine[] {
    const { name, shapes } = this.#row;
    return shapes.map((shape) => ({
      name: isExactShape(shape) ? name : `${name}, ${shape}`,
      times: new Map(
        this.#entrants.flatMap(({ column, contestant, shape: asked }, which) =>
          asked === shape || !this.#field.others.includes(contestant) ? [[column, this.#timesOf(which)] as const] : [],
        ),
      ),
    }));
  }

  #timesOf(which: number): Float64Array {
    const us = this.#passes[which].map((pass) => pass.us);
    if (this.#row.isFirstTime) return Float64Array.from(us.flat());
    return Float64Array.from({ length: this.#row.kind.each }, (_, query) => medianOf(us.map((round) => round[query])));
  }
}
