import { Fault } from '../../../lib/fault.ts'
import type { Answer } from '../../../runtime/http/endpoint.ts'
import type { PageRoute } from '../../../runtime/http/page.ts'

/**
 * What a merchant sees after the way to the platform and back, in the window that the embedded component has opened. The
 * page reports the outcome to that component, and closes itself; whoever sees it can read the same.
 */
export interface Arrival {
  connected: boolean
  integrationId: number | null
  message: string
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

export const wantsPage = (accept: string | undefined): boolean => (accept ?? '').includes('text/html')

export function arrivalPage(status: number, arrival: Arrival): Answer {
  const title = arrival.connected ? 'Connected' : 'Not connected'
  return {
    status,
    headers,
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/arrival.css">
<script src="/arrival.js" defer></script>
</head>
<body data-connected="${arrival.connected}" data-integration="${arrival.integrationId ?? ''}">
<main><h1>${title}</h1><p id="message">${escaped(arrival.message)}</p><p>You can close this window.</p></main>
</body>
</html>
`,
  }
}

/** The reason in words; what is a mistake of ours is left to those who handle these. */
export function failedArrival(error: unknown): Answer {
  if (!(error instanceof Fault)) throw error
  const [first] = Object.values(error.errors ?? {}).flat()
  const message =
    first ?? (error.kind === 'unauthenticated' ? 'This link has already been used or has expired.' : error.message)
  return arrivalPage(statuses[error.kind] ?? 422, { connected: false, integrationId: null, message })
}

const statuses: Readonly<Partial<Record<Fault['kind'], number>>> = { unauthenticated: 401, upstream_retryable: 503 }

const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** Nothing in the message is secret; who listens checks that it comes from us, and from the window it has opened. */
const script = `const { connected, integration } = document.body.dataset
const message = document.getElementById('message').textContent
if (window.opener) {
  window.opener.postMessage({
    source: 'entrepot',
    connected: connected === 'true',
    integration_id: integration ? Number(integration) : null,
    message,
  }, '*')
  if (connected === 'true') window.close()
}
`

const style = `:root { color-scheme: light dark; background: light-dark(#f6f7f9, #0c0d0f); color: light-dark(#16181d, #eceef2);
  font: 14px/22px system-ui, sans-serif; }
main { max-width: 420px; margin: 18vh auto 0; padding: 0 24px; text-align: center; }
h1 { font-size: 20px; line-height: 28px; margin: 0 0 8px; }
`

export const arrivalFiles: PageRoute[] = [
  {
    path: '/arrival.js',
    handle: async () => ({ status: 200, headers: { 'content-type': 'text/javascript; charset=utf-8' }, body: script }),
  },
  {
    path: '/arrival.css',
    handle: async () => ({ status: 200, headers: { 'content-type': 'text/css; charset=utf-8' }, body: style }),
  },
]
