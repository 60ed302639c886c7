import { html, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { badge, type Tone } from '../../../parts/status.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { asApp, ask } from '../../api.ts'
import { picker, readChosen } from '../../integration-picker.ts'
import { money } from '../../money.ts'
import { noIntegrations } from '../../no-integrations.ts'
import { Page } from '../../page.ts'
import { changeQuery, href, navigate, type Route } from '../../router.ts'
import { showAll } from '../../show-all.ts'

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

export const orderBadge = (status: string) => badge(tones[status] ?? 'neutral', status)

/** The copy of a shop's orders; any of them leads to its passport. */
class Orders extends Page<Data> {
  override refreshSeconds = 5

  override load() {
    return read(this.params['app'] ?? '', this.query)
  }

  #find = (event: SubmitEvent) => {
    event.preventDefault()
    const number = new FormData(event.target as HTMLFormElement).get('number')
    if (number) navigate(`/apps/${this.params['app']}/passport?number=${encodeURIComponent(String(number).trim())}`)
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
          <input name="number" aria-label="Order number" placeholder="Order number" />
          <button>Find</button>
        </form>
      </div>
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
