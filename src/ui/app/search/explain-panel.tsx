/**
 * Why a document is a hit, and why at this place: in words, with the server's own explanation behind them. Opened from a hit.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Document, SearchOf } from '../../../client/client.js';
import { ErrorNote } from '../parts/error-note.js';
import { useSession } from '../session.js';
import { describeParts, describeQuery, describeRank, describeScore, type ExplainAnswer } from './explain-words.js';

function Parts({ answer }: { readonly answer: ExplainAnswer }) {
  return (
    <ul class="explain-parts">
      {describeParts(answer).map(({ text, score, share, places, rarity }) => (
        <li key={text}>
          <div class="explain-word">
            <strong>{text}</strong>
            <span class="bar" aria-hidden="true">
              <span style={{ width: `${(share * 100).toFixed(1)}%` }} />
            </span>
            <span class="number">{score.toPrecision(3)}</span>
          </div>
          {places.map((place) => (
            <p key={place}>{place}</p>
          ))}
          {rarity !== '' && <p class="muted">{rarity}; the rarer a word, the more it counts</p>}
        </li>
      ))}
    </ul>
  );
}

function Explanation({ answer }: { readonly answer: ExplainAnswer }) {
  const steps = describeScore(answer);
  return (
    <>
      <p>{describeRank(answer)}</p>
      {steps.length === 0 && <p>The query has no words to compare it with, so relevance has no say in its place.</p>}
      {steps.length > 0 && (
        <dl class="score">
          {steps.map(({ value, words }) => (
            <div key={words}>
              <dt class="number">{value}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      )}
      <Parts answer={answer} />
      {describeQuery(answer).map((note) => (
        <p key={note} class="muted">
          {note}
        </p>
      ))}
    </>
  );
}

interface ExplainPanelProps {
  /** It names the document to explain. */
  readonly search: SearchOf;
  readonly document: Document;
}

/** Asks the server why `document` is a hit, and says it. */
export function ExplainPanel({ search, document }: ExplainPanelProps) {
  const { client } = useSession();
  const [answer, setAnswer] = useState<ExplainAnswer | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const aborter = new AbortController();
    const { collection, ...params } = search;
    client
      .collection(collection)
      .search(params, { signal: aborter.signal })
      .then(
        (found) => {
          setAnswer(found as ExplainAnswer);
          setError(null);
        },
        (reason: unknown) => {
          if (!aborter.signal.aborted) setError(reason);
        },
      );
    return () => aborter.abort();
    // The search is made anew each time; what it asks says whether it is another one.
  }, [client, JSON.stringify(search)]);
  return (
    <section class="explain" aria-label={`Why document ${String(document['id'])} is found`}>
      <ErrorNote error={error} />
      {answer !== null && <Explanation answer={answer} />}
      <details>
        <summary>The whole document</summary>
        <pre>{JSON.stringify(document, null, 2)}</pre>
      </details>
      {answer !== null && (
        <details>
          <summary>In numbers</summary>
          <pre>{JSON.stringify(answer.explain, null, 2)}</pre>
        </details>
      )}
    </section>
  );
}
