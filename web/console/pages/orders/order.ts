import { html, nothing, type TemplateResult } from 'lit'
import { type Missing, type MissingIn, missingOf } from '../../../lib/missing.ts'
import { define } from '../../../parts/element.ts'
import { missingOrder } from '../../../parts/missing.ts'
import { empty, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { type PassportSteps, timeline, timelines } from '../../../parts/timeline.ts'
import { asApp, ask } from '../../api.ts'
import { money } from '../../money.ts'
import { Page } from '../../page.ts'
import { href, navigate, type Route } from '../../router.ts'
import { orderBadge } from './orders.ts'

type Data = Awaited<ReturnType<typeof read>>

/** One order and its passport: every step that it has taken, with its time. */
class OrderPage extends Page<Data> {
  override refreshSeconds = 4

  override load() {
    return read(this.params)
  }

  override show({ order, passport }: Data): TemplateResult {
    const { app = '' } = this.params
    const { customer } = order
    const name = [customer['first_name'], customer['last_name'], customer['name']].filter(Boolean).join(' ')
    return html`<p><a href=${href(`/apps/${app}/orders?integration=${order.integration_id}`)}>Orders</a></p>
      <div class="bar"><div><h1>Order ${order.number ?? order.remote_id}</h1>${orderBadge(order.status)}
        ${order.acknowledge_by ? html`<p>Acknowledgement due ${time(order.acknowledge_by)}</p>` : nothing}
        ${order.incomplete ? html`<p>Not complete yet: the shop has more details, such as the buyer’s address. They are still being read.</p>` : nothing}</div></div>
      <div class="columns">
        <section class="card"><h2>Passport</h2>
          ${timeline(passport.steps as PassportSteps, { language: 'en', label: 'What happened, in order', took: (text) => `after ${text}` })}
        </section>
        <div class="stack">
          <section class="card"><h2>Order</h2>
            <dl>
              <dt>Total</dt><dd>${money(order.total, order.currency)}</dd>
              <dt>In the shop</dt><dd>${order.remote_status ?? '–'}</dd>
              <dt>Tags</dt><dd>${order.tags.join(', ') || '–'}</dd>
              <dt>Shop’s id</dt><dd><code>${order.remote_id}</code></dd>
              <dt>Customer</dt><dd>${name || (customer['email'] ?? '–')}</dd>
              <dt>Placed</dt><dd>${time(order.placed_at)}</dd>
              <dt>Acknowledged</dt><dd>${time(order.acknowledged_at)}</dd>
              <dt>Trace</dt><dd><code>${passport.trace_id}</code></dd>
            </dl>
          </section>
          <section class="stack"><h2 id="lines">Lines</h2>
            ${table({
              caption: 'Lines',
              rows: order.items,
              empty: empty('No lines', 'The shop has sent none.'),
              columns: [
                { head: 'Article', cell: ({ name: title, sku }) => title ?? sku },
                { head: 'SKU', cell: ({ sku }) => html`<code>${sku}</code>` },
                { head: 'Quantity', cell: ({ quantity }) => quantity, number: true },
                { head: 'Price', cell: ({ price }) => money(price, order.currency), number: true },
              ],
            })}
          </section>
        </div>
      </div>`
  }

  static override styles = [...Page.styles, timelines]
}
define('ep-page-order', OrderPage)

async function read({ app = '', id = '', order = '' }: Readonly<Record<string, string>>) {
  const client = asApp(app)
  const params = { path: { order }, query: { integration_id: Number(id) } as never }
  const [found, passport] = await Promise.all([
    ask(client.GET('/api/2.0/app/orders/{order}', { params })),
    ask(client.GET('/api/2.0/app/orders/{order}/passport', { params })),
  ])
  return { order: found.data, passport: passport.data }
}

/** Found by what people call it; and if it is not there, why, as far as anybody can know. */
class PassportPage extends Page<Missing | null> {
  override async load() {
    const app = this.params['app'] ?? ''
    const number = this.query.get('number') ?? ''
    const query = { number, ...(this.query.get('integration') && { integration_id: this.query.get('integration') }) }
    try {
      const { data } = await ask(asApp(app).GET('/api/2.0/app/passport', { params: { query: query as never } }))
      const { order } = data as { order: { id: number; integration_id: number } }
      navigate(`/apps/${app}/integrations/${order.integration_id}/orders/${order.id}`, { replace: true })
      return null
    } catch (error) {
      const missing = missingOf(error)
      if (missing) return missing
      throw error
    }
  }

  override show(missing: Missing | null): TemplateResult {
    if (missing === null) return html`${nothing}`
    const app = this.params['app']
    const link = ({ integration_id: id }: MissingIn) => href(`/apps/${app}/integrations/${id}`)
    return html`<p><a href=${href(`/apps/${app}/orders`)}>Orders</a></p>
      <h1>There is no order ${this.query.get('number')}</h1>
      ${missingOrder(missing, { link })}`
  }
}
define('ep-page-passport', PassportPage)

const common = { section: 'orders', right: 'read-order' }

export const orderRoute: Route = {
  path: '/apps/:app/integrations/:id/orders/:order',
  element: 'ep-page-order',
  title: 'Order',
  ...common,
}

export const passportRoute: Route = {
  path: '/apps/:app/passport',
  element: 'ep-page-passport',
  title: 'Order',
  ...common,
}
