import { html, nothing, type TemplateResult } from 'lit'
import type { paths } from '../../../lib/api-types.gen.ts'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { settled } from '../../../parts/settled.ts'
import { empty, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { api, asApp, ask } from '../../api.ts'
import { AcrossPage, type Bulk, type ListColumn, type Shown, shopColumn } from '../../lists/across-page.ts'
import { money } from '../../money.ts'
import { inWords, orderBadge, orderStatuses } from '../../order-state.ts'
import { changeQuery, href, navigate } from '../../router.ts'
import { type Found, foundBy, searchApp } from '../../search.ts'
import { may } from '../../session.ts'
import { nothingYet } from '../../shops/no-integrations.ts'
import { showAll } from '../../show-all.ts'

type Order =
  paths['/api/2.0/user/apps/{appId}/orders']['get']['responses'][200]['content']['application/json']['data'][number]

/** Nobody has acknowledged them, and it is not too late. */
const untaken: readonly string[] = ['UNPAID', 'ON_HOLD', 'PENDING']

/** The orders of all shops; any of them leads to its passport. */
class Orders extends AcrossPage<Order> {
  static override properties = { ...AcrossPage.properties, found: { state: true } }
  /** What the last search has found; whom it was for stands in no address. */
  declare found: Found['orders'] | null
  override refreshSeconds = 5
  override heading = 'Orders'
  override file = 'orders' as const
  override filters = ['status', 'remote_status', 'placed_since', 'number']

  constructor() {
    super()
    this.found = null
  }

  override read(query: Readonly<Record<string, string | number>>) {
    const params = { path: { appId: this.app }, query: query as never }
    return ask(api.GET('/api/2.0/user/apps/{appId}/orders', { params }))
  }

  /** A day of the address is the beginning of that day here. */
  override asked() {
    const { placed_since: day, ...others } = super.asked()
    const at = day ? new Date(/^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T00:00:00` : day) : null
    return { ...others, ...(at && !Number.isNaN(at.getTime()) && { placed_since: at.toISOString() }) }
  }

  override link({ id, integration }: Order) {
    return href(`/apps/${this.app}/integrations/${integration.id}/orders/${id}`)
  }

  override columns(): readonly ListColumn<Order>[] {
    return [
      {
        head: 'Number',
        cell: (order) => order.number ?? order.remote_id,
        csv: (order) => order.number ?? order.remote_id,
      },
      { head: 'State', cell: ({ status }) => orderBadge(status), csv: ({ status }) => inWords(status) },
      shopColumn(),
      {
        head: 'In the shop',
        cell: ({ remote_status: word }) => word ?? '',
        csv: ({ remote_status: word }) => word,
        wide: true,
      },
      {
        head: 'Total',
        cell: ({ total, currency }) => money(total, currency),
        csv: ({ total, currency }) => `${total} ${currency}`,
        number: true,
      },
      { head: 'Placed', cell: ({ placed_at: at }) => time(at), csv: ({ placed_at: at }) => at },
      { head: 'Changed', cell: ({ updated_at: at }) => time(at), csv: ({ updated_at: at }) => at, wide: true },
    ]
  }

  override bulks(): readonly Bulk<Order>[] {
    if (!may(this.me, 'update-order', this.app)) return []
    return [
      {
        label: 'Acknowledge',
        icon: 'check',
        able: ({ acknowledged_at: at, status }) => at === null && untaken.includes(status),
        act: ({ integration, id }) =>
          ask(
            asApp(this.app).POST('/api/2.0/app/orders/{order}/acknowledge', {
              params: { path: { order: String(id) }, query: { integration_id: String(integration.id) } },
              body: {},
            }),
          ),
        done: (n) => (n === 1 ? 'One order has been acknowledged.' : `${n} orders have been acknowledged.`),
      },
    ]
  }

  override nothingHere() {
    if (!this.isFiltered)
      return nothingYet(this.app, 'No orders yet', 'Orders appear here as soon as a connected shop has been synced.')
    const status = this.query.get('status')
    return empty(
      status ? `No order is “${inWords(status)}” here` : 'No order fits',
      'Orders appear here as soon as the first sync has fetched them.',
      showAll({ status: null, remote_status: null, placed_since: null, number: null, integration: null, after: null }),
    )
  }

  override filterFields() {
    const word = this.query.get('remote_status') ?? ''
    // Those that are in sight: a shop may have made up any number of its own.
    const known = (this.data?.data ?? []).flatMap(({ remote_status: one }) => one ?? [])
    const words = [...new Set([word, ...known])].filter((one) => one !== '').toSorted()
    const day = (value: string) => changeQuery({ placed_since: value, after: null })
    return html`${this.select(
      'State',
      'status',
      orderStatuses.map((one) => [one, inWords(one)] as const),
    )}
      ${
        this.query.get('integration')
          ? this.select(
              'In the shop',
              'remote_status',
              words.map((one) => [one, one] as const),
            )
          : nothing
      }
      <label class="row">Placed since
        <input type="date" .value=${(this.query.get('placed_since') ?? '').slice(0, 10)} ${settled(day)} />
      </label>`
  }

  override actions() {
    return html`<form class="row" role="search" @submit=${this.#find}>
      <input name="text" aria-label="Number, email, name or tracking number" placeholder="Number, email, name, tracking" />
      <button>Find</button>
    </form>`
  }

  #find = (event: SubmitEvent) => {
    event.preventDefault()
    const text = String(new FormData(event.target as HTMLFormElement).get('text')).trim()
    if (text !== '') void this.#search(text)
  }

  async #search(text: string) {
    this.refusal = null
    this.found = null
    try {
      const { orders } = await searchApp(this.app, text)
      const [first] = orders
      if (orders.length > 1 || (text.includes('@') && !first)) this.found = orders
      else if (first) navigate(`/apps/${this.app}/integrations/${first.integration.id}/orders/${first.id}`)
      else navigate(`/apps/${this.app}/passport?number=${encodeURIComponent(text)}`)
    } catch (error) {
      this.refusal = error
    }
  }

  override show(shown: Shown<Order>): TemplateResult {
    if (this.found === null) return super.show(shown)
    return html`<div class="bar"><h1>Orders</h1><div>${this.actions()}</div></div>
      ${this.refusal ? problem(this.refusal) : nothing}
      <section class="stack">
      <div class="bar"><h2>Found</h2><button @click=${() => {
        this.found = null
      }}>Show all orders</button></div>
      ${table({
        caption: 'Found',
        rows: this.found,
        link: ({ id, integration }) => href(`/apps/${this.app}/integrations/${integration.id}/orders/${id}`),
        empty: empty('No order fits', 'It was looked for in all shops of the app.'),
        columns: [
          { head: 'Order', cell: ({ number, remote_id: remoteId }) => number ?? remoteId },
          { head: 'State', cell: ({ status }) => orderBadge(status) },
          { head: 'Shop', cell: ({ integration }) => integration.name },
          { head: 'Found', cell: foundBy, wide: true },
          { head: 'Total', cell: ({ total, currency }) => money(total, currency), number: true },
          { head: 'Placed', cell: ({ placed_at: at }) => time(at) },
        ],
      })}
    </section>`
  }
}
define('ep-page-orders', Orders)
