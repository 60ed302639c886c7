import { money } from '../money.ts'
import { inWords } from '../order-state.ts'
import { navigate } from '../router.ts'
import { type Found, foundBy } from '../search.ts'
import type { Entry } from './palette.ts'

/** What the palette offers of what the app holds. */

const verbs = { ship: 'Ship', refund: 'Refund', cancel: 'Cancel' } as const
type Verb = keyof typeof verbs

/** “ship 1001”: what is to be done, and to what. */
export function soughtIn(text: string): { verb: Verb | null; sought: string } {
  const [, verb = '', sought = ''] = /^(ship|refund|cancel)\s+(?:order\s+)?(\S.*)$/i.exec(text) ?? []
  const known = verb.toLowerCase()
  return known in verbs ? { verb: known as Verb, sought } : { verb: null, sought: text }
}

interface Answered {
  app: string
  found: Found
  /** What `found` is the answer to, and what stands there now. */
  asked: string
  text: string
}

export const entriesOf = (answered: Answered): Entry[] =>
  foundEntries(answered).map((entry) => ({ ...entry, foundFor: answered.asked }))

function foundEntries(answered: Answered): Entry[] {
  const { app, found, asked, text } = answered
  const { verb, sought } = soughtIn(text)
  // What is called exactly so comes before what only holds it.
  const orders = [...found.orders].sort((a, b) => Number(b.number === sought) - Number(a.number === sought))
  // Nobody ships the order that the text before meant.
  if (verb !== null && asked !== text) return []
  if (verb !== null) return [...orders.map((order) => orderEntry(app, order, verb)), ...whyNot(answered)]
  const go = (path: string) => () => navigate(`/apps/${app}${path}`)
  return [
    ...orders.map((order) => orderEntry(app, order, null)),
    ...found.products.map(
      (product): Entry => ({
        kind: 'Products',
        icon: 'box',
        text: product.name,
        more: `${product.sku} · ${product.integration.name}`,
        go: go(`/products?sku=${encodeURIComponent(product.sku)}&integration=${product.integration.id}`),
      }),
    ),
    ...found.shops.map(
      (shop): Entry => ({
        kind: 'Shops',
        icon: 'plug',
        text: shop.name,
        more: shop.shop,
        go: go(`/integrations/${shop.id}`),
      }),
    ),
    ...found.merchants.map(
      (merchant): Entry => ({
        kind: 'Merchants',
        icon: 'users',
        text: merchant.name ?? merchant.remote_id,
        more: merchant.remote_id,
        go: go(`/connect?account=${merchant.id}`),
      }),
    ),
    ...found.runs.map(
      (run): Entry => ({
        kind: 'Runs',
        icon: 'refresh',
        text: `Run ${run.id}`,
        more: `${run.resource.replaceAll('_', ' ')} · ${inWords(run.status)} · ${run.integration.name}`,
        go: go(`/integrations/${run.integration.id}/runs/${run.id}`),
      }),
    ),
    ...whyNot(answered),
  ]
}

function orderEntry(app: string, order: Found['orders'][number], verb: Verb | null): Entry {
  const name = `order ${order.number ?? order.remote_id}`
  const path = `/apps/${app}/integrations/${order.integration.id}/orders/${order.id}`
  const facts = [order.integration.name, inWords(order.status), money(order.total, order.currency), foundBy(order)]
  return {
    kind: 'Orders',
    icon: verb === 'ship' ? 'parcel' : 'cart',
    text: verb === null ? `Order ${order.number ?? order.remote_id}` : `${verbs[verb]} ${name}`,
    more: facts.join(' · '),
    go: () => navigate(verb === null ? path : `${path}?do=${verb}`),
  }
}

/** An order that nobody has deserves an answer too. */
function whyNot({ app, found, asked, text }: Answered): Entry[] {
  const { sought } = soughtIn(text)
  if (asked !== text || found.orders.length > 0 || !/\d/.test(sought) || sought.includes('@')) return []
  const go = () => navigate(`/apps/${app}/passport?number=${encodeURIComponent(sought)}`)
  return [{ kind: 'Orders', icon: 'search', text: `Why is order ${sought} not here?`, go }]
}

/** The id of a request leads to the call itself, in the log of the app, and to what came of it. */
export function requestOf(text: string, app: string | null): Entry[] {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return []
  const id = text.toLowerCase()
  const of = (words: string, path: string): Entry => ({
    kind: 'Requests',
    icon: 'list',
    text: words,
    more: text,
    go: () => navigate(path),
  })
  return [
    ...(app === null ? [] : [of('Call of the API', `/apps/${app}/requests/${id}`)]),
    of('Request in the audit trail', `/audit?request_id=${id}`),
  ]
}
