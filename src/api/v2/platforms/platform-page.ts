import type { OpenedApp } from '../../../domain/install/platform-side/open-app.ts'
import type { Answer } from '../../../runtime/http/endpoint.ts'
import { element, escaped, page } from '../../arrival/arrival-page.ts'
import { sayOnPage } from '../../arrival/page-sentences.ts'

/** What a merchant sees who has installed or opened the app from the platform's own pages. */
export function platformPage(opened: OpenedApp): Answer {
  const { registration, shop } = opened
  const { frames } = registration.platformSide
  const brand = registration.app
  const app = registration.app?.name ?? sayOnPage('page.your_software')
  if (opened.kind === 'connected') {
    return page(200, {
      ...{ title: sayOnPage('page.connected'), frames, brand },
      content: `${element('p', sayOnPage('page.connected_to', { shop, app }))}${onwards(registration.app, {})}`,
    })
  }
  if (opened.kind === 'unknown') {
    const connect = element('a', sayOnPage('page.connect_it'), leadingTo(opened.authorizationUrl))
    return page(200, {
      ...{ title: sayOnPage('page.not_connected'), frames, brand },
      content: `${element('p', sayOnPage('page.not_let_in', { shop, app }))}<p>${connect}</p>`,
    })
  }
  return page(200, {
    ...{ title: sayOnPage('page.one_more_step'), frames, brand },
    content: `${element('p', sayOnPage('page.enter_code', { shop, app }))}
<p class="code">${escaped(opened.code)}</p>${onwards(registration.app, { claim_code: opened.code })}
${element('p', sayOnPage('page.code_once'), ' class="quiet"')}
${element('p', sayOnPage('page.code_secret'), ' class="quiet"')}`,
  })
}

const leadingTo = (address: string): string =>
  ` class="onwards" target="_blank" rel="noopener" href="${escaped(address)}"`

/** To the first of the addresses that the app has listed for its merchants. */
function onwards(app: OpenedApp['registration']['app'], query: Readonly<Record<string, string>>): string {
  if (!app?.returnUrl) return ''
  const url = new URL(app.returnUrl)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return `<p>${element('a', sayOnPage('page.continue_in', { app: app.name }), leadingTo(url.href))}</p>`
}
