/**
 * Takes a snippet of the server apart into what matched and what stands between, for text nodes: nothing of a document is ever
 * read as HTML. Pure.
 */
import { MARK_CLOSE, MARK_OPEN } from './search-request.js';

export interface TextPart {
  readonly text: string;
  readonly isMarked: boolean;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The server escapes these five, and nothing else. */
const unescapeHtml = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);

/** Returns the parts of `snippet` in their order, none of them empty. */
export function partsOf(snippet: string): TextPart[] {
  const parts: TextPart[] = [];
  const add = (html: string, isMarked: boolean): void => {
    if (html !== '') parts.push({ text: unescapeHtml(html), isMarked });
  };
  for (const piece of snippet.split(MARK_OPEN)) {
    const end = piece.indexOf(MARK_CLOSE);
    if (end < 0) {
      add(piece, false);
      continue;
    }
    add(piece.slice(0, end), true);
    add(piece.slice(end + MARK_CLOSE.length), false);
  }
  return parts;
}
