import { html, nothing, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { badge, type Tone } from '../../../parts/status.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { asApp, ask } from '../../api.ts'
import { type Choice, picker, readChosen } from '../../integration-picker.ts'
import { money } from '../../money.ts'
import { noIntegrations } from '../../no-integrations.ts'
import { Page } from '../../page.ts'
import { changeQuery, href, navigate, type Route } from '../../router.ts'
import { showAll } from '../../show-all.ts'
import { type Found, findOrders } from './find-order.ts'

type Data = Awaited<ReturnType<typeof read>>

const statuses = ['UNPAID', 'ON_HOLD', 'PENDING', 'ACKNOWLEDGED', 'SHIPPED', 'DELIVERED', 'REFUNDED', 'CANCELLED']
const tones: Readonly<Record<string, Tone>> = {
  UNPAID: 'neutral',
  ON_HOLD: 'critical',
  PENDING: 'notice',
  ACKNOWLEDGED: 'info',
  SHIPPED: 'positive',
  DELIVERED: 'positive',
  REFUNDED: 'neutral',
  CANCELLED: 'neutral',
}

/** “On hold” for ON_HOLD. */
export const orderState = (status: string): string =>
  status.charAt(0) + status.slice(1).toLowerCase().replaceAll('_', ' ')

export const orderBadge = (status: string) => badge(tones[status] ?? 'neutral', orderState(status))

/** The copy of a shop's orders; any of them leads to its passport. */
class Orders extends Page<Data> {
  static override properties = { ...Page.properties, refusal: { state: true }, found: { state: true } }
  declare refusal: unknown
  /** What the last search has found; it is nobody's business and stands in no address. */
  declare found: readonly Found[] | null
  override refreshSeconds = 5

  constructor() {
    super()
    this.refusal = null
    this.found = null
  }

  override load() {
    return read(this.params['app'] ?? '', this.query)
  }

  #find = (event: SubmitEvent) => {
    event.preventDefault()
    const text = String(new FormData(event.target as HTMLFormElement).get('text')).trim()
    const chosen = this.data?.chosen
    if (text !== '' && chosen) void this.#search(chosen, text)
  }

  async #search(chosen: Choice, text: string) {
    const app = this.params['app'] ?? ''
    this.refusal = null
    this.found = null
    try {
      const found = await findOrders(app, chosen, text)
      const [first] = found
      if (found.length > 1 || text.includes('@')) this.found = found
      else if (first) navigate(`/apps/${app}/integrations/${first.integration_id}/orders/${first.id}`)
      else navigate(`/apps/${app}/passport?number=${encodeURIComponent(text)}`)
    } catch (error) {
      this.refusal = error
    }
  }

  #found(found: readonly Found[]): TemplateResult {
    return html`<section class="stack">
      <div class="bar"><h2>Found</h2><button @click=${() => {
        this.found = null
      }}>Show all orders</button></div>
      ${table({
        caption: 'Found',
        rows: found,
        link: ({ id, integration_id: shop }) => href(`/apps/${this.params['app']}/integrations/${shop}/orders/${id}`),
        empty: empty('No order fits', 'It is looked for in all shops of the merchant whose shop is chosen here.'),
        columns: [
          { head: 'Order', cell: ({ title }) => title },
          { head: 'Where', cell: ({ about }) => about },
        ],
      })}
    </section>`
  }

  override show({ chosen, page }: Data): TemplateResult {
    const app = this.params['app'] ?? ''
    if (!chosen || !page) return html`<h1>Orders</h1>${noIntegrations(app)}`
    const status = this.query.get('status') ?? ''
    const word = this.query.get('remote_status') ?? ''
    // Those that are in sight: a shop may have made up any number of its own.
    const words = [...new Set([word, ...page.data.flatMap(({ remote_status: one }) => one ?? [])])].filter(
      (one) => one !== '',
    )
    return html`<div class="bar"><h1>Orders</h1>
        <form class="row" role="search" @submit=${this.#find}>
          <input name="text" aria-label="Number, email, name or tracking number" placeholder="Number, email, name, tracking" />
          <button>Find</button>
        </form>
      </div>
      ${this.refusal ? problem(this.refusal) : nothing}${this.found ? this.#found(this.found) : nothing}
      <div class="row">
        ${picker(app, chosen)}
        <label class="row">Status
          <select @change=${(event: Event) => changeQuery({ status: (event.target as HTMLSelectElement).value, page: null })}>
            <option value="">All</option>
            ${statuses.map((one) => html`<option value=${one} .selected=${one === status}>${one}</option>`)}
          </select>
        </label>
        <label class="row">In the shop
          <select @change=${(event: Event) => changeQuery({ remote_status: (event.target as HTMLSelectElement).value, page: null })}>
            <option value="">All</option>
            ${words.toSorted().map((one) => html`<option value=${one} .selected=${one === word}>${one}</option>`)}
          </select>
        </label>
      </div>
      ${table({
        caption: 'Orders',
        rows: page.data,
        link: ({ id }) => href(`/apps/${app}/integrations/${chosen.id}/orders/${id}`),
        empty:
          status === '' && word === ''
            ? empty('No orders', 'Orders appear here as soon as the first sync has fetched them.')
            : empty(
                `No order is ${[status, word].filter(Boolean).join(' and ')}`,
                'Choose “All” to see the others.',
                showAll({ status: null, remote_status: null, page: null }),
              ),
        columns: [
          { head: 'Number', cell: ({ number, remote_id: remoteId }) => number ?? remoteId },
          { head: 'Status', cell: (order) => orderBadge(order.status) },
          { head: 'In the shop', cell: ({ remote_status: word }) => word ?? '', wide: true },
          { head: 'Total', cell: ({ total, currency }) => money(total, currency), number: true },
          { head: 'Placed', cell: ({ placed_at: at }) => time(at), wide: true },
          { head: 'Changed', cell: ({ updated_at: at }) => time(at), wide: true },
        ],
      })}
      ${pager(page.meta as Parameters<typeof pager>[0], (number) => changeQuery({ page: String(number) }))}`
  }
}
define('ep-page-orders', Orders)

async function read(app: string, query: URLSearchParams) {
  const chosen = await readChosen(app, query)
  if (!chosen) return { chosen, page: null }
  const status = query.get('status')
  const word = query.get('remote_status')
  const page = await ask(
    asApp(app).GET('/api/2.0/app/orders', {
      params: {
        query: {
          integration_id: chosen.id,
          page: Number(query.get('page') ?? 1),
          per_page: 25,
          sort: '-id',
          ...(status && { 'filter[status]': status }),
          ...(word && { 'filter[remote_status]': word }),
        } as never,
      },
    }),
  )
  return { chosen, page }
}

export const ordersRoute: Route = {
  path: '/apps/:app/orders',
  element: 'ep-page-orders',
  title: 'Orders',
  section: 'orders',
  right: 'read-order',
}
