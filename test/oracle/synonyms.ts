/**
 * Synonyms and stop words by going through all entries, for every place of a query.
 */
import { analyze } from './analyze.js';
import { compareText } from './collection.js';

export interface OracleSynonym {
  readonly id: string;
  /** null: every word of the entry stands for all others. */
  readonly root: string | null;
  readonly synonyms: readonly string[];
}

/** What may be typed, and what it then also means. */
export interface OracleMatch {
  readonly length: number;
  readonly targets: readonly (readonly string[])[];
}

const WORDS_MAX = 8;

export class OracleRules {
  readonly synonyms = new Map<string, OracleSynonym>();
  stopWords: readonly string[] = [];

  /** What the runs of `tokens` that begin at `i` also mean, shorter ones first; the meanings in byte order. */
  synonymsAt(tokens: readonly string[], i: number): OracleMatch[] {
    const matches: OracleMatch[] = [];
    for (let length = 1; length <= WORDS_MAX && i + length <= tokens.length; length++) {
      const typed = tokens.slice(i, i + length).join(' ');
      const meanings = new Set<string>();
      for (const { root, synonyms } of this.synonyms.values()) {
        const words = synonyms.map((text) => analyze(text).join(' '));
        const sources = root === null ? words : [analyze(root).join(' ')];
        if (sources.includes(typed)) for (const word of words) if (word !== typed) meanings.add(word);
      }
      if (meanings.size === 0) continue;
      const targets = [...meanings].sort(compareText).map((words) => words.split(' '));
      matches.push({ length, targets });
    }
    return matches;
  }

  isStopWord(token: string): boolean {
    return this.stopWords.some((word) => analyze(word)[0] === token);
  }
}
