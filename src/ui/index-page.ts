/**
 * The page at / of a server that shows no page at /ui: where its interface is described. It runs no script and loads nothing.
 * Stands in at /docs, too, where the viewer was not built.
 */
const STYLE =
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:60rem;margin:2rem auto;padding:0 1rem}';

/** Returns the page at /. `version` is the server's. */
export function renderIndexPage(version: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sabre</title><style>${STYLE}</style></head>
<body><h1>Sabre <small>${version}</small></h1>
<p>A search server runs here. <a href="/docs">/docs</a> describes its interface to people,
<a href="/openapi.json">/openapi.json</a> to programs; <a href="/health">/health</a> tells how it is.</p>
</body></html>
`;
}
