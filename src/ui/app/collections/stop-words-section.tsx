/**
 * The stop words of a collection: none, those of a language, or a list of one's own. Searches see a change at once.
 */
import { useState } from 'preact/hooks';
import { SabreError, type StopWordsView } from '../../../client/client.js';
import { ErrorNote } from '../parts/error-note.js';
import { STOP_WORD_LANGUAGES } from '../parts/languages.js';
import { useSession } from '../session.js';
import { useChange } from './use-change.js';
import { readWords } from './word-list.js';

/** What is chosen where it is no language. */
const NONE = '';
const OWN = 'own';

interface StopWordsDraft {
  /** a language, OWN or NONE: the server takes one of them */
  readonly choice: string;
  /** of OWN */
  readonly words: string;
}

const draftOf = ({ language, words }: StopWordsView): StopWordsDraft => ({
  choice: language ?? (words === undefined ? NONE : OWN),
  words: (words ?? []).join(', '),
});

const areNone = (reason: unknown): boolean => reason instanceof SabreError && reason.code === 'stop_words_not_found';

/** The section of the collection `name`. */
export function StopWordsSection({ name }: { readonly name: string }) {
  const { client } = useSession();
  const [draft, setDraft] = useState<StopWordsDraft>(draftOf({}));
  const [loadError, setLoadError] = useState<unknown>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  const { isBusy, error, mayChange, run } = useChange();
  const collection = client.collection(name);
  const load = async (): Promise<void> => {
    setIsSaved(false);
    setLoadError(null);
    try {
      // Asked for none, the server answers 404, which is no fault. Browsers log it as one, so it is asked when they are wanted.
      setDraft(draftOf(await collection.stopWords()));
    } catch (reason) {
      if (!areNone(reason)) {
        // Saved, an empty form would delete what nobody has seen.
        setLoadError(reason);
        return;
      }
      setDraft(draftOf({}));
    }
    setIsOpen(true);
  };

  const save = async (): Promise<void> => {
    const { choice, words } = draft;
    const isDone = await run(async () => {
      if (choice !== NONE)
        await collection.setStopWords(choice === OWN ? { words: readWords(words) } : { language: choice });
      else
        await collection.deleteStopWords().catch((reason: unknown) => {
          if (!areNone(reason)) throw reason;
        });
    });
    setIsSaved(isDone);
  };
  const edit = (changed: StopWordsDraft): void => {
    setIsSaved(false);
    setDraft(changed);
  };

  return (
    <section class="part card" aria-labelledby="stop-title">
      <div class="part-head">
        <h3 id="stop-title">Stop words</h3>
        {!isOpen && (
          <button type="button" onClick={() => void load()}>
            Show stop words
          </button>
        )}
      </div>
      <p class="muted">Dropped from a query that has other words, as “the” and “of”.</p>
      <ErrorNote error={error ?? loadError} />
      <form
        class="rule-form"
        hidden={!isOpen}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label class="stacked">
          <span>Which</span>
          <select
            value={draft.choice}
            disabled={!mayChange}
            onChange={(event) => edit({ ...draft, choice: event.currentTarget.value })}
          >
            <option value={NONE}>none</option>
            <option value={OWN}>your own</option>
            {STOP_WORD_LANGUAGES.map((language) => (
              <option key={language} value={language}>
                {language}
              </option>
            ))}
          </select>
        </label>
        {draft.choice === OWN && (
          <label class="stacked wide">
            <span>Words, commas between them</span>
            <textarea
              rows={2}
              required
              disabled={!mayChange}
              value={draft.words}
              onInput={(event) => edit({ ...draft, words: event.currentTarget.value })}
            />
          </label>
        )}
        <div class="actions">
          <span role="status" class="saved">
            {isSaved && 'Saved'}
          </span>
          {mayChange && (
            <button type="submit" class="primary" disabled={isBusy}>
              Save stop words
            </button>
          )}
        </div>
      </form>
    </section>
  );
}
