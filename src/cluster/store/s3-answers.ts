/**
 * Reads what is needed of the XML that S3 answers with: a flat list, whose names were asked for in URL encoding.
 */
import type { StoredObject } from './snapshot-store.js';

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const plainText = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? '');

/** The text of the first element called `tag`; null: there is none. */
export function textOf(xml: string, tag: string): string | null {
  const start = xml.indexOf(`<${tag}>`);
  const end = start < 0 ? -1 : xml.indexOf(`</${tag}>`, start);
  return end < 0 ? null : plainText(xml.slice(start + tag.length + 2, end));
}

/** The objects in an answer to ListObjectsV2 with encoding-type=url. */
export function listedObjects(xml: string): StoredObject[] {
  const objects: StoredObject[] = [];
  for (const [, entry = ''] of xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
    const key = textOf(entry, 'Key');
    const storedAt = Date.parse(textOf(entry, 'LastModified') ?? '') || 0;
    if (key !== null) objects.push({ name: decodeURIComponent(key.replaceAll('+', '%20')), storedAt });
  }
  return objects;
}
