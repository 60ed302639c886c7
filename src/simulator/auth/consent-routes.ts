import { hash } from 'node:crypto'
import { type Answer, answer, type Call, type RouteRow } from '../http/route.ts'
import { type Fields, textOf } from '../json.ts'

/**
 * The page on which a merchant lets an app in, or does not: plain HTML, so that it works under the strictest policy and
 * without scripts. The question travels in hidden fields to the same path, by POST.
 */
export function consentPage(question: {
  shop: string
  app: string
  /** What the app wants to do, in words. */
  wishes: readonly string[]
  fields: Iterable<readonly [string, string]>
}): Answer {
  const { shop, app, wishes, fields } = question
  const hidden = [...fields].map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  )
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Connect ${escaped(app)} to ${escaped(shop)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Connect ${escaped(app)}?</h1>
<p><strong>${escaped(app)}</strong> asks to be let into <strong>${escaped(shop)}</strong> and wants to:</p>
<ul>
${wishes.map((wish) => `<li>${escaped(wish)}</li>`).join('\n')}
</ul>
<form method="post" action="?">
${hidden.join('\n')}
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
</form>
<p><small>A simulated shop: nothing here is real.</small></p>
</main>
</body>
</html>
`
  return answer(200, page, pageHeaders)
}

/** What people see when the question makes no sense. */
export const noPage = (status: number, sentence: string): Answer =>
  answer(
    status,
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Not possible</title></head><body><main><h1>Not possible</h1><p>${escaped(sentence)}</p></main></body></html>\n`,
    pageHeaders,
  )

/** Null for anything but the two buttons. */
export function decisionIn(fields: Readonly<Record<string, unknown>>): 'allow' | 'deny' | null {
  const { decision } = fields
  return decision === 'allow' || decision === 'deny' ? decision : null
}

const style =
  'body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f4f5f7;color:#1c2024}main{max-width:30rem;margin:10vh auto;padding:2rem;background:#fff;border-radius:.75rem}button{font:inherit;padding:.6rem 1.4rem;margin-right:.5rem;border:1px solid #1c2024;border-radius:.5rem;background:#fff;color:#1c2024}button[value=allow]{background:#1c2024;color:#fff}'

// No form-action: browsers hold it against the redirects that follow a form as well, and those lead back to the app.
const pageHeaders = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const names: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&${names[sign]};`)

type Outcome = Readonly<Record<string, string>>

export interface ConsentFacts {
  path: string
  shop: string | ((call: Call) => string)
  /** Whether the question is one that the app may ask. */
  isKnown(fields: Fields): boolean
  /** What the app wants to do: its scopes, unless the platform has its own words. */
  wishes?(fields: Fields): readonly string[]
  /** What the platform calls the address that the browser returns to. */
  redirectName?: string
  /** Where an app waits that names its address instead of telling it. */
  addressOf?(named: string): string
  /** What goes back to the app, beside its state, when it is let in. */
  allowed(fields: Fields, redirect: string): Outcome
  /** Whatever was decided: with what the platform adds to it, such as a signature. */
  sealed?(outcome: Outcome, call: Call): Outcome
}

const denial = { error: 'access_denied', error_description: 'The merchant did not let the app in.' }

/** The page on which an app is let in (OAuth 2), and what its buttons do: back to the app, with a code or without. */
export function consentRoutes(facts: ConsentFacts): readonly RouteRow[] {
  const { path, shop, isKnown, allowed, addressOf = (named) => named, sealed = (made) => made } = facts
  const { redirectName = 'redirect_uri' } = facts
  const { wishes = ({ scope }) => (textOf(scope) ?? '').split(/[\s,]+/) } = facts
  const redirectIn = (fields: Fields): URL | string => {
    const redirect = URL.parse(addressOf(textOf(fields[redirectName]) ?? ''))
    const usable = redirect !== null && /^https?:$/.test(redirect.protocol)
    if (!isKnown(fields)) return 'This app is not known here, or asks in a way that is not allowed.'
    return usable ? redirect : 'The app does not say where you are to return to.'
  }
  return [
    [
      ...(['GET', path, 'oauth.authorize'] as const),
      (call) => {
        const fields = Object.fromEntries(call.query)
        const redirect = redirectIn(fields)
        if (typeof redirect === 'string') return noPage(400, redirect)
        const question = { app: `The app at ${redirect.host}`, wishes: wishes(fields), fields: call.query }
        return consentPage({ shop: typeof shop === 'string' ? shop : shop(call), ...question })
      },
      { open: true, sheltered: true },
    ],
    [
      ...(['POST', path, 'oauth.decide'] as const),
      (call) => {
        const fields = call.fields()
        const redirect = redirectIn(fields)
        const decision = decisionIn(fields)
        if (typeof redirect === 'string') return noPage(400, redirect)
        if (decision === null) return noPage(400, 'Nothing was decided.')
        const outcome = decision === 'allow' ? allowed(fields, textOf(fields[redirectName]) ?? '') : denial
        const state = textOf(fields['state'])
        const back = sealed({ ...outcome, ...(state === null ? {} : { state }) }, call)
        for (const [name, value] of Object.entries(back)) redirect.searchParams.set(name, value)
        return answer(302, undefined, { location: redirect.href })
      },
      { open: true, sheltered: true },
    ],
  ]
}
