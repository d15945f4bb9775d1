/**
 * What typed tokens stand for because of what stands around them: synonyms of theirs, and words that they are when joined
 * with a neighbour; and which of them are stop words that are passed over.
 *
 * Called by text-query.ts. All of it goes by the order typed, so it counts in slots (query-clauses.ts).
 */
import type { QueryToken } from '../../text/query-tokens.js';
import type { QueryClause, QueryClauses } from '../query-clauses.js';
import type { ReadBudget } from '../read-budget.js';
import type { TextRules } from './text-rules.js';

/** Synonyms of a clause that are taken; those that are found later are left out. */
const SYNONYMS_MAX = 256;

/** A word that a clause stands for beside its own token. */
export interface RelatedWord {
  readonly kind: 'synonym' | 'joined';
  /** One, or several that must stand next to each other. */
  readonly tokens: readonly QueryToken[];
  /** It stands for `length` slots from `slot` on, all at once. */
  readonly slot: number;
  readonly length: number;
}

/** By clause; nothing for one that has none. */
export type RelatedWords = ReadonlyMap<number, readonly RelatedWord[]>;

/** What the rules of a collection say of a query. */
export interface AppliedRules {
  readonly synonyms: RelatedWords;
  /** Clauses that are passed over: stop words, where others are left. */
  readonly stopped: ReadonlySet<number>;
}

const NO_WORDS: RelatedWords = new Map();
const NO_RULES: AppliedRules = { synonyms: NO_WORDS, stopped: new Set() };

/** Plain text that nothing interrupts. */
interface TextRun {
  readonly slot: number;
  readonly tokens: QueryToken[];
}

/** Applies `rules`; null: the collection has none. */
export function applyRules(query: QueryClauses, rules: TextRules | null, budget: ReadBudget): AppliedRules {
  if (rules === null) return NO_RULES;
  const synonyms = new Map<number, RelatedWord[]>();
  const covered = new Set<number>();
  const twins = findTwins(query.clauses);
  for (const { slot: first, tokens } of findTextRuns(query)) {
    for (let i = 0; i < tokens.length; i++) {
      // Hundreds of words may be listed for the runs that begin at each of two thousand tokens.
      budget.check();
      for (const { length, targets } of rules.synonymsAt(tokens, i)) {
        const slot = first + i;
        const words = targets.map((target): RelatedWord => ({ kind: 'synonym', tokens: target, slot, length }));
        if (words.length === 0) continue;
        for (const clause of clausesAt(query, slot, length, twins)) {
          covered.add(clause);
          addWords(synonyms, clause, words);
        }
      }
    }
  }
  const stopped = findStopped(query.clauses, rules, covered);
  return { synonyms, stopped };
}

function findTextRuns({ clauses, slots }: QueryClauses): TextRun[] {
  const runs: TextRun[] = [];
  for (const [slot, { token, clause, followsText }] of slots.entries()) {
    if (clauses[clause].kind === 'phrase') continue;
    if (followsText) runs[runs.length - 1].tokens.push(token);
    else runs.push({ slot, tokens: [token] });
  }
  return runs;
}

/** The clauses of one token that was typed twice: as the last one, which is completed, and before; null: there are none. */
type Twins = readonly [number, number] | null;

function findTwins(clauses: readonly QueryClause[]): Twins {
  const last = clauses.length - 1;
  const completed = clauses[last];
  if (completed?.kind !== 'token' || !completed.isCompleted) return null;
  const { text } = completed.token;
  const plain = clauses.findIndex((each) => each.kind === 'token' && each.token.text === text);
  return plain === last ? null : [plain, last];
}

/**
 * The clauses of the tokens in `length` slots from `slot` on, each once. What a token stands for it stands for wherever it was typed, as
 * the last one too: a document must not be lost because a word is also completed.
 */
function clausesAt({ slots }: QueryClauses, slot: number, length: number, twins: Twins): ReadonlySet<number> {
  const found = new Set<number>();
  for (let at = slot; at < slot + length; at++) {
    const { clause } = slots[at];
    found.add(clause);
    if (twins?.includes(clause)) for (const twin of twins) found.add(twin);
  }
  return found;
}

function addWords(found: Map<number, RelatedWord[]>, clause: number, words: readonly RelatedWord[]): void {
  const known = found.get(clause) ?? [];
  if (known.length === 0) found.set(clause, known);
  known.push(...words.slice(0, SYNONYMS_MAX - known.length));
}

/** The clauses of stop words, but for `covered` ones, which are part of something that has synonyms. */
function findStopped(
  clauses: readonly QueryClause[],
  rules: TextRules,
  covered: ReadonlySet<number>,
): ReadonlySet<number> {
  const stopped = new Set<number>();
  for (const [index, clause] of clauses.entries())
    if (clause.kind === 'token' && !covered.has(index) && rules.isStopWord(clause.token)) stopped.add(index);
  return stopped.size < clauses.length ? stopped : new Set();
}

/**
 * The words that neighbours in plain text are when written as one. `isRead`: by clause, whether it is of interest. `join`
 * says what two tokens are as one; null: no word.
 */
export function findJoinedWords(
  query: QueryClauses,
  isRead: readonly boolean[],
  join: (left: QueryToken, right: QueryToken) => QueryToken | null,
): RelatedWords {
  const { slots, clauses } = query;
  const twins = findTwins(clauses);
  const isReadOf = (clause: number): boolean =>
    isRead[clause] || (twins?.includes(clause) && twins.some((twin) => isRead[twin])) === true;
  let found: Map<number, RelatedWord[]> | null = null;
  for (let slot = 1; slot < slots.length; slot++) {
    const left = slots[slot - 1];
    const right = slots[slot];
    if (!right.followsText || !(isReadOf(left.clause) || isReadOf(right.clause))) continue;
    const joined = join(left.token, right.token);
    if (joined === null) continue;
    const words: RelatedWord[] = [{ kind: 'joined', tokens: [joined], slot: slot - 1, length: 2 }];
    found ??= new Map();
    for (const clause of clausesAt(query, slot - 1, 2, twins)) addWords(found, clause, words);
  }
  return found ?? NO_WORDS;
}
