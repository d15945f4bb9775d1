/**
 * The methods that metrics and spans name. Any text may stand where the method does in a request, so others are one.
 */

export const KNOWN_METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
