import { say } from '../../commerce/words/say.ts'
import type { Brand } from '../../domain/apps/brand.ts'
import { because, Fault, notFound } from '../../lib/fault.ts'
import { colourPattern, textOn } from '../../lib/validation/colour.ts'
import { reasonOrNull, textOf, type Wording } from '../../lib/words/wording.ts'
import type { Answer } from '../../runtime/http/endpoint.ts'
import type { PageRoute } from '../../runtime/http/page.ts'
import { arrivalScript } from './arrival-script.ts'
import { sayOnPage } from './page-sentences.ts'

/**
 * What a merchant sees after the way to the platform and back, in the window that the embedded component has opened. The
 * page reports the outcome to that component, and closes itself; whoever sees it can read the same.
 */
export interface Arrival {
  connected: boolean
  integrationId: number | null
  message: string | Wording
  brand?: Brand | null
}

const headersFor = (frames: readonly string[] = [], hasForm = false) => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; ${hasForm ? '' : "form-action 'none'; "}frame-ancestors ${frames.join(' ') || "'none'"}`,
})

export const wantsPage = (accept: string | undefined): boolean => (accept ?? '').includes('text/html')

export const arrivalPage = (status: number, arrival: Arrival, frames?: readonly string[]): Answer =>
  page(status, {
    ...{ frames, brand: arrival.brand },
    title: sayOnPage(arrival.connected ? 'page.connected' : 'page.not_connected'),
    facts: {
      connected: String(arrival.connected),
      integration: String(arrival.integrationId ?? ''),
    },
    content: `${element('p', arrival.message, ' id="message"')}${element('p', sayOnPage(arrival.connected ? 'page.close' : 'page.go_back'))}`,
  })

/**
 * `content` is markup; whatever is in it has been escaped. `frames` says who may show it in a page of theirs. Where a form
 * leads is not restricted: browsers hold every redirect after it against such a rule, and platforms send people on to
 * sign-in pages that nobody can list.
 */
export function page(
  status: number,
  {
    title,
    content,
    facts = {},
    frames,
    hasForm,
    brand,
  }: {
    title: string | Wording
    content: string
    facts?: Record<string, string>
    frames?: readonly string[] | undefined
    hasForm?: boolean
    /** Whose software it is about; our own name where nobody knows. */
    brand?: Brand | null | undefined
  },
): Answer {
  const data = Object.entries(facts).map(([name, value]) => ` data-${name}="${escaped(value)}"`)
  return {
    status,
    headers: headersFor(frames, hasForm),
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(textOf(title))}</title>
<link rel="stylesheet" href="/arrival.css">${brand?.accent ? `\n<link rel="stylesheet" href="/arrival/${escaped(brand.accent.slice(1))}">` : ''}
<script src="/arrival.js" defer></script>
</head>
<body${data.join('')}>
<main>${brandLine(brand ?? null)}${element('h1', title)}${content}</main>
</body>
</html>
`,
  }
}

function brandLine(brand: Brand | null): string {
  if (!brand) return '<p class="brand">Entrepot</p>'
  const logo = brand.logo === null ? '' : `<img src="/logos/${escaped(brand.logo)}" alt="">`
  return `<p class="brand">${logo}${escaped(brand.name)}</p>`
}

/** The reason in words; what is a mistake of ours is left to those who handle these. */
export function failedArrival(error: unknown, frames?: readonly string[]): Answer {
  if (!(error instanceof Fault)) throw error
  const [first] = Object.values(error.wordings ?? {}).flat()
  const why = first ?? (error.kind === 'unauthenticated' ? say('not_your_trip') : because(error))
  return arrivalPage(statuses[error.kind] ?? 422, { connected: false, integrationId: null, message: why }, frames)
}

const statuses: Readonly<Partial<Record<Fault['kind'], number>>> = {
  unauthenticated: 401,
  too_many: 429,
  upstream_retryable: 503,
}

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** Text in an element. What it follows from stands with it, by which the script says it in another language. */
export function element(tag: string, said: string | Wording, attributes = ''): string {
  const reason = reasonOrNull(said)
  const says = reason ? ` data-says="${escaped(JSON.stringify(reason))}"` : ''
  return `<${tag}${says}${attributes}>${escaped(textOf(said))}</${tag}>`
}

const style = `:root { color-scheme: light dark; background: light-dark(#f6f7f9, #0c0d0f); color: light-dark(#16181d, #eceef2);
  font: 14px/22px system-ui, sans-serif; }
main { max-width: 420px; margin: 18vh auto 0; padding: 0 24px; text-align: center; }
h1 { font-size: 20px; line-height: 28px; margin: 0 0 8px; }
p { margin: 0 0 12px; overflow-wrap: anywhere; }
p.brand { font-weight: 600; color: light-dark(#5b6271, #a2a9b8); }
p.brand img { display: block; max-width: 160px; max-height: 48px; margin: 0 auto 8px; }
.code { font: 600 26px/40px ui-monospace, monospace; letter-spacing: 1px; margin: 16px 0; padding: 12px; border-radius: 8px;
  background: light-dark(#ffffff, #16181d); border: 1px solid light-dark(#d9dce3, #2d3139); user-select: all; }
.onwards, button { display: inline-block; margin: 4px 0 16px; padding: 8px 16px; border: 0; border-radius: 6px; font: inherit;
  text-decoration: none; background: var(--accent, light-dark(#16181d, #eceef2)); color: var(--on-accent, light-dark(#ffffff, #0c0d0f)); cursor: pointer; }
dl { margin: 16px 0; padding: 4px 16px; border-radius: 8px; text-align: start; background: light-dark(#ffffff, #16181d);
  border: 1px solid light-dark(#d9dce3, #2d3139); }
dl div { display: flex; gap: 16px; padding: 8px 0; }
dl div + div { border-top: 1px solid light-dark(#d9dce3, #2d3139); }
dt { flex: 0 0 64px; color: light-dark(#555b66, #a3a9b5); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; font-weight: 600; }
.onwards:focus-visible, button:focus-visible { outline: 2px solid light-dark(#3157d5, #8ea8ff); outline-offset: 2px; }
.quiet { color: light-dark(#555b66, #a3a9b5); }
`

const css = { 'content-type': 'text/css; charset=utf-8' }
const isColour = new RegExp(colourPattern)

export const arrivalFiles: PageRoute[] = [
  {
    path: '/arrival.js',
    handle: async () => ({
      status: 200,
      headers: { 'content-type': 'text/javascript; charset=utf-8' },
      body: arrivalScript,
    }),
  },
  {
    path: '/arrival.css',
    handle: async () => ({ status: 200, headers: css, body: style }),
  },
  {
    // A page of these may hold no style itself.
    path: '/arrival/{accent}',
    handle: async ({ params }) => {
      const accent = `#${params['accent']}`
      if (!isColour.test(accent)) throw notFound()
      return {
        status: 200,
        headers: css,
        body: `:root, :host { --accent: ${accent}; --on-accent: ${textOn(accent)}; }\n`,
      }
    },
  },
]
