/**
 * How a proposed schema is shown to the person who will edit it: as JSON with a field on each line. Called by import-collection.ts, for
 * the terminal and for the file of a dry run; it must print what POST /collections takes.
 */

/** A value as JSON on one line, with a space behind each colon and comma. */
const onOneLine = (value: object): string =>
  `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${JSON.stringify(member)}`)
    .join(', ')}}`;

/** The JSON text of a schema, with a line break at its end. */
export function schemaText(schema: { readonly name: string; readonly fields: readonly object[] }): string {
  const fields = schema.fields.map((field) => `    ${onOneLine(field)}`).join(',\n');
  return `{\n  "name": ${JSON.stringify(schema.name)},\n  "fields": [\n${fields}\n  ]\n}\n`;
}
