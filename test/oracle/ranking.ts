/**
 * The order of ranking "best": bonuses for the best documents by BM25, and near ties.
 */
import { BONUS_WINDOW, bonusesOf, type OracleReading } from './bonuses.js';
import type { OracleCollection } from './collection.js';
import { orderOf, type Ranked, type SortKey, TEXT_MATCH } from './order.js';
import { type Clause, isSameToken, type TokenClause } from './query.js';
import { findSynonyms, type ReadingContext, readToken } from './readings.js';
import { frequencyOf } from './statistics.js';

const COMPLETED_CODE_POINTS_MIN = 3;
const TOKEN_CODE_POINTS_MAX = 64;
const NEAR_TIE = 0.98;
/** Scores closer to that of the last document of the window may be on either side of it, as floats are rounded. */
const EDGE = 1e-5;

/** How a request ranks. */
export interface OracleRanking {
  readonly ranking?: 'best' | 'bm25';
  readonly sort?: readonly SortKey[];
}

export interface OracleMatch extends Ranked {
  /** What text_match may be instead: the document is at the end of the window. */
  readonly orElse?: number;
}

/** Slots in the order typed, and what they stand for. */
export interface BonusReadings {
  readonly readings: readonly OracleReading[];
  readonly slotCount: number;
}

/** What `typed` stands for, of which `kept` was searched: what was dropped stands for itself alone. */
export function bonusReadings(
  typed: readonly Clause[],
  kept: readonly Clause[],
  context: ReadingContext,
): BonusReadings {
  const readings: OracleReading[] = [];
  let slotCount = 0;
  const add = (reading: Partial<OracleReading>): void => {
    readings.push({ first: slotCount, covers: 1, isTerm: null, tokens: [], isCompleted: false, ...reading });
  };
  const isKept = (clause: TokenClause): boolean =>
    kept.some((each) => each.kind === 'token' && isSameToken(each, clause));
  const slotOf = new Map<TokenClause, number>();
  // Plain tokens come in the order of the runs, and one that begins none may be joined with the one before.
  const plain = context.runs.flatMap((run) => run.map((clause, i) => ({ clause, before: run[i - 1] })));
  for (const clause of typed) {
    if (clause.kind === 'phrase') {
      for (const token of clause.tokens) {
        add({ isTerm: (_, term) => term === token });
        slotCount++;
      }
      continue;
    }
    const { clause: inRun, before } = plain.shift() ?? { clause, before: undefined };
    slotOf.set(inRun, slotCount);
    const mayJoin = before !== undefined && (isKept(before) || isKept(clause));
    const joined = mayJoin ? joinedTerm(before, clause, context) : null;
    if (joined !== null) add({ first: slotCount - 1, covers: 2, isTerm: (_, term) => term === joined });
    if (kept.includes(clause)) for (const reading of tokenReadings(clause, context)) add(reading);
    else add({ isTerm: (_, term) => term === clause.token });
    slotCount++;
  }
  for (const { typed: covered, tokens } of findSynonyms(context)) {
    const [first] = covered;
    if (first === undefined) continue;
    const [word] = tokens;
    const isTerm = tokens.length === 1 ? (_: string, term: string): boolean => term === word : null;
    add({ first: slotOf.get(first) ?? 0, covers: covered.length, isTerm, tokens });
  }
  return { readings, slotCount };
}

function joinedTerm(left: TokenClause, right: TokenClause, { corpus, settings, stage }: ReadingContext): string | null {
  const joined = left.token + right.token;
  if (!settings.enabled || stage === 1 || [...joined].length > TOKEN_CODE_POINTS_MAX) return null;
  return frequencyOf(corpus, joined) > 0 ? joined : null;
}

/** What a token of plain text stands for by itself. */
function tokenReadings(clause: TokenClause, context: ReadingContext): Partial<OracleReading>[] {
  const { token, isCompleted } = clause;
  const reading = readToken(clause, context);
  const begins = (term: string): boolean => isCompleted && term !== token && term.startsWith(token);
  const readings: Partial<OracleReading>[] = reading.splits.map((tokens) => ({ tokens }));
  readings.push({ isTerm: (field, term) => reading.ownWeightIn(field, term) > 0 && !begins(term) });
  if ([...token].length >= COMPLETED_CODE_POINTS_MIN)
    readings.push({ isTerm: (_, term) => term !== token && reading.completionWeight(term) > 0, isCompleted: true });
  return readings;
}

function isByRelevance({ sort = [] }: OracleRanking): boolean {
  const first = sort[0];
  return first === undefined || (first.field === TEXT_MATCH && first.direction === 'desc');
}

const isBest = (collection: OracleCollection, { ranking }: OracleRanking): boolean =>
  (ranking ?? collection.schema.ranking ?? 'best') === 'best';

/** `matches`, scored by BM25, with the bonuses of those that get some; in the order given. */
export function giveBonuses(
  collection: OracleCollection,
  request: OracleRanking,
  matches: readonly Ranked[],
  fields: readonly string[],
  { readings, slotCount }: BonusReadings,
): OracleMatch[] {
  if (!isBest(collection, request) || !isByRelevance(request)) return [...matches];
  const scoreOf = ({ stored, text_match }: Ranked): number => {
    const { nearness, exactness } = bonusesOf(stored, fields, readings, slotCount);
    return text_match * nearness * exactness;
  };
  const inOrder = [...matches].sort(orderOf(collection, request.sort ?? []));
  const window = new Set(inOrder.slice(0, BONUS_WINDOW));
  const edge = inOrder[BONUS_WINDOW - 1]?.text_match ?? -1;
  return matches.map((match) => {
    const isOnEdge = edge >= 0 && Math.abs(match.text_match - edge) <= EDGE * edge;
    if (isOnEdge) {
      const scores = [match.text_match, scoreOf(match)];
      if (window.has(match)) scores.reverse();
      return { stored: match.stored, text_match: scores[0] ?? NaN, orElse: scores[1] };
    }
    return window.has(match) ? { stored: match.stored, text_match: scoreOf(match) } : match;
  });
}

/** `ranked` in the order of the request, by the scores given, which are floats; its documents get what bonuses there are. */
export function putInOrder(
  collection: OracleCollection,
  request: OracleRanking,
  ranked: readonly Ranked[],
  searchesText: boolean,
): Ranked[] {
  const keys = request.sort ?? [];
  const { schema } = collection;
  const inOrder = [...ranked].sort(orderOf(collection, keys));
  const breaksTies = searchesText && schema.near_ties === true && isBest(collection, request);
  if (!breaksTies || !isByRelevance(request) || !isOnlyRelevance(keys, schema.default_sorting_field)) return inOrder;
  const window = inOrder.splice(0, BONUS_WINDOW);
  const groups: Ranked[] = [];
  while (window.length > 0) {
    const best = Math.fround(window[0]?.text_match ?? 0);
    const others = window.findIndex(({ text_match }) => Math.fround(text_match) < NEAR_TIE * best);
    const group = window.splice(0, others < 0 ? window.length : others);
    const byField: SortKey = { field: schema.default_sorting_field ?? '', direction: 'desc' };
    groups.push(...group.sort(orderOf(collection, [byField, { field: TEXT_MATCH, direction: 'desc' }])));
  }
  return [...groups, ...inOrder];
}

/** Whether relevance alone decides, and then the default sorting field. */
function isOnlyRelevance(keys: readonly SortKey[], fallback: string | null): boolean {
  if (fallback === null) return false;
  const [, second] = keys;
  return keys.length <= 1 || (keys.length === 2 && second?.field === fallback && second.direction === 'desc');
}
