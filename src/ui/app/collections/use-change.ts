/**
 * Changes of a collection: one at a time, with what went wrong, and whether the key may change anything at all. That is known
 * once the server has refused it.
 */
import { useState } from 'preact/hooks';
import { type SabreClient, SabreError } from '../../../client/client.js';
import { useSession } from '../session.js';

/** Those whose key may look, not change. */
const lookers = new WeakSet<SabreClient>();

export interface Change {
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly mayChange: boolean;
  /** Does `act`; returns whether it went well. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>;
  /** Forgets what went wrong. */
  readonly forget: () => void;
}

export function useChange(): Change {
  const { client } = useSession();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (act: () => Promise<unknown>): Promise<boolean> => {
    setIsBusy(true);
    setError(null);
    try {
      await act();
      return true;
    } catch (reason) {
      if (reason instanceof SabreError && reason.status === 403) lookers.add(client);
      setError(reason);
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, error, mayChange: !lookers.has(client), run, forget: () => setError(null) };
}
