/**
 * Answers suggestions: completions of the last token of a partial query, then corrections, each with its number of live
 * documents. Owned by a reader thread.
 */
import { EngineError } from '../core/errors.js';
import { SUGGEST_LIMIT_MAX } from '../core/limits.js';
import type { SuggestRequest } from '../core/requests.js';
import type { JsonWriter } from '../documents/json-writer.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import { EditWalk, type Mistyped } from '../terms/edit-walk.js';
import type { OrdRanges } from '../terms/range-merge.js';
import type { OrdRange } from '../terms/term-dictionary.js';
import { Analyzer } from '../text/analyzer.js';
import { lastToken, type QueryToken } from '../text/query-tokens.js';
import { editsAllowed } from './edits-allowed.js';
import { overrideTypos, parseQueryBy } from './parse-search.js';
import type { ReadBudget } from './read-budget.js';
import type { SearchTarget } from './searcher.js';
import { type CountedTerm, TopTerms } from './top-terms.js';

interface Suggestion {
  readonly term: CountedTerm;
  readonly typos: number;
}

/** Looking a term up in a segment takes about as long as passing so many over. */
const STEPS_PER_LOOKUP = 4;

const prefix: OrdRange = { low: 0, high: 0 };

export class Suggester {
  readonly #analyzer = new Analyzer();
  readonly #terms: TopTerms;
  readonly #budget: ReadBudget;

  /** What the last search_time_ms said. */
  elapsedUs = 0;

  constructor(budget: ReadBudget) {
    this.#budget = budget;
    this.#terms = new TopTerms(budget);
  }

  /** Writes the suggestion response to `out` and returns how many there are. Errors: invalid_query. */
  suggest(request: SuggestRequest, target: SearchTarget, out: JsonWriter): number {
    const start = performance.now();
    if (request.limit < 1 || request.limit > SUGGEST_LIMIT_MAX)
      throw new EngineError('invalid_query', `limit: expected 1 to ${SUGGEST_LIMIT_MAX}, got ${request.limit}`);
    const fields = new Set(parseQueryBy(request.queryBy, target.schema).indexes);
    const typos = overrideTypos(request.typoTolerance, target.schema);
    const token = lastToken(request.q, this.#analyzer);
    const suggestions =
      token === null ? [] : this.#find(token, editsAllowed(token, typos), target.segments, fields, request.limit);
    out.raw('{"suggestions":[');
    suggestions.forEach(({ term, typos: edits }, i) => {
      out.raw(i === 0 ? '{"text":' : ',{"text":');
      // Composed again: the index holds decomposed text, which no keyboard types.
      out.string(Buffer.from(term.key, 'latin1').toString('utf8').normalize('NFC'));
      out.raw(',"count":');
      out.integer(term.count);
      out.raw(',"typos":');
      out.integer(edits);
      out.raw('}');
    });
    out.raw('],"search_time_ms":');
    this.elapsedUs = Math.round((performance.now() - start) * 1000);
    out.millis(this.elapsedUs / 1000);
    out.raw('}');
    return suggestions.length;
  }

  #find(
    token: QueryToken,
    edits: 0 | 1 | 2,
    segments: readonly SearchableSegment[],
    fields: ReadonlySet<number>,
    limit: number,
  ): Suggestion[] {
    // The heap still holds what the last query put there, and walks of the dictionary need room.
    for (const { binding } of segments) binding.heap.reset();
    const completions = segments.map((segment) => prefixRanges(segment, token));
    this.#expectTerms(completions, limit);
    const completed = this.#terms.find(segments, completions, fields, limit);
    const suggestions = completed.map((term): Suggestion => ({ term, typos: 0 }));
    if (edits === 0 || suggestions.length >= limit) return suggestions;
    const walk = new EditWalk(token.bytes, edits);
    const found = segments.map((segment): Mistyped => {
      this.#budget.expectTerms(segment.reader.dictionary.termCount);
      return segment.mistyped(walk);
    });
    const ranges = found.map((corrections, s) => correctionRanges(corrections, completions[s]));
    for (const term of this.#terms.find(segments, ranges, fields, limit - suggestions.length))
      suggestions.push({ term, typos: fewestEdits(found[term.segment], term.ord) });
    return suggestions;
  }

  /** Tells what finding the best of `completions`, at most one range a segment, takes: of each segment the most frequent are looked up in all. */
  #expectTerms(completions: readonly OrdRanges[], limit: number): void {
    let terms = 0;
    let lookedUp = 0;
    for (const range of completions) {
      if (range.length === 0) continue;
      const count = range[1] - range[0];
      terms += count;
      lookedUp += Math.min(count, limit);
    }
    this.#budget.expectTerms(terms + lookedUp * completions.length * STEPS_PER_LOOKUP);
  }
}

function prefixRanges(segment: SearchableSegment, { bytes }: QueryToken): OrdRanges {
  const found = segment.reader.dictionary.findPrefix(bytes, 0, bytes.length, prefix);
  return found ? [prefix.low, prefix.high] : [];
}

/** The corrections that are not completions. */
function correctionRanges({ words, prefixes }: Mistyped, completions: OrdRanges): OrdRanges {
  const ranges: number[] = [];
  for (let i = 0; i < prefixes.length; i += 3) ranges.push(prefixes[i], prefixes[i + 1]);
  for (let i = 0; i < words.length; i += 2) {
    const ord = words[i];
    if (completions.length > 0 && ord >= completions[0] && ord < completions[1]) continue;
    ranges.push(ord, ord + 1);
  }
  return ranges;
}

function fewestEdits({ words, prefixes }: Mistyped, ord: number): number {
  let fewest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < words.length; i += 2) if (words[i] === ord) fewest = Math.min(fewest, words[i + 1]);
  for (let i = 0; i < prefixes.length; i += 3)
    if (ord >= prefixes[i] && ord < prefixes[i + 1]) fewest = Math.min(fewest, prefixes[i + 2]);
  return fewest;
}
