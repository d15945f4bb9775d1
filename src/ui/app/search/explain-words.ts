/**
 * Says in words what the server's explanation of a hit says in numbers. Pure; shown by explain-panel.tsx.
 */
import type { Hit, SearchResponse } from '../../../client/client.js';

type QueryExplanation = NonNullable<SearchResponse['explain']>;

/** What the server answers to a search that names a document to explain. */
export interface ExplainAnswer {
  readonly found: number;
  readonly explain: QueryExplanation & { readonly document: NonNullable<QueryExplanation['document']> };
}

/** A word or a phrase of the query, and what a document holds of it. */
export type ExplainedPart = NonNullable<Hit['explain']>['parts'][number];
type ExplainedField = NonNullable<ExplainedPart['fields']>[number];
export type ExplainedTerm = ExplainedField['terms'][number];
type TermKind = ExplainedTerm['kind'];

const rounded = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
const letters = (edits: number): string => (edits === 1 ? 'one letter' : `${edits} letters`);

/** How the term `found` comes to stand for the word `typed`. */
function howFound(typed: string, { term, kind, edits }: ExplainedTerm): string {
  const words: Readonly<Record<TermKind, string>> = {
    typed: 'as you typed it',
    completion: `which begins with “${typed}”`,
    correction: `${letters(edits)} off what you typed`,
    mistyped_prefix: `which begins like “${typed}”, ${letters(edits)} off`,
    stem: `another form of “${typed}”`,
    synonym: `a synonym of “${typed}”`,
    joined: `“${typed}” and its neighbour in one word`,
    split: `“${typed}” in two words`,
  };
  return `“${term}”, ${words[kind]}`;
}

function describeField(typed: string, { field, boost, terms }: ExplainedField): string {
  const [best] = terms;
  const weight = boost === 1 ? '' : ` (counts × ${Number(boost.toPrecision(3))})`;
  if (best === undefined) return `in ${field}${weight}`;
  const times = best.occurrences === 1 ? '' : `, ${best.occurrences} times`;
  return `in ${field}${weight}: ${howFound(typed, best)}${times}`;
}

export interface PartWords {
  readonly text: string;
  readonly score: number;
  /** Of the score of all words, 0 to 1. */
  readonly share: number;
  readonly places: readonly string[];
  /** How rare the word is; '' where that is not known. */
  readonly rarity: string;
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

function placesOf(part: ExplainedPart): string[] {
  if (part.kind === 'phrase') {
    const fields = new Set((part.tokens ?? []).flatMap(({ fields }) => fields.map(({ field }) => field)));
    return [`in ${[...fields].join(', ')}: its words next to each other`];
  }
  const phrases = (part.phrases ?? []).map(({ phrase, kind }) =>
    kind === 'synonym' ? `“${phrase}”, a synonym` : `“${phrase}”, the word in two`,
  );
  return [...(part.fields ?? []).map((field) => describeField(part.text, field)), ...phrases];
}

/** What each word of the query adds to the score, the greatest first. */
export function describeParts({ explain }: ExplainAnswer): PartWords[] {
  const score = explain.document.explain;
  if (score === null) return [];
  const known = new Map(explain.parts.map(({ text, documents }) => [text, documents]));
  const rarityOf = (text: string): string => {
    const documents = known.get(text);
    if (documents === undefined) return '';
    return `in ${documents.toLocaleString('en')} of ${explain.documents.toLocaleString('en')} documents`;
  };
  return score.parts
    .map((part) => {
      const adds = sum(part.adds);
      const share = score.bm25 === 0 ? 0 : adds / score.bm25;
      return { text: part.text, score: adds, share, places: placesOf(part), rarity: rarityOf(part.text) };
    })
    .sort((a, b) => b.score - a.score);
}

export interface ScoreStep {
  readonly value: string;
  readonly words: string;
}

function exactnessWords(exactness: number): string {
  if (exactness >= 1.5) return 'because a field is exactly what you typed';
  return exactness > 1 ? 'because a field begins with what you typed' : 'no field is or begins with what you typed';
}

/** The factors of the score, in the order in which they are multiplied. */
export function describeScore({ explain }: ExplainAnswer): ScoreStep[] {
  const score = explain.document.explain;
  if (score === null || score.parts.length === 0) return [];
  const steps = [{ value: rounded(score.bm25), words: 'for the words it holds' }];
  if (score.nearness !== null && score.nearness > 1)
    steps.push({ value: `× ${rounded(score.nearness)}`, words: 'because they stand near each other' });
  if (score.exactness !== null && score.exactness > 1)
    steps.push({ value: `× ${rounded(score.exactness)}`, words: exactnessWords(score.exactness) });
  steps.push({ value: `= ${rounded(score.text_match)}`, words: 'relevance' });
  return steps;
}

/** What else there is to say of how the query was read, a sentence each. */
export function describeQuery({ explain }: ExplainAnswer): string[] {
  const notes: string[] = [];
  if (explain.stages.some(({ stage, answered }) => stage === 2 && answered))
    notes.push('Few documents hold the words as typed, so known words were corrected, split and joined, too.');
  for (const { token, reason } of explain.dropped) {
    const why = reason === 'stop_word' ? 'it is a stop word' : 'the query has too many words';
    notes.push(`“${token}” was not searched for: ${why}.`);
  }
  return notes;
}

/** Where the document stands among all hits, as a sentence. */
export function describeRank({ explain, found }: ExplainAnswer): string {
  const { rank, is_hit: isHit } = explain.document;
  const all = found.toLocaleString('en');
  if (!isHit) return 'This document is not found by what is asked now.';
  if (rank === null) return `This document is beyond the first 10,000 of ${all}.`;
  return `This document is number ${rank.toLocaleString('en')} of ${all}.`;
}
