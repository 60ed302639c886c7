import { html, nothing, type TemplateResult } from 'lit'
import { table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { asApp, ask } from '../../api.ts'
import { money } from '../../money.ts'
import { inWords } from '../../order-state.ts'
import { href } from '../../router.ts'

/** What is known of one order: read, and put into words. */

export type Data = Awaited<ReturnType<typeof read>>
export type Order = Data['order']

export async function read({ app = '', id = '', order = '' }: Readonly<Record<string, string>>) {
  const client = asApp(app)
  const query = { integration_id: Number(id) }
  const [found, passport, integration] = await Promise.all([
    ask(
      client.GET('/api/2.0/app/orders/{order}', {
        params: { path: { order }, query: { ...query, include: 'shipments' } as never },
      }),
    ),
    ask(client.GET('/api/2.0/app/orders/{order}/passport', { params: { path: { order }, query: query as never } })),
    ask(
      client.GET('/api/2.0/app/integrations/{integration}', {
        params: { path: { integration: id }, query: { include: 'service,account' } as never },
      }),
    ),
  ])
  return { order: found.data, passport: passport.data, integration: integration.data }
}

const listed = (rows: readonly [string, unknown][]): TemplateResult =>
  html`<dl>${rows.map(([name, value]) => (value === null || value === '' ? nothing : html`<dt>${name}</dt><dd>${value}</dd>`))}</dl>`

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const nameOf = (person: Readonly<Record<string, unknown>>): string =>
  [person['first_name'], person['last_name']].map(text).filter(Boolean).join(' ') || text(person['name'])

/** Where it is from, and who bought it. */
export function whereFrom(app: string, { order, integration }: Data): TemplateResult {
  const { customer } = order
  const merchant = integration.account
  return listed([
    [
      'Shop',
      html`<a href=${href(`/apps/${app}/integrations/${integration.id}`)}>${integration.name}</a> (${integration.service?.name ?? integration.type}, ${integration.shop})`,
    ],
    ['Merchant', merchant ? (merchant.name ?? merchant.remote_id) : null],
    ['In the shop', [order.remote_status, order.sales_channel].filter(Boolean).join(', ')],
    ['Customer', nameOf(customer)],
    ['Email', text(customer['email'])],
    ['Phone', text(customer['phone'])],
    ['Purchase order', order.purchase_order],
    ['Note', order.note],
    ['Tags', order.tags.join(', ')],
    ['Shipping method', order.shipping_method],
    ['Placed', time(order.placed_at)],
    ['Ship by', order.ship_by === null ? null : time(order.ship_by)],
    ['Acknowledged', time(order.acknowledged_at)],
    ['Cancelled', order.cancelled_at === null ? null : time(order.cancelled_at)],
    ['Shop’s id', html`<code>${order.remote_id}</code>`],
  ])
}

/** Shops may write anything where an address of a page belongs. */
export const pageOf = (address: string | null): string | null =>
  address !== null && /^https?:\/\//i.test(address) ? address : null

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

/** Shops may write anything where the code of a country belongs. */
const countryOf = (code: ReturnType<typeof text>) => (code && /^[A-Z]{2}$/.test(code) ? countries.of(code) : code)

const parts = ['company', 'line1', 'line2', 'line3'] as const

function address(title: string, given: Readonly<Record<string, unknown>> | null): TemplateResult | typeof nothing {
  if (!given) return nothing
  const city = [text(given['postal_code']), text(given['city'])].filter(Boolean).join(' ')
  const place = [text(given['region'] ?? given['region_code']), countryOf(text(given['country_code']))]
  const lines = [nameOf(given), ...parts.map((name) => text(given[name])), city, ...place, text(given['phone'])]
  return html`<div><h3>${title}</h3><p>${lines.filter(Boolean).map((line) => html`${line}<br />`)}</p></div>`
}

export const addresses = (order: Order): TemplateResult | typeof nothing =>
  order.shipping_address || order.billing_address
    ? html`<section class="card"><h2>Addresses</h2>
        <div class="columns">${address('Shipping', order.shipping_address)}${address('Billing', order.billing_address)}</div>
      </section>`
    : nothing

const isSome = (amount: string | null): amount is string => amount !== null && Number(amount) !== 0

/** From the goods to what was paid, a line each; what is nothing is left out. */
export function sums(order: Order): readonly [string, string][] {
  const {
    subtotal,
    discount_total: discount,
    shipping_total: shipping,
    tax_total: tax,
    refunded_total: refunded,
  } = order
  const less = (amount: string) => (amount.startsWith('-') ? amount : `-${amount}`)
  const taxName = order.prices_include_tax ? 'Tax, included' : 'Tax'
  return [
    ...(subtotal === null ? [] : [['Goods', subtotal] as [string, string]]),
    ...(isSome(discount) ? [['Discount', less(discount)] as [string, string]] : []),
    ...(isSome(shipping) ? [['Shipping', shipping] as [string, string]] : []),
    ...order.fees.map(({ name, amount }): [string, string] => [name, amount]),
    ...(isSome(tax) ? [[taxName, tax] as [string, string]] : []),
    ['Total', order.total],
    ...(isSome(refunded) ? [['Refunded', less(refunded)] as [string, string]] : []),
  ]
}

export const sumList = (order: Order): TemplateResult =>
  html`<dl class="sums">${sums(order).map(
    ([name, amount]) =>
      html`<dt class=${name === 'Total' ? 'total' : ''}>${name}</dt><dd class="number ${name === 'Total' ? 'total' : ''}">${money(amount, order.currency)}</dd>`,
  )}</dl>`

/** What has gone back to the customer. */
export const refunds = (order: Order): TemplateResult | typeof nothing =>
  order.refunds.length === 0
    ? nothing
    : html`<section class="stack"><h2>Refunds</h2>
        ${table({
          caption: 'Refunds',
          rows: order.refunds,
          empty: html``,
          columns: [
            { head: 'Amount', cell: ({ amount }) => money(amount, order.currency) },
            { head: 'Reason', cell: ({ reason }) => reason ?? '–' },
            {
              head: 'Pieces',
              cell: ({ lines }) => (lines.length === 0 ? '–' : lines.reduce((sum, { quantity }) => sum + quantity, 0)),
              number: true,
            },
            { head: 'When', cell: ({ refunded_at: at }) => time(at) },
          ],
        })}
      </section>`

export const parcels = (order: Order): TemplateResult | typeof nothing =>
  (order.shipments ?? []).length === 0
    ? nothing
    : html`<section class="stack"><h2>Parcels</h2>
        ${table({
          caption: 'Parcels',
          rows: order.shipments ?? [],
          empty: html``,
          columns: [
            {
              head: 'Tracking number',
              cell: ({ tracking_number: number, tracking_url: url }) =>
                pageOf(url)
                  ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${number ?? url}</a>`
                  : (number ?? '–'),
            },
            { head: 'Carrier', cell: ({ carrier }) => carrier ?? '–' },
            { head: 'State', cell: ({ status }) => inWords(status) },
            { head: 'Sent', cell: ({ shipped_at: at }) => time(at) },
          ],
        })}
      </section>`
