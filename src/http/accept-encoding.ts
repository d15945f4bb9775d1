/**
 * Which content coding a client prefers (RFC 9110, section 12.5.3). Never refuses a request: what is not understood is not asked for.
 */

export type Encoding = 'br' | 'gzip';

const CODING = /^([!#$%&'*+\-.^_`|~\w]+)(?:[ \t]*;[ \t]*[qQ]=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/** The weight of each coding that `acceptEncoding` names. Of one that is named twice the first counts; what is malformed does not. */
function weightsOf(acceptEncoding: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.split(',')) {
    const [, name, weight = '1'] = CODING.exec(part.trim()) ?? [];
    if (name === undefined) continue;
    const coding = name.toLowerCase() === 'x-gzip' ? 'gzip' : name.toLowerCase();
    if (!weights.has(coding)) weights.set(coding, Number(weight));
  }
  return weights;
}

/**
 * Returns the one of `offered` that `acceptEncoding` ('' when absent) prefers, of two equals the first; null: none is wanted, or plain is
 * wanted more.
 */
export function encodingOf(acceptEncoding: string, offered: readonly Encoding[]): Encoding | null {
  if (acceptEncoding === '') return null;
  const weights = weightsOf(acceptEncoding);
  const others = weights.get('*') ?? 0;
  let best: Encoding | null = null;
  let bestWeight = weights.get('identity') ?? 0;
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? others;
    if (weight === 0 || weight < bestWeight || (best !== null && weight === bestWeight)) continue;
    best = encoding;
    bestWeight = weight;
  }
  return best;
}
