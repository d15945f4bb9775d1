/**
 * Text analysis of ASCII, 64 bytes at a time: what text/analyzer.ts does with it, and a hash of each token. Called by
 * text/ascii-tokenizer.ts over a copy of a body. Memory is drawn in layout/body-copy.ts, records in layout/token-records.ts.
 */
import { COPY_BLOCK, COPY_FOLDED, COPY_RECORDS } from '../layout/body-copy';
import {
  TOKEN_BYTES_WORD,
  TOKEN_HASH_FACTOR,
  TOKEN_HASH_SHIFT,
  TOKEN_HASH_WORD,
  TOKEN_POINTS_MAX,
  TOKEN_LENGTH_WORD,
} from '../layout/token-records';

/** What tokenizeAscii() returns of a value with other characters. */
const NOT_ASCII: i32 = -1;

/** Bit i: byte i of `bytes` is a letter or a digit. */
@inline
function wordBits(bytes: v128, lowered: v128): u32 {
  const letters = i8x16.lt_u(i8x16.sub(lowered, i8x16.splat(0x61)), i8x16.splat(26));
  const digits = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10));
  return i8x16.bitmask(v128.or(letters, digits));
}

/** Writes 16 bytes in lower case to `to`; returns which of them belong to tokens. Digits have the bit that is set, too. */
@inline
function fold(bytes: v128, to: usize): u64 {
  const lowered = v128.or(bytes, i8x16.splat(0x20));
  v128.store(to, lowered);
  return <u64>wordBits(bytes, lowered);
}

@inline
function mix(hash: u32, word: u32): u32 {
  const mixed = (hash ^ word) * <u32>TOKEN_HASH_FACTOR;
  return mixed ^ (mixed >>> TOKEN_HASH_SHIFT);
}

/** Writes the record of the token of `length` bytes that begins at `from`; returns where it ends. */
@inline
function writeRecord(from: usize, length: u32, to: usize, seed: u32): usize {
  const kept = min(length, <u32>TOKEN_POINTS_MAX);
  let hash = mix(seed, kept);
  let at = to + 4 * TOKEN_BYTES_WORD;
  let left = kept;
  for (; left > 8; left -= 8) {
    const bytes = load<u64>(from);
    store<u64>(at, bytes);
    hash = mix(mix(hash, <u32>bytes), <u32>(bytes >> 32));
    from += 8;
    at += 8;
  }
  const last = load<u64>(from) & (~(<u64>0) >>> (64 - 8 * <u64>left));
  store<u64>(at, last);
  // Without one more round the last byte of eight would not reach the bits that choose among few slots.
  store<u32>(to, mix(mix(mix(hash, <u32>last), <u32>(last >> 32)), 0), 4 * TOKEN_HASH_WORD);
  store<u32>(to, kept, 4 * TOKEN_LENGTH_WORD);
  return at + 8;
}

/**
 * Writes the records of the tokens of the value at `start`, of at most TOKENS_VALUE_MAX bytes, to COPY_RECORDS; returns their
 * number, or NOT_ASCII. Loads up to COPY_BLOCK bytes behind the value.
 */
export function tokenizeAscii(start: usize, bytes: u32, seed: u32): i32 {
  let count = 0;
  let to: usize = COPY_RECORDS;
  let folded: usize = COPY_FOLDED;
  /** Where the token begins that the last block ended in; 0: in none. */
  let open: usize = 0;
  for (let done: u32 = 0; done < bytes; done += COPY_BLOCK) {
    const at = start + done;
    const a = v128.load(at, 0);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const left = bytes - done;
    const inside: u64 = left < <u32>COPY_BLOCK ? ((<u64>1) << left) - 1 : ~(<u64>0);
    const high =
      <u64>i8x16.bitmask(a) |
      ((<u64>i8x16.bitmask(b)) << 16) |
      ((<u64>i8x16.bitmask(c)) << 32) |
      ((<u64>i8x16.bitmask(d)) << 48);
    if ((high & inside) != 0) return NOT_ASCII;
    const words =
      (fold(a, folded) | (fold(b, folded + 16) << 16) | (fold(c, folded + 32) << 32) | (fold(d, folded + 48) << 48)) & inside;
    let rest = words;
    if (open != 0) {
      const end = <usize>ctz(~rest);
      if (end < <usize>COPY_BLOCK) {
        to = writeRecord(open, <u32>(folded + end - open), to, seed);
        count++;
        open = 0;
        rest &= ~(<u64>0) << end;
      } else rest = 0;
    }
    while (rest != 0) {
      const first = ctz(rest);
      const length = ctz(~(rest >> first));
      if (first + length == COPY_BLOCK) {
        open = folded + <usize>first;
        break;
      }
      to = writeRecord(folded + <usize>first, <u32>length, to, seed);
      count++;
      rest &= ~(<u64>0) << (first + length);
    }
    folded += COPY_BLOCK;
  }
  if (open == 0) return count;
  writeRecord(open, <u32>(<usize>COPY_FOLDED + <usize>bytes - open), to, seed);
  return count + 1;
}
