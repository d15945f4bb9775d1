/**
 * What is wrong with an export, whatever was written meanwhile.
 */

/** The documents of an export by id; throws when it is not one whole document on each line, each id once. */
export function exportedDocuments(text: string): Map<string, string> {
  const documents = new Map<string, string>();
  if (text === '') return documents;
  if (!text.endsWith('\n')) throw new Error(`it ends in a line: ${text.slice(-100)}`);
  for (const line of text.slice(0, -1).split('\n')) {
    const { id } = JSON.parse(line) as { readonly id: string };
    if (documents.has(id)) throw new Error(`${id} comes twice`);
    documents.set(id, line);
  }
  return documents;
}

/** What is wrong with it, or null. */
export function faultOfExport(text: string): string | null {
  try {
    exportedDocuments(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
