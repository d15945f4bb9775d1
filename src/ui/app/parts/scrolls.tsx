/**
 * A frame for a table that is wider than the window: it scrolls within itself, and the keyboard reaches it. The view imports
 * tables.css.
 */
import type { ComponentChildren } from 'preact';

/** Frames `children`; screen readers call it `label`. */
export function Scrolls({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="scrolls" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
