import type { OpenedApp } from '../../../domain/install/platform-side/open-app.ts'
import type { Answer } from '../../../runtime/http/endpoint.ts'
import { escaped, page } from '../../arrival/arrival-page.ts'

/** What a merchant sees who has installed or opened the app from the platform's own pages. */
export function platformPage(opened: OpenedApp): Answer {
  const { registration, shop } = opened
  const { frames } = registration.platformSide
  const where = named(shop)
  const who = named(registration.app?.name ?? 'the software that you use it with')
  if (opened.kind === 'connected') {
    return page(200, {
      ...{ title: 'Connected', frames },
      content: `<p>${where} is connected to ${who}.</p>${onwards(registration.app, {})}`,
    })
  }
  if (opened.kind === 'unknown') {
    return page(200, {
      ...{ title: 'Not connected', frames },
      content: `<p>${where} has not let ${who} in, or nobody has finished the connection in time.</p>
<p><a class="onwards" target="_blank" rel="noopener" href="${escaped(opened.authorizationUrl)}">Connect it</a></p>`,
    })
  }
  return page(200, {
    ...{ title: 'One more step', frames },
    content: `<p>${where} has let ${who} in. To connect it to your account there, sign in and enter this code:</p>
<p class="code">${escaped(opened.code)}</p>${onwards(registration.app, { claim_code: opened.code })}
<p class="quiet">The code works once, for ten minutes; open the app again for a new one. Nothing is read from the shop until then.
If nobody enters a code within an hour, the access is destroyed.</p>
<p class="quiet">Show the code to nobody: whoever has it can connect the shop to an account of their own.</p>`,
  })
}

const named = (text: string): string => `<strong>${escaped(text)}</strong>`

/** To the first of the addresses that the app has listed for its merchants. */
function onwards(app: OpenedApp['registration']['app'], query: Readonly<Record<string, string>>): string {
  if (!app?.returnUrl) return ''
  const url = new URL(app.returnUrl)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return `<p><a class="onwards" target="_blank" rel="noopener" href="${escaped(url.href)}">Continue in ${escaped(app.name)}</a></p>`
}
