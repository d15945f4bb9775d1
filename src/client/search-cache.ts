/**
 * Answers of searches by their tags (docs/api.md, Unchanged answers): what is asked again costs a 304 instead of a body. Off
 * unless the client is told how many to keep; browsers do the same by themselves for GET.
 */
import type { Answer } from './transport.js';

interface Kept {
  readonly tag: string;
  readonly answer: Answer;
}

export interface Known {
  /** what to send as `if-none-match` */
  readonly tag: string | undefined;
  /** The answer to read: `answer` itself, kept from now on, or for a 304 the one that was kept. */
  keep(answer: Answer): Answer;
}

export interface SearchCache {
  /** `request`: the search, to its letter. */
  find(request: string): Known;
}

/** Keeps `count` answers, the latest used. */
export function createSearchCache(count: number): SearchCache {
  const kept = new Map<string, Kept>();
  return {
    find(request) {
      const known = kept.get(request);
      return {
        tag: known?.tag,
        keep(answer) {
          const isSame = answer.status === 304 && known !== undefined;
          const tag = answer.headers.get('etag');
          const shown = isSame ? known.answer : answer;
          kept.delete(request);
          if (count > 0 && tag !== null) kept.set(request, { tag, answer: shown });
          const oldest = kept.keys().next();
          if (kept.size > count && !oldest.done) kept.delete(oldest.value);
          return shown;
        },
      };
    },
  };
}
