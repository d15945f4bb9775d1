/**
 * Joins predicates on one field into one: `a:1 || a:2` is `a:[1,2]`, `a:!=1 && a:!=2` is `a:!=[1,2]`.
 *
 * Called once a query by parse-search.ts. Each predicate costs a pass over a column, and a filter of the largest size holds
 * thousands; a set costs one pass.
 */
import { compareKeys } from '../../values/number-keys.js';
import { compareValues } from '../../values/value-bytes.js';
import type { FilterGroup, FilterNode, FilterPredicate, KeyRange, NumberPredicate } from './filter-node.js';

const isGroup = (node: FilterNode): node is FilterGroup => node.kind === 'and' || node.kind === 'or';

/** A filter that the same documents pass, with as few predicates as joining neighbours in a group gives. */
export function joinPredicates(node: FilterNode): FilterNode {
  if (!isGroup(node)) return node;
  const children: FilterNode[] = [];
  const joinable = new Map<string, FilterPredicate[]>();
  for (const child of flatten(node)) {
    // Any of several values, or none of them: the other two combinations are no set.
    if (isGroup(child) || child.negated !== (node.kind === 'and')) {
      children.push(child);
      continue;
    }
    const key = child.kind === 'id' ? child.kind : `${child.kind}${child.field}`;
    const alike = joinable.get(key);
    if (alike === undefined) joinable.set(key, [child]);
    else alike.push(child);
  }
  for (const alike of joinable.values()) children.push(alike.length === 1 ? alike[0] : joinAlike(alike));
  return children.length === 1 ? children[0] : { kind: node.kind, children };
}

/** The joined children of a group, those of a nested group of its kind in its place. */
function flatten(group: FilterGroup): FilterNode[] {
  const flat: FilterNode[] = [];
  for (const child of group.children) {
    const joined = joinPredicates(child);
    if (isGroup(joined) && joined.kind === group.kind) flat.push(...joined.children);
    else flat.push(joined);
  }
  return flat;
}

/** One predicate for several of one kind, field and sign. */
function joinAlike(alike: readonly FilterPredicate[]): FilterPredicate {
  const [first] = alike;
  if (first.kind === 'number') {
    const ranges = (alike as readonly NumberPredicate[]).flatMap((predicate) => predicate.ranges);
    return { ...first, ranges: joinRanges(ranges) };
  }
  const values = alike.flatMap((predicate) => (predicate.kind === 'number' ? [] : predicate.values));
  const compare = (a: Uint8Array, b: Uint8Array): number => compareValues(a, 0, a.length, b, 0, b.length);
  values.sort(compare);
  return { ...first, values: values.filter((value, i) => i === 0 || compare(values[i - 1], value) !== 0) };
}

/** The same keys in ascending, disjoint ranges. */
function joinRanges(ranges: readonly KeyRange[]): KeyRange[] {
  const sorted = [...ranges].sort((a, b) => compareKeys(a.loHi, a.loLo, b.loHi, b.loLo));
  const joined: KeyRange[] = [];
  for (const range of sorted) {
    const last = joined.at(-1);
    if (last === undefined || compareKeys(last.hiHi, last.hiLo, range.loHi, range.loLo) < 0) joined.push(range);
    else if (compareKeys(last.hiHi, last.hiLo, range.hiHi, range.hiLo) < 0)
      joined[joined.length - 1] = { ...last, hiHi: range.hiHi, hiLo: range.hiLo };
  }
  return joined;
}
