/**
 * MessagePack to values, for what is kept in files and logs: as @msgpack/msgpack decodes it, but with every string as it was.
 *
 * The library drops U+FEFF from the beginning of strings of more than 200 bytes: it takes it there for a byte order mark.
 * In an id, a name or a synonym it is a character like others.
 */
import { decode } from '@msgpack/msgpack';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** What `bytes` encodes; byte arrays are parts of `bytes`. Errors: Error when that is no MessagePack. */
export function decodeFields(bytes: Uint8Array): unknown {
  const value = decode(bytes);
  const holdsMark = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(BYTE_ORDER_MARK);
  return holdsMark ? withWholeStrings(value, decode(bytes, { rawStrings: true })) : value;
}

/** `value` with its strings made of their bytes, which are in the same places of `raw`. */
function withWholeStrings(value: unknown, raw: unknown): unknown {
  if (typeof value === 'string' && raw instanceof Uint8Array) return decoder.decode(raw);
  if (Array.isArray(value) && Array.isArray(raw)) return value.map((item, at) => withWholeStrings(item, raw[at]));
  if (!isRecord(value) || !isRecord(raw)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withWholeStrings(item, raw[key])]));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
