/**
 * Remembers the filters of the last searches, parsed, and whether one with it was answered: bits are kept of a filter that comes
 * again (segment/kept-filters.ts), and not of one that nobody asks for twice.
 *
 * Used by parse-search.ts, one a thread. Bounded; what was used longest ago goes first.
 */
import type { CollectionSchema } from '../../schema/collection-schema.js';
import { filterKey } from './filter-key.js';
import type { FilterNode } from './filter-node.js';
import { joinPredicates } from './join-predicates.js';
import { parseScopedFilter } from './parse-scoped-filter.js';

/** Filters remembered at most, and the UTF-16 units of their texts: a parsed filter takes some 20 bytes for each. */
const FILTERS_MAX = 512;
const TEXT_UNITS_MAX = 1 << 16;

export interface ParsedFilter {
  readonly node: FilterNode;
  /** The same for filters that the same documents pass. */
  readonly key: string;
  /** Whether this thread has answered a search with it, not long ago. What it has only begun, or helped with, does not count. */
  wasAnswered: boolean;
}

interface Recent {
  readonly schema: CollectionSchema;
  readonly filter: ParsedFilter;
}

export class RecentFilters {
  /** By collection and texts. What was used longest ago comes first. */
  readonly #recent = new Map<string, Recent>();
  #units = 0;

  /** The filter of what passes both `own` and `required`, of which one at least is given, over the fields of `schema`. Errors: invalid_query. */
  get(own: string | null, required: string | null, schema: CollectionSchema): ParsedFilter {
    const name =
      required === null ? `${schema.name}\n${own}` : `${schema.name}\r${required.length}\r${required}${own ?? ''}`;
    const known = this.#recent.get(name);
    // Each generation of a collection has a schema object of its own.
    const filter = known?.schema === schema ? known.filter : parse(own, required, schema);
    if (known !== undefined) {
      if (known.filter.key === filter.key) filter.wasAnswered = known.filter.wasAnswered;
      this.#forget(name);
    }
    this.#remember(name, { schema, filter });
    return filter;
  }

  #remember(name: string, recent: Recent): void {
    this.#recent.set(name, recent);
    this.#units += name.length;
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= FILTERS_MAX && this.#units <= TEXT_UNITS_MAX) return;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    this.#recent.delete(name);
    this.#units -= name.length;
  }
}

function parse(own: string | null, required: string | null, schema: CollectionSchema): ParsedFilter {
  const node = joinPredicates(parseScopedFilter(own, required, schema));
  return { node, key: filterKey(node), wasAnswered: false };
}
