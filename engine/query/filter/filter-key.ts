/**
 * Names filters: two have one key only if they pass the same documents of every segment of a schema, however they were written.
 *
 * Called once a filter that is parsed, by recent-filters.ts.
 */
import type { FilterNode, FilterPredicate, KeyRange } from './filter-node.js';

/** The key of `node`. The order of the children of a group does not count. */
export function filterKey(node: FilterNode): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      return `${node.kind}(${node.children.map(filterKey).sort().join()})`;
    case 'number':
      return `n${node.field}${sign(node)}[${node.ranges.map(rangeKey).join()}]`;
    case 'keyword':
      return `k${node.field}${sign(node)}[${valuesKey(node.values)}]`;
    case 'id':
      return `id${sign(node)}[${valuesKey(node.values)}]`;
  }
}

const sign = ({ negated }: FilterPredicate): string => (negated ? '!' : '=');
const rangeKey = ({ loHi, loLo, hiHi, hiLo }: KeyRange): string => `${loHi}:${loLo}..${hiHi}:${hiLo}`;

/** Bytes may be any: their number says where they end. */
const valuesKey = (values: readonly Uint8Array[]): string =>
  values.map((value) => `${value.length}:${Buffer.from(value).toString('latin1')}`).join();
