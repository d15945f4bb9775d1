/**
 * Asks again and again, while the view is open and the tab is seen.
 */
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Polled<Value> {
  /** The last answer, null before the first. */
  readonly value: Value | null;
  /** Of the last question, null where it was answered. */
  readonly error: unknown;
}

/** Asks `ask` every `everyMs`, and at once when `subject` is another one, or the tab is seen again. */
export function usePoll<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  subject: readonly unknown[],
  everyMs: number,
): Polled<Value> {
  const [polled, setPolled] = useState<Polled<Value>>({ value: null, error: null });
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const stop = new AbortController();
    let timer = 0;
    const tick = async (): Promise<void> => {
      clearTimeout(timer);
      if (document.hidden) return; // Comes again with the tab.
      try {
        const value = await latest.current(stop.signal);
        if (!stop.signal.aborted) setPolled({ value, error: null });
      } catch (error) {
        if (!stop.signal.aborted) setPolled(({ value }) => ({ value, error }));
      }
      if (!stop.signal.aborted) timer = window.setTimeout(tick, everyMs);
    };
    const onVisible = (): void => {
      if (!document.hidden) void tick();
    };
    document.addEventListener('visibilitychange', onVisible);
    void tick();
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [...subject, everyMs]);
  return polled;
}
