/**
 * Takes the passwords of addresses out of what is printed: a URL that is refused because it has one would be shown, as every other wrong
 * value is. Used by main.ts for all that it says of its options.
 */

/** `text` with stars in the place of users and passwords of its addresses. */
export const withoutPasswords = (text: string): string => text.replace(/\/\/\S*@/g, '//***@');
