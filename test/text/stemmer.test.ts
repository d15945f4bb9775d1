/**
 * Stems are those of Snowball, for folded terms, and the programs that make them are what its compiler wrote.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { STEM_LANGUAGES, type StemLanguage } from '../../engine/schema/stem-languages.js';
import { Stemmer, stemmerOf } from '../../engine/text/stemmer.js';
import { GENERATED, sha256, unwrap } from './make-stemmers.js';

const { cache } = createRequire(import.meta.url);
const loaded = (): string[] =>
  Object.keys(cache)
    .map((path) => path.split('/').at(-1) ?? '')
    .filter((name) => name.endsWith('-stemmer.cjs'))
    .sort();

test('a program is loaded when its language is first asked for, and no other', () => {
  assert.deepEqual(loaded(), []);
  stemmerOf('danish');
  assert.deepEqual(loaded(), ['base-stemmer.cjs', 'danish-stemmer.cjs']);
  assert.equal(stemmerOf('danish'), stemmerOf('danish'));
});

function stem(language: StemLanguage, word: string): string {
  const bytes = Buffer.from(`xx${word}yy`);
  return Buffer.from(stemmerOf(language).stem(bytes, 2, bytes.length - 2)).toString();
}

/** Forms of one word, as terms are: folded. The last is another word's. */
const FORMS: readonly (readonly [StemLanguage, string, readonly string[], string])[] = [
  ['english', 'connect', ['connect', 'connected', 'connecting', 'connection', 'connections'], 'connoisseur'],
  ['english', 'generous', ['generous', 'generously'], 'general'],
  ['german', 'haus', ['haus', 'hauses', 'hause'], 'maus'],
  ['french', 'continu', ['continuer', 'continuait', 'continuation'], 'contenu'],
  ['spanish', 'chequ', ['cheques', 'cheque'], 'chica'],
  ['italian', 'abbandon', ['abbandonata', 'abbandonati', 'abbandonare'], 'abbassa'],
  ['russian', 'важн', ['важная', 'важно', 'важную', 'важных'], 'вагон'],
  ['swedish', 'bil', ['bilar', 'bilen', 'bilarna'], 'bild'],
  ['finnish', 'talo', ['talo', 'talot', 'talon', 'taloista'], 'tuoli'],
  ['turkish', 'kitap', ['kitap', 'kitaplar', 'kitabı'], 'kalem'],
];

for (const [language, expected, forms, other] of FORMS) {
  test(`${language}: ${forms.join(', ')} have the stem ${expected}, and ${other} another`, () => {
    for (const form of forms) assert.equal(stem(language, form), expected);
    assert.notEqual(stem(language, other), expected);
  });
}

test('every language stems every kind of term, the longest too', () => {
  const words = ['a', '2024', 'x2', '東', 'привет', '𐐨𐐨', 'cafe', 'ß'.repeat(64), '𐐨'.repeat(64), 'ing'.repeat(21)];
  for (const language of STEM_LANGUAGES)
    for (const word of words) assert.ok(stem(language, word).length > 0, `${language} ${word}`);
});

test('a stem follows from the term alone, whatever was stemmed before', () => {
  const words = ['universities', 'skies', 'cafe', 'running', 'x', 'важная', 'hopped', 'ing', 'ization', 'arsenals'];
  for (const language of STEM_LANGUAGES) {
    const used = words.map((word) => stem(language, word));
    const fresh = words.map((word) => {
      const bytes = Buffer.from(word);
      return Buffer.from(new Stemmer(language).stem(bytes, 0, bytes.length)).toString();
    });
    assert.deepEqual(used, fresh);
  }
});

test('a copy of a stem outlives the next call', () => {
  const bytes = Buffer.from('houseszebras');
  const houses = stemmerOf('english').stem(bytes, 0, 6).slice();
  const zebra = stemmerOf('english').stem(bytes, 6, 12).slice();
  const again = stemmerOf('english').stem(zebra, 0, zebra.length);
  assert.deepEqual(
    [houses, zebra, again].map(String),
    ['hous', 'zebra', 'zebra'].map((text) => String(new Uint8Array(Buffer.from(text)))),
  );
});

test('the programs are what the Snowball compiler wrote, one a language', () => {
  const files = readdirSync(GENERATED).filter((name) => name.endsWith('.cjs'));
  assert.deepEqual(files, ['base', ...STEM_LANGUAGES].map((name) => `${name}-stemmer.cjs`).sort());
  const checksums = files.map((name) => {
    const { written, checksum } = unwrap(readFileSync(join(GENERATED, name), 'utf8'));
    assert.equal(sha256(written), checksum, `${name} was edited: run test/text/make-stemmers.ts`);
    return checksum;
  });
  // Segments on disk hold what follows from stems: other programs mean a new format version (layout/stems.ts).
  assert.equal(sha256(checksums.join()), 'a86ad882b9e40c71e52b96cffca6df01dd1c774a488f5bc9e716ed01d66463ed');
});
