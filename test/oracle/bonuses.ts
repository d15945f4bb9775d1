/**
 * The bonuses of ranking "best" from the token lists of each value: how near the typed tokens stand, and whether a value
 * is what was typed or begins with it.
 */
import type { StoredDocument } from './collection.js';

/** Positions between the last token of a value and the first of the next one, and one more. */
const VALUE_GAP = 100;
const NEARNESS_WEIGHT = 0.8;
const WHOLE_FACTOR = 1.5;
const BEGINS_FACTOR = 1.15;
export const BONUS_WINDOW = 250;
const SLOTS_MAX = 64;

/** Something that one or more neighbouring slots may stand for: any one of the terms, or the tokens side by side. */
export interface OracleReading {
  /** The slots it stands for: `first`, and `covers` - 1 behind it. */
  readonly first: number;
  readonly covers: number;
  /** When it is one token: whether `term` of `field` is meant. */
  readonly isTerm: ((field: string, term: string) => boolean) | null;
  readonly tokens: readonly string[];
  /** The typed token is only the beginning of it. */
  readonly isCompleted: boolean;
}

interface Occurrence {
  readonly reading: OracleReading;
  readonly start: number;
  /** Behind its last token. */
  readonly end: number;
}

function occurrencesIn(
  field: string,
  tokens: readonly string[],
  base: number,
  readings: readonly OracleReading[],
): Occurrence[] {
  const found: Occurrence[] = [];
  tokens.forEach((token, i) => {
    for (const reading of readings) {
      const { isTerm, tokens: wanted } = reading;
      const holds = isTerm === null ? wanted.every((each, k) => tokens[i + k] === each) : isTerm(field, token);
      if (holds) found.push({ reading, start: base + i, end: base + i + (isTerm === null ? wanted.length : 1) });
    }
  });
  return found;
}

const coversSlot = ({ first, covers }: OracleReading, slot: number): boolean => first <= slot && slot < first + covers;

/** Tokens between two occurrences, one more when they are the wrong way round; Infinity when they overlap. */
function gapBetween(a: Occurrence, b: Occurrence): number {
  if (b.start >= a.end) return b.start - a.end;
  return a.start >= b.end ? a.start - b.end + 1 : Infinity;
}

function closenessOf(occurrences: readonly Occurrence[], slot: number): number {
  const left = occurrences.filter(({ reading }) => coversSlot(reading, slot));
  const right = occurrences.filter(({ reading }) => coversSlot(reading, slot + 1));
  if (left.some(({ reading }) => coversSlot(reading, slot + 1))) return 1;
  const gaps = left.flatMap((a) => right.map((b) => gapBetween(a, b)));
  return 1 / (1 + Math.min(...gaps, Infinity));
}

/** How the slots from `slot` on may follow one another from `position` on: where they end, and whether one was completed. */
function endsOf(
  occurrences: readonly Occurrence[],
  slot: number,
  slotCount: number,
  position: number,
): { readonly end: number; readonly isCompleted: boolean }[] {
  if (slot === slotCount) return [{ end: position, isCompleted: false }];
  return occurrences
    .filter(({ reading, start }) => reading.first === slot && start === position)
    .flatMap(({ reading, end }) =>
      endsOf(occurrences, slot + reading.covers, slotCount, end).map((rest) => ({
        end: rest.end,
        isCompleted: rest.isCompleted || reading.isCompleted,
      })),
    );
}

function exactnessOf(
  field: string,
  tokens: readonly string[],
  readings: readonly OracleReading[],
  slotCount: number,
): number {
  const ends = endsOf(occurrencesIn(field, tokens, 0, readings), 0, slotCount, 0);
  if (ends.some(({ end, isCompleted }) => end === tokens.length && !isCompleted)) return WHOLE_FACTOR;
  return ends.some(({ end, isCompleted }) => end === tokens.length || !isCompleted) ? BEGINS_FACTOR : 1;
}

/** The factors of a document for a query of `slotCount` typed tokens. */
export function bonusesOf(
  stored: StoredDocument,
  fields: readonly string[],
  readings: readonly OracleReading[],
  slotCount: number,
): { readonly nearness: number; readonly exactness: number } {
  let closest = 0;
  let exactness = 1;
  if (slotCount === 0 || slotCount > SLOTS_MAX) return { nearness: 1, exactness };
  for (const field of fields) {
    let base = 0;
    const occurrences: Occurrence[] = [];
    for (const tokens of stored.tokens.get(field) ?? []) {
      if (tokens.length === 0) continue;
      occurrences.push(...occurrencesIn(field, tokens, base, readings));
      exactness = Math.max(exactness, exactnessOf(field, tokens, readings, slotCount));
      base += tokens.length + VALUE_GAP;
    }
    let sum = 0;
    for (let slot = 0; slot + 1 < slotCount; slot++) sum += closenessOf(occurrences, slot);
    if (slotCount > 1) closest = Math.max(closest, sum / (slotCount - 1));
  }
  return { nearness: 1 + NEARNESS_WEIGHT * closest, exactness };
}
