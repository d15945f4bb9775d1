/**
 * Highlights of Sabre as InstantSearch expects them: `_highlightResult` and `_snippetResult` of a hit. Called by the adapter.
 *
 * Sabre escapes a text for HTML, InstantSearch wants it as it is and escapes it itself; so entities are taken back here, and
 * whoever shows these values without InstantSearch must escape them.
 */
import type { Highlight } from '../api/types/documents.js';

export interface HighlightValue {
  readonly value: string;
  readonly matchLevel: 'none' | 'partial' | 'full';
  readonly matchedWords: readonly string[];
  readonly fullyHighlighted?: boolean;
}

export type HighlightResult = HighlightValue | readonly HighlightValue[];

export interface Marks {
  readonly open: string;
  readonly close: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const SNIPPET_WORDS = 10;

const plainOf = (html: string): string => html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name] ?? '');

/** How much of the query matched: all of its words, some, none. */
function levelOf(matched: readonly string[], query: string): HighlightValue['matchLevel'] {
  if (matched.length === 0) return 'none';
  return matched.length >= query.trim().split(/\s+/).length ? 'full' : 'partial';
}

/** What `highlights` say of the fields of `document`, and its other values without a match. */
export function highlightResult(
  document: Readonly<Record<string, unknown>>,
  highlights: Readonly<Record<string, Highlight>> | undefined,
  query: string,
  marks: Marks,
): Record<string, HighlightResult> {
  const none = (value: unknown): HighlightValue => ({ value: String(value), matchLevel: 'none', matchedWords: [] });
  const isShown = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
  const result: Record<string, HighlightResult> = {};
  for (const [field, value] of Object.entries(document)) {
    if (Array.isArray(value)) result[field] = value.filter(isShown).map(none);
    else if (isShown(value)) result[field] = none(value);
  }
  for (const [field, { snippet, matched }] of Object.entries(highlights ?? {})) {
    const marked = (html: string): HighlightValue => {
      const isMatch = html.includes(marks.open);
      const matchLevel = isMatch ? levelOf(matched, query) : 'none';
      const matchedWords = isMatch ? matched.map((word) => word.toLowerCase()) : [];
      return { value: plainOf(html), matchLevel, matchedWords, fullyHighlighted: false };
    };
    const value = document[field];
    if (typeof snippet === 'string') result[field] = marked(snippet);
    else if (Array.isArray(value)) result[field] = placeInArray(value.map(String), snippet.map(marked), marks, none);
  }
  return result;
}

/** Sabre shows the values of an array that match, InstantSearch all of them in their places. */
function placeInArray(
  values: readonly string[],
  found: readonly HighlightValue[],
  { open, close }: Marks,
  none: (value: string) => HighlightValue,
): HighlightValue[] {
  const byText = new Map(found.map((each) => [each.value.replaceAll(open, '').replaceAll(close, ''), each]));
  return values.map((value) => byText.get(value) ?? none(value));
}

/** A marked text cut to `words` words around its first match. */
function cut(value: string, words: number, { open, close }: Marks, ellipsis: string): string {
  // A mark may hold several words, and one word several marks: what is cut are words, and marks stay in pairs.
  const pieces = value.split(/(?<=\S)(?=\s)/);
  const first = pieces.findIndex((piece) => piece.includes(open));
  const from = Math.max(0, Math.min(first - Math.floor(words / 2), pieces.length - words));
  let text = pieces
    .slice(from, from + words)
    .join('')
    .trimStart();
  if (text.lastIndexOf(open) > text.lastIndexOf(close)) text += close;
  return (from > 0 ? ellipsis : '') + text + (from + words < pieces.length ? ellipsis : '');
}

/** The fields of `highlights` that `attributes` (`field` or `field:words`, `*` all) name, as snippets. */
export function snippetResult(
  highlights: Readonly<Record<string, HighlightResult>>,
  attributes: readonly string[],
  marks: Marks,
  ellipsis: string,
): Record<string, HighlightResult> {
  const result: Record<string, HighlightResult> = {};
  for (const attribute of attributes) {
    const [name = '', count] = attribute.split(':');
    const words = Number(count ?? SNIPPET_WORDS) || SNIPPET_WORDS;
    const snip = ({ value, matchLevel, matchedWords }: HighlightValue): HighlightValue => ({
      value: cut(value, words, marks, ellipsis),
      matchLevel,
      matchedWords,
    });
    const isArray = (each: HighlightResult): each is readonly HighlightValue[] => Array.isArray(each);
    for (const field of name === '*' ? Object.keys(highlights) : [name]) {
      const whole = highlights[field];
      if (whole !== undefined) result[field] = isArray(whole) ? whole.map(snip) : snip(whole);
    }
  }
  return result;
}

/** A facet value with its beginning marked that `query` is, or as it is. */
export function highlightFacet(value: string, query: string, { open, close }: Marks): string {
  const isBeginning = query !== '' && value.toLowerCase().startsWith(query.toLowerCase());
  return isBeginning ? `${open}${value.slice(0, query.length)}${close}${value.slice(query.length)}` : value;
}
