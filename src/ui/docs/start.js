/**
 * Starts the viewer of /docs (Swagger UI) in a browser: what it shows is /openapi.json of this server, in the colours that the
 * reader wants. A key that is entered stays in the memory of the page.
 */
const dark = matchMedia('(prefers-color-scheme: dark)');
const followColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
followColours();
dark.addEventListener('change', followColours);

/** What stands before a control that has no label of its own, for who hears the page. */
const nameOf = (control) =>
  control.closest('[data-param-name]')?.dataset.paramName ?? (control.closest('.servers') ? 'Server' : 'Value');

/** Parts of the page that the viewer does not name. */
const REGIONS = { '.information-container': 'About', '.scheme-container': 'Server and key', '.models': 'Schemas' };

/** Puts right what the viewer leaves out for screen readers and keyboards. */
function amend() {
  for (const control of document.querySelectorAll('#docs select:not([aria-label]), #docs textarea:not([aria-label])'))
    control.setAttribute('aria-label', control.tagName === 'TEXTAREA' ? 'Request body' : nameOf(control));
  for (const block of document.querySelectorAll('#docs pre:not([tabindex])')) block.setAttribute('tabindex', '0');
  for (const [place, name] of Object.entries(REGIONS))
    for (const region of document.querySelectorAll(`#docs ${place}:not([aria-label])`)) {
      region.setAttribute('role', 'region');
      region.setAttribute('aria-label', name);
    }
}
new MutationObserver(amend).observe(document.getElementById('docs'), { childList: true, subtree: true });

// Links within headings that are buttons would confuse screen readers: hence no deep links.
window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: false,
  validatorUrl: null,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
});
