/**
 * The bytes of each collection, as the metrics of the server tell them. Lenient: what is not understood is not there.
 */

const LINE = /^sabre_collection_bytes\{(?:[^}]*,)?collection="([^"\\]*)"[^}]*\}\s+([0-9.eE+]+)/gm;

/** Returns bytes by collection; of several lines for one, their sum. */
export function readCollectionBytes(metrics: string): Map<string, number> {
  const bytes = new Map<string, number>();
  for (const [, name = '', value] of metrics.matchAll(LINE)) {
    const number = Number(value);
    if (Number.isFinite(number)) bytes.set(name, (bytes.get(name) ?? 0) + number);
  }
  return bytes;
}
