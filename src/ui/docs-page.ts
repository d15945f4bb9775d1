/**
 * The page a person opens at /docs: the OpenAPI description as plain HTML, made once at start-up; and the one at / that
 * leads to it.
 *
 * Needs nothing from elsewhere: no script, no font, no image.
 */
import type { Operation } from '../api/openapi/operation.js';
import { OPERATIONS } from '../api/openapi/operations.js';
import { isObject, type JsonObject, type JsonValue, SCHEMAS } from '../api/openapi/schemas.js';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

const STYLE = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{margin-top:2.5rem;font-size:1.1rem;border-top:1px solid #8886;padding-top:1rem}
code,pre{font:0.9em/1.45 ui-monospace,monospace}
pre{background:#8882;padding:.75rem;overflow:auto;border-radius:.4rem}
table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8884}
.key{font-size:.8rem;font-weight:normal;opacity:.75}
`;

const ACCESS_WORDS = { public: 'no key', search: 'admin or search key', admin: 'admin key' };

/** Returns a short name for `schema`: its type, its enum or the schema it refers to, as HTML. */
function nameSchema(schema: JsonValue | undefined): string {
  if (!isObject(schema)) return '';
  const { $ref: reference, type, oneOf, enum: values } = schema;
  if (typeof reference === 'string') {
    const name = escapeHtml(reference.replace(/^.*\//, ''));
    return `<a href="#${name}">${name}</a>`;
  }
  if (Array.isArray(oneOf)) return oneOf.map(nameSchema).join(' or ');
  if (Array.isArray(values)) return values.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' or ');
  if (type === 'array') return `array of ${nameSchema(schema['items'])}`;
  return escapeHtml(Array.isArray(type) ? type.join(' or ') : String(type ?? 'any'));
}

function row(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

function bounds(schema: JsonObject): string {
  const parts: string[] = [];
  if (schema['default'] !== undefined) parts.push(`default ${JSON.stringify(schema['default'])}`);
  if (schema['minimum'] !== undefined) parts.push(`from ${schema['minimum']}`);
  if (schema['maximum'] !== undefined) parts.push(`to ${schema['maximum']}`);
  return escapeHtml(parts.join(', '));
}

function renderParameters(parameters: readonly JsonObject[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map((parameter) => {
    const schema = isObject(parameter['schema']) ? parameter['schema'] : {};
    const name = `<code>${escapeHtml(String(parameter['name']))}</code>`;
    return row([name, nameSchema(schema), bounds(schema), escapeHtml(String(parameter['description'] ?? ''))]);
  });
  return `<table>${rows.join('')}</table>`;
}

function renderContent(title: string, content: JsonObject | undefined): string {
  if (content === undefined) return '';
  const forms = Object.entries(content).map(([media, body]) => {
    return `<code>${escapeHtml(media)}</code> ${nameSchema(isObject(body) ? body['schema'] : undefined)}`;
  });
  return `<p>${title}: ${forms.join(' · ')}</p>`;
}

function renderOperation(operation: Operation): string {
  const heading = `<code>${operation.method.toUpperCase()} ${escapeHtml(operation.path)}</code>`;
  const errors = operation.errors.map((code) => `<code>${escapeHtml(code)}</code>`).join(' ');
  return [
    `<h2 id="${operation.id}">${heading} <span class="key">${ACCESS_WORDS[operation.access]}</span></h2>`,
    `<p>${escapeHtml(operation.summary)}.</p>`,
    renderParameters(operation.parameters),
    renderContent('Request', operation.request),
    renderContent(`Answer ${operation.status}`, operation.response),
    operation.response === undefined ? `<p>Answer ${operation.status}, without a body</p>` : '',
    errors === '' ? '' : `<p>Errors: ${errors}</p>`,
  ].join('\n');
}

function renderSchema(name: string, schema: JsonObject): string {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const rows = Object.entries(properties).map(([key, value]) => {
    const property = isObject(value) ? value : {};
    const description = escapeHtml(String(property['description'] ?? ''));
    return row([`<code>${escapeHtml(key)}</code>`, nameSchema(property), bounds(property), description]);
  });
  return `<h2 id="${name}">${escapeHtml(name)}</h2>\n<table>${rows.join('')}</table>`;
}

/** Returns the page at /. `version` is the server's. */
export function renderIndexPage(version: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sabre</title><style>${STYLE}</style></head>
<body><h1>Sabre <small>${escapeHtml(version)}</small></h1>
<p>A search server runs here. <a href="/docs">/docs</a> describes its interface to people,
<a href="/openapi.json">/openapi.json</a> to programs; <a href="/health">/health</a> tells how it is.</p>
</body></html>
`;
}

/** Returns the page at /docs. `version` is the server's. */
export function renderDocsPage(version: string): string {
  const schemas = Object.entries(SCHEMAS).map(([name, schema]) => renderSchema(name, isObject(schema) ? schema : {}));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sabre API</title><style>${STYLE}</style></head>
<body><h1>Sabre API <small>${escapeHtml(version)}</small></h1>
<p>Machine-readable: <a href="/openapi.json">/openapi.json</a>. Keys go in the header <code>x-service-api-key</code>, or
<code>Authorization: Bearer</code>.
Every error is <code>{"error":{"code":"...","message":"..."}}</code>.</p>
${OPERATIONS.map(renderOperation).join('\n')}
<h1>Bodies</h1>
${schemas.join('\n')}
</body></html>
`;
}
