/**
 * Goes through the pages of a result.
 */
import { REACH, type SearchState } from './search-state.js';

interface ResultPagesProps {
  readonly found: number;
  readonly state: SearchState;
  readonly onChange: (state: SearchState) => void;
}

/** Leads to the pages of `found` hits; nothing where there is one alone. */
export function ResultPages({ found, state, onChange }: ResultPagesProps) {
  const { page, limit } = state;
  const last = Math.ceil(Math.min(found, REACH) / limit);
  if (last <= 1 && page === 1) return null;
  const to = (target: number): void => {
    onChange({ ...state, page: target });
    window.scrollTo({ top: 0 });
  };
  return (
    <nav class="pages" aria-label="Pages">
      <button type="button" disabled={page <= 1} onClick={() => to(page - 1)}>
        Previous
      </button>
      <span aria-current="page">
        Page {page.toLocaleString('en')} of {last.toLocaleString('en')}
      </span>
      <button type="button" disabled={page >= last} onClick={() => to(page + 1)}>
        Next
      </button>
    </nav>
  );
}
