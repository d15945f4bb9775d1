/**
 * The decimal text of doubles. Used where numbers become JSON: of documents in MessagePack (documents/msgpack.ts), and of what is reckoned
 * from values (query/facets/facet-stats.ts).
 */

/** String() gives numbers from here on an exponent. */
const EXPONENT_FROM = 1e21;

/**
 * A finite double as a JSON number, its shortest text but for whole numbers beyond 2^53: String() pads these with zeros, which is another
 * number to whoever reads integers exactly.
 */
export function doubleText(value: number): string {
  const isPadded = !Number.isSafeInteger(value) && Number.isInteger(value) && Math.abs(value) < EXPONENT_FROM;
  return isPadded ? BigInt(value).toString() : String(value);
}
