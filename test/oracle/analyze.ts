/**
 * Text analysis by regular expressions: what a token is, said as plainly as possible.
 *
 * The oracle's own; shares nothing with the engine.
 */

const KANA = String.raw`[\p{Script=Hiragana}\p{Script=Katakana}ー]`;
const HAN = String.raw`\p{Script=Han}`;
const TOKEN = new RegExp(String.raw`(${HAN})|(${KANA}+)|((?:(?!${HAN}|${KANA})[\p{L}\p{N}])+)`, 'gu');
const TOKEN_CODE_POINTS_MAX = 64;

function bigrams(run: string): string[] {
  const points = [...run];
  if (points.length === 1) return [run];
  return points.slice(1).map((point, i) => `${points[i]}${point}`);
}

/** Tokens of `text` in order: NFKD, combining marks dropped, lower case, cut at 64 code points. */
export function analyze(text: string): string[] {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const tokens: string[] = [];
  for (const [, han, kana, word = ''] of folded.matchAll(TOKEN)) {
    if (han !== undefined) tokens.push(han);
    else if (kana !== undefined) tokens.push(...bigrams(kana));
    else tokens.push([...word].slice(0, TOKEN_CODE_POINTS_MAX).join(''));
  }
  return tokens;
}
