import { capabilitiesOf, waysIn } from '../src/commerce/capabilities.ts'
import type { Connector } from '../src/commerce/connector.ts'
import { connectors } from '../src/connectors/index.ts'

/** What each platform can do, side by side, read off the connectors: so it is what the program does. */
export async function generatePlatforms(): Promise<{ path: string; text: string }> {
  const shown = [...connectors.values()].filter(({ type }) => type !== 'sandbox').sort(byName)
  const header = `| | ${shown.map(({ name, type }) => `[${name}](../../src/connectors/${type}/README.md)`).join(' | ')} |`
  const line = `|---|${shown.map(() => ':-:|').join('')}`
  const rows = questions.map(([what, answer]) => `| ${what} | ${shown.map(answer).join(' | ')} |`)
  return { path: 'docs/guides/platforms.md', text: [...opening, header, line, ...rows, '', ...closing, ''].join('\n') }
}

const byName = (one: Connector, other: Connector) => one.name.localeCompare(other.name, 'en')

const opening = [
  '# The platforms side by side',
  '',
  'Made by `npm run gen` from what the connectors can do; `GET /api/2.0/app/services` tells the same of each service, as',
  '`capabilities`. The name of a platform leads to its own page: what you need from it, its limits, what is not possible',
  'there, and where our reading of it was a choice.',
  '',
]

const closing = [
  '“Asked every” is how often a shop without messages is asked for news. “Compared for” is how far back a comparison',
  'expects to find orders: older ones stay here as they are. “Questions for orders” is what the platform allows in the long',
  'run, and at once; what is shared counts for all shops that are connected with one registration at the platform. Services that you [describe yourself](connectors.md) can do what you describe.',
]

const yes = (is: boolean) => (is ? 'yes' : '–')
const can = (name: string) => (connector: Connector) =>
  yes(capabilitiesOf(connector).actions.some((action) => action === name))
const listed = (values: readonly string[]) => (values.length === 0 ? '–' : values.join(', '))

const questions: readonly (readonly [string, (connector: Connector) => string])[] = [
  ['Connected by', (connector) => listed(waysIn(connector, { takesKeys: true }))],
  ['Messages from the platform', ({ webhooks }) => webhookWord(webhooks)],
  ['Asked every', ({ readEveryMinutes }) => `${readEveryMinutes ?? 5} min`],
  ['Questions for orders', ({ remote }) => limitsOf(remote)],
  ['Compared for', ({ orders }) => horizonOf(orders)],
  ['Orders are made', can('create_order')],
  ['with', (connector) => listed(capabilitiesOf(connector).order_choices)],
  ['Orders are cancelled', can('cancel_order')],
  ['single lines', can('cancel_order_lines')],
  ['Held and released', can('hold_order')],
  ['Payments are captured', can('capture_payment')],
  ['in parts', (connector) => yes(capabilitiesOf(connector).capture_parts)],
  ['Notes, tags', (connector) => notesOf(connector)],
  ['Refunds by', (connector) => listed(capabilitiesOf(connector).refund_by)],
  ['with goods back into stock', (connector) => yes(capabilitiesOf(connector).refund_restock)],
  ['Returns are read', (connector) => yes(capabilitiesOf(connector).returns)],
  ['Parcels', can('create_shipment')],
  ['several for one order', (connector) => yes(capabilitiesOf(connector).partial_shipments)],
  ['corrected afterwards', (connector) => yes(capabilitiesOf(connector).amend_shipments)],
  ['taken back', (connector) => yes(capabilitiesOf(connector).cancel_shipments)],
  ['Products are made', can('export_products')],
  ['with (besides one article)', (connector) => listed(capabilitiesOf(connector).product_choices)],
  ['Prices are set', can('set_prices')],
  ['Stock is set', can('set_inventory')],
  ['by location', (connector) => yes(capabilitiesOf(connector).inventory_locations)],
  ['Customers are read', can('get_customers')],
  ['Acknowledged within', (connector) => hoursOf(capabilitiesOf(connector).acknowledge_within_hours)],
]

const hoursOf = (hours: number | null) => (hours === null ? '–' : `${hours} h`)

function webhookWord(webhooks: Connector['webhooks']): string {
  if (!webhooks) return 'none'
  return webhooks.registration.kind === 'api' ? 'registered by us' : 'set up there'
}

function notesOf(connector: Connector): string {
  const { order_notes: notes, order_tags: tags } = capabilitiesOf(connector)
  return listed([...(notes ? ['notes'] : []), ...(tags ? ['tags'] : [])])
}

/** Of the budget that pays for lists of orders: where a platform counts operations apart, theirs. */
function limitsOf({ budgets }: Connector['remote']): string {
  const paying = budgets['search_orders'] ?? budgets['list_orders'] ?? budgets['default']
  if (!paying) return '–'
  const { perSecond, perDay, capacity, scope } = paying
  const rate =
    perSecond >= 1
      ? `${Math.round(perSecond * 100) / 100}/s`
      : perSecond * 60 >= 1
        ? `${round(perSecond * 60)}/min`
        : `${round(perSecond * 3600)}/h`
  return `${rate}, ${capacity} at once${perDay ? `, ${perDay} a day` : ''}${scope === 'application' ? ', shared' : ''}`
}

const round = (value: number) => String(Math.round(value * 10) / 10)

function horizonOf(orders: Connector['orders']): string {
  const days = orders?.horizon?.({ shop: '', settings: {}, granted: [] }) ?? null
  return days === null ? 'ever' : `${days} days`
}
