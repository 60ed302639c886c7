import { css, html, nothing, type TemplateResult } from 'lit'
import { type Missing, type MissingIn, missingOf } from '../../../lib/missing.ts'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { missingOrder } from '../../../parts/missing.ts'
import { empty, table } from '../../../parts/table.ts'
import { formOf, time } from '../../../parts/time.ts'
import { type PassportSteps, timeline, timelines } from '../../../parts/timeline.ts'
import { asApp, ask } from '../../api.ts'
import { atMostEvery, Following } from '../../live.ts'
import { money } from '../../money.ts'
import { orderBadge } from '../../order-state.ts'
import { Page } from '../../page.ts'
import { changeQuery, href, navigate } from '../../router.ts'
import { journey, journeys } from './journey.ts'
import './order-actions.ts'
import { addresses, type Data, pageOf, parcels, read, refunds, sumList, whereFrom } from './order-facts.ts'
import { stagesOf } from './stages.ts'

/** One order in full, and its passport: every step that it has taken, with its time. */
class OrderPage extends Page<Data> {
  /** Told of what happens to orders of its shop; looked at by the clock only while that is not heard. */
  override refreshSeconds = 4
  #following = new Following(this, {
    app: () => this.params['app'] ?? null,
    onNews: (news) => {
      const isHere = news.type === 'orders' && String(news.data.integration.id) === this.params['id']
      if (isHere || news.type === 'gap') this.#look()
    },
  })
  #look = atMostEvery(1000, () => {
    if (this.isConnected) void this.reload()
  })
  override isTold = () => this.#following.isOpen

  override load() {
    return read(this.params)
  }

  override show(data: Data): TemplateResult {
    const { app = '' } = this.params
    const { order, passport } = data
    return html`<p class="back"><a href=${href(`/apps/${app}/orders?integration=${order.integration_id}`)}>Orders</a></p>
      <div class="bar"><div><h1>Order ${order.number ?? order.remote_id}</h1>${orderBadge(order.status)}
        ${order.acknowledge_by ? html`<p>Acknowledgement due ${time(order.acknowledge_by)}</p>` : nothing}
        ${order.incomplete ? html`<p>Not complete yet: the shop has more details, such as the buyer’s address. They are still being read.</p>` : nothing}</div>
        ${pageOf(order.admin_url) ? html`<a class="button" href=${order.admin_url} target="_blank" rel="noopener noreferrer">${icon('external')}Open in the shop</a>` : nothing}
      </div>
      <ep-order-actions .app=${app} .me=${this.me} .data=${data} .begin=${this.query.get('do')} @begun=${() => changeQuery({ do: null }, { replace: true })} @changed=${() => void this.reload()}></ep-order-actions>
      <section class="card"><h2>Passport</h2>
        ${journey(
          stagesOf({
            steps: passport.steps as PassportSteps,
            status: order.status,
            shipBy: order.ship_by,
            connectedAt: data.integration.installed_at ?? data.integration.created_at,
            now: Date.now(),
          }),
        )}
        <details ?open=${this.query.get('steps') === 'all'}><summary>All ${passport.steps.length} steps, with runs, messages and deliveries</summary>
          ${timeline(passport.steps as PassportSteps, {
            language: formOf('en'),
            label: 'What happened, in order',
            took: (taken) => `after ${taken}`,
            links: (references) => this.#links(references),
          })}
          <p class="muted small">Trace <code>${passport.trace_id}</code></p>
        </details>
      </section>
      <div class="columns">
        <div class="stack">
          <section class="stack"><h2 id="lines">Lines</h2>
            ${table({
              caption: 'Lines',
              rows: order.items,
              empty: empty('No lines', 'The shop has sent none.'),
              columns: [
                {
                  head: 'Article',
                  cell: ({ name: title, variant_name: variant, sku }) =>
                    html`${title ?? sku}${variant ? html` <span class="muted">${variant}</span>` : nothing}`,
                },
                { head: 'SKU', cell: ({ sku }) => html`<code>${sku}</code>`, wide: true },
                { head: 'Quantity', cell: ({ quantity }) => quantity, number: true },
                { head: 'Price', cell: ({ price }) => money(price, order.currency), number: true },
                {
                  head: 'Sum',
                  cell: ({ total }) => (total === null ? '' : money(total, order.currency)),
                  number: true,
                  wide: true,
                },
              ],
            })}
            ${sumList(order)}
          </section>
          ${parcels(order)}${refunds(order)}
        </div>
        <div class="stack">
          <section class="card"><h2>Order</h2>${whereFrom(app, data)}</section>
          ${addresses(order)}
        </div>
      </div>`
  }

  #links(references: Readonly<Record<string, number | null>>) {
    const { app = '', id = '' } = this.params
    const { run_id: run, webhook_id: webhook, webhook_delivery_id: delivery, inbound_delivery_id: message } = references
    return [
      ...(run ? [{ text: `Run ${run}`, href: href(`/apps/${app}/integrations/${id}/runs/${run}`) }] : []),
      ...(message
        ? [{ text: `Message ${message}`, href: href(`/apps/${app}/integrations/${id}/messages/${message}`) }]
        : []),
      ...(webhook && delivery
        ? [{ text: `Webhook ${webhook}`, href: href(`/apps/${app}/webhooks/${webhook}?delivery=${delivery}`) }]
        : []),
    ]
  }

  static override styles = [
    ...Page.styles,
    timelines,
    journeys,
    css`
      details {
        margin-block-start: 16px;
      }
      summary {
        cursor: pointer;
        color: var(--_accent);
      }
      details .timeline {
        margin-block-start: 16px;
      }
      .columns {
        grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr));
      }
      .sums {
        justify-content: end;
        grid-template-columns: max-content max-content;
        padding-inline-end: 12px;
      }
      .total {
        color: var(--_text);
        font-weight: 600;
      }
      /* On paper: what was bought, by whom, and what became of it. */
      @media print {
        .back,
        .button,
        button,
        details,
        ep-order-actions {
          display: none;
        }
        section {
          break-inside: avoid;
        }
      }
    `,
  ]
}
define('ep-page-order', OrderPage)

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
