/**
 * Words as a person types them into one field, commas or lines between them.
 */

/** The words of `text`, each once. */
export const readWords = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  ),
];
