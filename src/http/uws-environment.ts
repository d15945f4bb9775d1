/**
 * Sets the environment of uWebSockets.js. Imported, for its effect alone, before anything that loads that addon.
 *
 * The addon reads the variable once, while it is being loaded, so this must stay a module of its own: the body of a
 * module runs only after everything it imports.
 */

/** Largest request head (request line and headers) that is parsed; a larger one is answered with 431. */
export const REQUEST_HEAD_BYTES_MAX = 65536;

process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(REQUEST_HEAD_BYTES_MAX);
