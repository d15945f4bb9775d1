/**
 * The grammar of filter expressions as the interface describes it, and examples of each form. Goes into the description of
 * every `filter` parameter; docs/api.md and the parser (engine/query/filter/parse-filter.ts) show the same lines, which a
 * test compares.
 */

export const FILTER_GRAMMAR = `expr      := and ("||" and)*
and       := primary ("&&" primary)*
primary   := "(" expr ")" | predicate
predicate := field ":" [op] value
op        := "=" | "!=" | ">=" | "<=" | ">" | "<"           none means "="
value     := "[" v ".." v "]"  inclusive range | "[" v ("," v)* "]"  set | v
v         := '...' | "..." (a backslash escapes) | bare, ends at white space , ) ] && || ..`;

/** Goes into the description of every parameter that is a filter. In Markdown. */
export const FILTER_DESCRIPTION = `\`\`\`ebnf\n${FILTER_GRAMMAR}\n\`\`\``;

interface FilterExample {
  readonly name: string;
  readonly summary: string;
  readonly value: string;
}

/** Each is sent to a real server by a test. */
export const FILTER_EXAMPLES: readonly FilterExample[] = [
  { name: 'comparison', summary: 'less than 40', value: 'price:<40' },
  { name: 'range', summary: 'one brand, and a range with both ends', value: 'brand:=Acme && price:[10..50]' },
  { name: 'set', summary: 'any of the values', value: 'tags:[new,sale]' },
  { name: 'negation', summary: 'none of them, among documents that have the field', value: 'tags:!=[new,sale]' },
  { name: 'quoted', summary: 'a value with special characters', value: 'brand:"Acme & Sons, \\"Ltd.\\""' },
  { name: 'date', summary: 'from a day on', value: 'added:>=2024-01-01' },
  { name: 'choice', summary: 'either, with brackets', value: '(in_stock:true || price:<10) && brand:!=Logi' },
  { name: 'ids', summary: 'documents by their ids', value: 'id:[1,2]' },
];
