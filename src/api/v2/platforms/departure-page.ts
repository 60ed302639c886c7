import type { Departure } from '../../../domain/install/departure.ts'
import type { Answer } from '../../../runtime/http/endpoint.ts'
import { escaped, page } from '../../arrival-page.ts'

/** What a merchant sees before the platform asks for consent: the platform knows nothing of apps and accounts of ours. */
export function departurePage(
  { shop, service, app, account }: Departure,
  { state, confirmation }: { state: string; confirmation: string },
): Answer {
  const facts = [
    ['Shop', `${shop} (${service})`],
    ['App', app],
    ['Account', account],
  ].flatMap(([name, value]) => (value ? [`<div><dt>${name}</dt><dd>${escaped(value)}</dd></div>`] : []))
  return page(200, {
    title: 'Connect a shop',
    hasForm: true,
    content: `<dl>${facts.join('')}</dl>
<p>${account ? 'This account' : 'Whoever uses this app'} will see the orders, customers and products of the shop. Go on only if that is you.</p>
<form method="post" action="/api/2.0/platforms/trips/${escaped(state)}"><input type="hidden" name="confirmation" value="${escaped(confirmation)}">
<button type="submit" name="go" value="continue">Continue to ${escaped(service)}</button></form>
<p class="quiet">If you did not begin this yourself, or do not know the account, close this window: nothing has been connected.</p>`,
  })
}
