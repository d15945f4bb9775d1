/**
 * A synonym as it is typed, one word or phrase a line, because a phrase may hold a comma; and back. Without the page.
 */
import type { SynonymBody, SynonymView } from '../../../client/client.js';

/** What is being typed. */
export interface SynonymDraft {
  /** '' for a new one. */
  readonly id: string;
  readonly isOneWay: boolean;
  readonly root: string;
  readonly lines: string;
}

export const NEW_SYNONYM: SynonymDraft = { id: '', isOneWay: false, root: '', lines: '' };

export const draftOf = ({ id, root, synonyms }: SynonymView): SynonymDraft => ({
  id,
  isOneWay: root !== undefined,
  root: root ?? '',
  // A line end within a phrase is a space to the server.
  lines: synonyms.map((phrase) => phrase.replace(/\s+/g, ' ')).join('\n'),
});

/** What is sent of `draft`: each phrase once. */
export function synonymOf({ isOneWay, root, lines }: SynonymDraft): SynonymBody {
  const phrases = lines.split('\n').map((line) => line.trim());
  return { ...(isOneWay && { root: root.trim() }), synonyms: [...new Set(phrases)].filter((phrase) => phrase !== '') };
}

/** An id made of the words of `synonym`, which none of `taken` has. */
export function newId({ root, synonyms }: SynonymBody, taken: readonly SynonymView[]): string {
  const base =
    (root ?? synonyms[0] ?? '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 48) || 'synonym';
  const ids = new Set(taken.map(({ id }) => id));
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (!ids.has(id)) return id;
  }
}
