/**
 * Growable buffers that are filled, read and reset, over and over: bytes, and lists of 32-bit numbers.
 *
 * Used by the document reader and the builders, so that steady work allocates nothing. Offsets into a pool survive its
 * growth; a reference to `bytes` or `values` does not.
 */

const POOL_BYTES_MIN = 512;
const LIST_VALUES_MIN = 128;
/** Below this a loop beats making a view for set(). */
const LOOP_COPY_MAX = 24;

export class BytePool {
  /** The buffer; what lies past `length` is undefined. Replaced when the pool grows. */
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;
  readonly #onGrow: ((wanted: number) => void) | null;

  /** `onGrow` is called with the bytes that are wanted before the buffer is replaced by a larger one, and may throw. */
  constructor(bytes = POOL_BYTES_MIN, onGrow: ((wanted: number) => void) | null = null) {
    this.bytes = new Uint8Array(bytes);
    this.#onGrow = onGrow;
  }

  /** Makes room for `count` more bytes past `length`, without taking them. */
  ensure(count: number): void {
    const wanted = this.length + count;
    if (wanted <= this.bytes.length) return;
    this.#onGrow?.(wanted);
    const grown = new Uint8Array(Math.max(wanted, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  push(byte: number): void {
    if (this.length === this.bytes.length) this.ensure(1);
    this.bytes[this.length++] = byte;
  }

  /** Appends source[start..end) and returns its offset. */
  append(source: Uint8Array, start: number, end: number): number {
    const offset = this.length;
    const count = end - start;
    this.ensure(count);
    const { bytes } = this;
    if (count <= LOOP_COPY_MAX) {
      for (let i = 0; i < count; i++) bytes[offset + i] = source[start + i];
    } else {
      bytes.set(source.subarray(start, end), offset);
    }
    this.length = offset + count;
    return offset;
  }

  /** Forgets the content and keeps the buffer. */
  reset(): void {
    this.length = 0;
  }
}

export class U32List {
  /** The buffer; what lies past `length` is undefined. Replaced when the list grows. */
  values: Uint32Array<ArrayBuffer>;
  length = 0;

  constructor(values = LIST_VALUES_MIN) {
    this.values = new Uint32Array(values);
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const grown = new Uint32Array(this.values.length * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length++] = value;
  }

  /** The values as a view, valid until the next push. */
  view(): Uint32Array<ArrayBuffer> {
    return this.values.subarray(0, this.length);
  }

  reset(): void {
    this.length = 0;
  }
}
