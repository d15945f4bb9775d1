/**
 * Text analysis by regular expressions: what a token is, said as plainly as possible.
 *
 * The oracle's own; shares nothing with the engine.
 */

const KANA = String.raw`[\p{Script=Hiragana}\p{Script=Katakana}ー]`;
const HAN = String.raw`\p{Script=Han}`;
const TOKEN = new RegExp(String.raw`(${HAN})|(${KANA}+)|((?:(?!${HAN}|${KANA})[\p{L}\p{N}])+)`, 'gu');
const TOKEN_CODE_POINTS_MAX = 64;

/** A token, and where it stands in a text. */
export interface PlacedToken {
  readonly token: string;
  readonly from: number;
  readonly to: number;
}

/** NFKD, combining marks dropped, lower case. */
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

function bigrams(run: string, from: number): PlacedToken[] {
  const points = [...run];
  const place = (i: number): number => from + points.slice(0, i).join('').length;
  if (points.length === 1) return [{ token: run, from, to: from + run.length }];
  return points.slice(1).map((point, i) => ({ token: `${points[i]}${point}`, from: place(i), to: place(i + 2) }));
}

function cutFolded(folded: string): PlacedToken[] {
  return [...folded.matchAll(TOKEN)].flatMap(({ 0: run, 1: han, 2: kana, index }) => {
    if (kana !== undefined) return bigrams(kana, index);
    const token = han ?? [...run].slice(0, TOKEN_CODE_POINTS_MAX).join('');
    return [{ token, from: index, to: index + run.length }];
  });
}

/** Tokens of `text` in order, words cut at 64 code points. */
export function analyze(text: string): string[] {
  return cutFolded(fold(text)).map(({ token }) => token);
}

/** The same with the places of the characters that they come from, combining marks behind them included. */
export function analyzePlaces(text: string): PlacedToken[] {
  let folded = '';
  /** By character of `folded`: where its source begins and ends. */
  const sources: { from: number; to: number }[] = [];
  let from = 0;
  for (const point of text) {
    const to = from + point.length;
    const part = fold(point);
    const last = sources.at(-1);
    if (part === '' && last !== undefined) last.to = to;
    const source = { from, to };
    for (let i = 0; i < part.length; i++) sources.push(source);
    folded += part;
    from = to;
  }
  return cutFolded(folded).map((token) => ({
    token: token.token,
    from: sources[token.from]?.from ?? 0,
    to: sources[token.to - 1]?.to ?? 0,
  }));
}
