/**
 * What a collection, an alias or a field may be called, for commands that ask no server.
 */
export const DECLARED_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
