import { gzipSync } from 'node:zlib'
import type { PageRoute } from '../runtime/http/server.ts'

/**
 * The API reference at /docs, drawn by Scalar from /api/openapi.json. Everything comes from this server, so it works
 * offline; the policy lets the page reach nothing else.
 */
const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · Entrepot</title>
<style>
.entrepot { display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 10px 24px; border-bottom: 1px solid var(--scalar-border-color); background: var(--scalar-background-1); font: 15px/24px system-ui, sans-serif }
.entrepot a { color: var(--scalar-color-1); text-decoration: none }
.entrepot a:hover { text-decoration: underline }
.entrepot a:focus-visible { outline: 2px solid var(--scalar-color-accent); outline-offset: 2px; border-radius: 4px }
.entrepot .brand { margin-inline-end: 8px; font-weight: 600 }
</style>
</head>
<body>
<nav class="entrepot" aria-label="Documentation"><a class="brand" href="/docs/guides">Entrepot</a><a href="/docs/guides">Guides</a><a href="/docs" aria-current="page">API reference</a><a href="/console">Console</a></nav>
<div id="reference"></div>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

/** Colours of DESIGN.md in the place of Scalar's own, some of which are too faint to read; and room for a finger. */
const look = `
.light-mode {
  --scalar-color-1: #16181d; --scalar-color-2: #5b6271; --scalar-color-3: #5b6271; --scalar-color-accent: #4346d3;
  --scalar-color-green: #136c3a; --scalar-color-red: #b3261e; --scalar-color-yellow: #7d4e00; --scalar-color-blue: #1a5fa8;
  --scalar-color-orange: #9a3c00; --scalar-color-purple: #6a3ab2;
}
.dark-mode {
  --scalar-color-1: #eceef2; --scalar-color-2: #a2a9b8; --scalar-color-3: #a2a9b8; --scalar-color-accent: #9a9cff;
  --scalar-color-green: #6fd79b; --scalar-color-red: #ff9d94; --scalar-color-yellow: #f3c064; --scalar-color-blue: #86bdff;
  --scalar-color-orange: #ffb27a; --scalar-color-purple: #c9a8ff;
}
[class*="group/group-button"] > button { min-width: 24px; min-height: 24px }
`

const start = `Scalar.createApiReference('#reference', ${JSON.stringify({
  url: '/api/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: false,
  customCss: look,
})})
// What Scalar draws without a name, under the same name as others, or to be scrolled by the mouse alone; whenever it draws more.
const mend = () => {
  for (const button of document.querySelectorAll('.scalar-code-copy:not([aria-label])')) button.setAttribute('aria-label', 'Copy')
  for (const card of document.querySelectorAll('.scalar-card[role="region"]')) card.setAttribute('role', 'group')
  for (const list of document.querySelectorAll('.endpoints:not([tabindex])')) list.setAttribute('tabindex', '0')
}
new MutationObserver(mend).observe(document.getElementById('reference'), { childList: true, subtree: true })
`

const policy = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

/** `loadScalar` is asked once, on the first visit: the library is large and most processes never show it. */
export function docsPages(loadScalar: () => Promise<string>): PageRoute[] {
  let scalar: Promise<Buffer> | undefined
  const script = { 'content-type': 'text/javascript; charset=utf-8' }
  return [
    {
      path: '/docs',
      headers: policy,
      handle: async () => ({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }),
    },
    { path: '/docs/start.js', handle: async () => ({ status: 200, headers: script, body: start }) },
    {
      path: '/docs/scalar.js',
      handle: async () => {
        scalar ??= loadScalar().then((text) => gzipSync(text))
        const headers = { ...script, 'content-encoding': 'gzip', 'cache-control': 'public, max-age=86400' }
        return { status: 200, headers, body: await scalar }
      },
    },
  ]
}
