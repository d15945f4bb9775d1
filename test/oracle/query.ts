/**
 * Reads `q`: what was typed, in order, and what must not be there.
 */
import type { TypoTolerance } from '../support/wire.js';
import { analyze } from './analyze.js';

const DISTINCT_TOKENS_MAX = 64;

export interface TokenClause {
  readonly kind: 'token';
  readonly token: string;
  readonly isCompleted: boolean;
}

/** One thing a document must (or may) match: a token, or tokens side by side. Typed twice, it is there twice. */
export type Clause = TokenClause | { readonly kind: 'phrase'; readonly tokens: readonly string[] };

export interface TypedQuery {
  /** Empty: every document matches. */
  readonly clauses: readonly Clause[];
  readonly excluded: readonly (readonly string[])[];
}

/** A stretch of `q`, as it is cut at quotes and dashes. */
interface Stretch {
  readonly kind: 'text' | 'phrase' | 'excluded';
  readonly tokens: readonly string[];
}

/** Stretches of `q` that have tokens. Quotes pair up from the left, and one left over is text. */
function cutQuery(q: string): Stretch[] {
  const stretches: Stretch[] = [];
  let text = '';
  const add = (kind: Stretch['kind'], part: string): void => {
    const tokens = analyze(part);
    if (tokens.length > 0) stretches.push({ kind, tokens });
  };
  const endText = (): void => {
    add('text', text);
    text = '';
  };
  for (let at = 0; at < q.length; ) {
    const rest = q.slice(at);
    const begins = at === 0 || /\s/u.test(q[at - 1] ?? '');
    const excluded = begins ? (/^-"([^"]*)"/u.exec(rest) ?? /^-([^\s"]+)/u.exec(rest)) : null;
    const phrase = /^"([^"]*)"/u.exec(rest);
    const found = excluded ?? phrase;
    if (found === null) text += q[at++];
    else {
      endText();
      add(excluded === null ? 'phrase' : 'excluded', found[1] ?? '');
      at += found[0].length;
    }
  }
  endText();
  return stretches;
}

/** The clauses of what is wanted, stretch by stretch. */
function wantedClauses(stretches: readonly Stretch[], prefix: boolean): Clause[][] {
  const wanted = stretches.filter(({ kind }) => kind !== 'excluded');
  return wanted.map(({ kind, tokens }, i): Clause[] => {
    if (kind === 'phrase') return [{ kind, tokens }];
    return tokens.map((token, j) => {
      const isCompleted = prefix && i === wanted.length - 1 && j === tokens.length - 1;
      return { kind: 'token', token, isCompleted };
    });
  });
}

/** What `q` asks for; `prefix`: its last token is completed, unless it stands in a phrase. */
export function parseQuery(q: string, prefix = true): TypedQuery {
  const stretches = cutQuery(q);
  const excluded = stretches.filter(({ kind }) => kind === 'excluded').map(({ tokens }) => tokens);
  return { clauses: wantedClauses(stretches, prefix).flat(), excluded };
}

/** The tokens of plain text, of which those of a run have neither quotes nor exclusions between them. */
export function textRuns(q: string, prefix = true): TokenClause[][] {
  return wantedClauses(cutQuery(q), prefix)
    .map((clauses) => clauses.filter((clause) => clause.kind === 'token'))
    .filter((run) => run.length > 0);
}

/** `clauses` without the tokens that are too many: the rarest by `df` stay, of equal ones those typed first. */
export function dropFrequent(clauses: readonly Clause[], df: (token: string) => number): readonly Clause[] {
  const tokens = [...new Set(clauses.flatMap((clause) => (clause.kind === 'token' ? [clause.token] : [])))];
  const kept = new Set(
    tokens
      .map((token, typed) => ({ token, typed, df: df(token) }))
      .sort((a, b) => a.df - b.df || a.typed - b.typed)
      .slice(0, DISTINCT_TOKENS_MAX)
      .map(({ token }) => token),
  );
  return clauses.filter((clause) => clause.kind === 'phrase' || kept.has(clause.token));
}

/** Whether both are the same token, whether it is completed or not: what it stands for beside its completions is the same. */
export const isSameToken = (a: TokenClause, b: TokenClause): boolean => a.token === b.token;

/** Edits that the settings allow for a typed token: by its code points, none for digits alone. */
export function editBudget(token: string, settings: TypoTolerance): number {
  if (!settings.enabled || /^\p{Nd}+$/u.test(token)) return 0;
  const length = [...token].length;
  if (length >= settings.two_typo_min_len) return Math.min(2, settings.max_typos);
  if (length >= settings.one_typo_min_len) return Math.min(1, settings.max_typos);
  return 0;
}
