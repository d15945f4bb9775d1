/**
 * What a schema may declare, for what asks no server: the forms of names, the types, and how many fields.
 */

export type FieldType = 'text' | 'keyword' | 'int' | 'float' | 'bool' | 'date';

/** What a collection, an alias or a field may be called: "id" is reserved. */
export const DECLARED_NAME = /^(?!id$)[A-Za-z][A-Za-z0-9_-]{0,63}$/;
export const FIELDS_MAX = 255;
