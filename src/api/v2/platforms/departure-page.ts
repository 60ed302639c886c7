import type { Departure } from '../../../domain/install/departure.ts'
import type { Answer } from '../../../runtime/http/endpoint.ts'
import { element, escaped, page } from '../../arrival/arrival-page.ts'
import { sayOnPage } from '../../arrival/page-sentences.ts'

/** What a merchant sees before the platform asks for consent: the platform knows nothing of apps and accounts of ours. */
export function departurePage(
  { shop, service, app, account, brand }: Departure,
  { state, confirmation }: { state: string; confirmation: string },
): Answer {
  const facts = [
    [sayOnPage('page.shop'), `${shop} (${service})`],
    [sayOnPage('page.app'), app],
    [sayOnPage('page.account'), account],
  ] as const
  const shown = facts.flatMap(([name, value]) =>
    value ? [`<div>${element('dt', name)}${element('dd', value)}</div>`] : [],
  )
  return page(200, {
    title: sayOnPage('page.connect'),
    brand,
    hasForm: true,
    content: `<dl>${shown.join('')}</dl>
${element('p', sayOnPage(account ? 'page.account_sees' : 'page.app_sees'))}
<form method="post" action="/api/2.0/platforms/trips/${escaped(state)}"><input type="hidden" name="confirmation" value="${escaped(confirmation)}">
<button type="submit" name="go" value="continue">${element('span', sayOnPage('page.continue', { service }))}</button></form>
${element('p', sayOnPage('page.not_begun'), ' class="quiet"')}`,
  })
}
