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
<title>Entrepot API reference</title>
<style>.guides { display: flex; gap: 16px; padding: 10px 24px; font: 14px/20px system-ui, sans-serif } .guides a { color: #4346d3 }</style>
</head>
<body>
<nav class="guides"><a href="/docs/guides">Guides</a> <a href="/console">Console</a></nav>
<div id="reference"></div>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const start = `Scalar.createApiReference('#reference', {
  url: '/api/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: false,
})
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
