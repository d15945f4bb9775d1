/** Tokens that come as records, against the same tokens added one by one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POSITION_MAX } from '../../engine/layout/postings.js';
import { BodyCopy } from '../../engine/memory/body-copy.js';
import { PostingsBuilder } from '../../engine/postings/postings-builder.js';
import { AsciiTokenizer } from '../../engine/text/ascii-tokenizer.js';
import { resetRegions, writeViews } from '../support/engine-arena.js';

const WORDS = ['one', 'two', 'three', 'one', 'somethinglonger', 'two'];
const TEXT = new TextEncoder().encode(WORDS.join(' '));
const DOCS = 3;

function written(builder: PostingsBuilder): Buffer {
  resetRegions();
  const lengths = new Uint32Array(DOCS).fill(WORDS.length);
  const { u8 } = writeViews(1 << 16, (out) => {
    builder.write(out, () => lengths, DOCS);
    return out.align(4);
  });
  return Buffer.from(u8.slice());
}

test('records of tokens are placed one behind the other, and none beyond the last position there is', () => {
  const tokenizer = new AsciiTokenizer(new BodyCopy());
  for (const position of [0, 70, POSITION_MAX - 3, POSITION_MAX]) {
    const together = new PostingsBuilder([true]);
    const apart = new PostingsBuilder([true]);
    for (let doc = 0; doc < DOCS; doc++) {
      const count = tokenizer.tokenizeCopy(TEXT, 0, TEXT.length);
      assert.equal(count, WORDS.length);
      together.addAll(0, doc, position, tokenizer.records, count);
      for (const [i, word] of WORDS.entries()) {
        const bytes = new TextEncoder().encode(word);
        apart.add(0, doc, Math.min(position + i, POSITION_MAX), bytes, 0, bytes.length);
      }
    }
    assert.equal(together.tokenCount, apart.tokenCount);
    assert.ok(written(together).equals(written(apart)), `from position ${position} on`);
  }
});
