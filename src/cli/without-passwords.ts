/** Takes the passwords of addresses out of what is printed: a URL that is refused because of one is shown, as every other wrong value is. */

/** `text` with stars in the place of users and passwords of its addresses. */
export const withoutPasswords = (text: string): string => text.replace(/\/\/\S*@/g, '//***@');
