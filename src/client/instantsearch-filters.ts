/**
 * What InstantSearch filters by, as a filter expression of Sabre (docs/api.md, Filter). Called by the adapter.
 *
 * Every value is sent in quotes, so none can end its place and change what is asked.
 */

/** Outer lists must all hold, of an inner one any. */
export type FilterList = string | readonly (string | readonly string[])[];

export interface FilterParams {
  /** of Sabre, sent as it is */
  readonly filters?: string;
  /** `field:value`; `field:-value` excludes, `field:\-value` is one that begins with a minus */
  readonly facetFilters?: FilterList;
  /** `field>=1`, `field:1 TO 5` */
  readonly numericFilters?: FilterList;
  readonly tagFilters?: FilterList;
}

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`;

function facetClause(text: string): string {
  const colon = text.indexOf(':');
  if (colon < 1) throw new TypeError(`facetFilters: expected "field:value", got "${text}"`);
  const [field, value] = [text.slice(0, colon), text.slice(colon + 1)];
  if (value.startsWith('-')) return `${field}:!=${quoted(value.slice(1))}`;
  return `${field}:=${quoted(value.replace(/^\\-/, '-'))}`;
}

function numericClause(text: string): string {
  const [, field, from, to] = /^\s*([\w-]+)\s*:\s*(\S+)\s+TO\s+(\S+)\s*$/i.exec(text) ?? [];
  if (field !== undefined) return `${field}:[${quoted(String(from))}..${quoted(String(to))}]`;
  const [, name, operator = '=', value] = /^\s*([\w-]+?)\s*(<=|>=|!=|<|>|=|:)\s*(\S+)\s*$/.exec(text) ?? [];
  if (name === undefined) throw new TypeError(`numericFilters: expected "field>=1", got "${text}"`);
  return `${name}:${operator === ':' ? '=' : operator}${quoted(String(value))}`;
}

/** `list` as an expression, '' for an empty one. A text is one of several, between commas. */
function joinClauses(list: FilterList | undefined, clause: (text: string) => string): string {
  const all = typeof list === 'string' ? list.split(',').filter((text) => text !== '') : (list ?? []);
  return all
    .map((entry) => (typeof entry === 'string' ? [entry] : entry))
    .filter((any) => any.length > 0)
    .map((any) => (any.length === 1 ? any.map(clause).join('') : `(${any.map(clause).join(' || ')})`))
    .join(' && ');
}

/**
 * Everything that `params` filter by in one expression, '' for nothing. `tagsField`: where tags are kept.
 *
 * Errors: TypeError for a filter that is none.
 */
export function filterOf(params: FilterParams, tagsField: string): string {
  const { filters, facetFilters, numericFilters, tagFilters } = params;
  const facets = typeof facetFilters === 'string' ? [facetFilters] : facetFilters;
  return [
    filters?.trim() ? `(${filters})` : '',
    joinClauses(facets, facetClause),
    joinClauses(numericFilters, numericClause),
    joinClauses(tagFilters, (tag) => facetClause(`${tagsField}:${tag}`)),
  ]
    .filter((part) => part !== '')
    .join(' && ');
}
