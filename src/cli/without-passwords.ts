/**
 * Takes the passwords of addresses out of what is printed: a URL that is refused because it has one would be shown, as every other wrong
 * value is, and so would one where nobody answers. Used by main.ts for all that it says of its options, and for the failures of commands.
 */

/** `text` with stars in the place of users and passwords of its addresses. */
export const withoutPasswords = (text: string): string => text.replace(/\/\/\S*@/g, '//***@');
