import { hash } from 'node:crypto'
import { type Answer, answer } from '../http/route.ts'

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
