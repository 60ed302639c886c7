import { html, nothing, type TemplateResult } from 'lit'
import type { Series } from '../../../parts/chart.ts'
import { define } from '../../../parts/element.ts'
import { badge } from '../../../parts/status.ts'
import { empty, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { asApp, ask } from '../../api.ts'
import { Page } from '../../page.ts'
import { href } from '../../router.ts'
import { nameOf, readShops, type ShopNames } from '../../shops/shop-names.ts'
import { shown } from './shared-stock.ts'

type Data = Awaited<ReturnType<typeof read>>
type Movement = Data['movements'][number]
type Shop = Data['shops'][number]

const words: Readonly<Record<Movement['kind'], string>> = {
  count: 'Counted',
  purchase: 'Purchased',
  sale: 'Sold',
  return: 'Came back',
  correction: 'Corrected',
  transfer: 'Moved',
  reservation: 'Reserved',
  release: 'Released',
}

interface Line {
  name: string
  points: readonly { at: string; value: number | null }[]
}

const colours = ['--_accent', '--_positive', '--_notice', '--_critical', '--_muted']

/** Each value stands until the next one. */
function stairs(heading: string, lines: readonly Line[]) {
  const steps = [...new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)))].sort()
  const series = lines.map(({ name, points }, n): Series => {
    const values = new Map(points.map(({ at, value }) => [at, value]))
    let last: number | null = null
    return {
      name,
      colour: colours[n % colours.length] ?? '--_accent',
      values: steps.map((at) => {
        last = values.get(at) ?? last
        return last === null ? null : Math.max(0, last)
      }),
    }
  })
  return html`<ep-chart heading=${heading} unit="pieces" step="minute" lines stairs .steps=${steps} .series=${series}></ep-chart>`
}

const signed = (by: number) => (by > 0 ? `+${by}` : String(by))

/** Why it is 7: every movement of an article, and every value that each shop was told. */
class StockArticle extends Page<Data> {
  override refreshSeconds = 5

  override load() {
    return read(this.params)
  }

  override connectedCallback() {
    super.connectedCallback()
    // Large, and not needed for what comes first.
    void import('../../../parts/chart.ts')
  }

  override show({ article, movements, shops, places, shopName }: Data): TemplateResult {
    const { app = '', account = '' } = this.params
    return html`<p><a href=${href(`/apps/${app}/shared-stock?account=${encodeURIComponent(account)}`)}>Shared stock</a></p>
      <div class="bar"><div><h1>${article.name ?? article.sku}</h1><p><code>${article.sku}</code>
        ${article.available < 0 ? badge('critical', `${-article.available} oversold`) : nothing}</p></div></div>
      <div class="columns">
        <div class="stack">
          ${this.#picture(movements, shops, shopName)}
          <section class="stack"><h2>Movements</h2>
            ${table<Movement>({
              caption: 'Movements',
              rows: movements.slice(0, 100),
              empty: empty(
                'Nothing has moved yet',
                'A count says what is there; orders of the shops follow by themselves.',
              ),
              columns: [
                {
                  head: 'What',
                  cell: ({ kind, note }) =>
                    html`${words[kind]}${note ? html` <span class="muted">${note}</span>` : nothing}`,
                },
                { head: 'On hand', cell: ({ on_hand_by: by }) => (by === 0 ? '' : signed(by)), number: true },
                { head: 'Reserved', cell: ({ reserved_by: by }) => (by === 0 ? '' : signed(by)), number: true },
                { head: 'Available', cell: ({ available }) => available, number: true },
                { head: 'For', cell: (movement) => this.#cause(movement), wide: true },
                { head: 'When', cell: ({ at }) => time(at) },
              ],
            })}
          </section>
        </div>
        <div class="stack">
          <section class="card"><h2>Now</h2><dl>
            <dt>Available</dt><dd>${article.available}</dd>
            <dt>Reserved</dt><dd>${article.reserved}</dd>
            <dt>On hand</dt><dd>${article.on_hand}</dd>
            ${places.length > 1 ? places.map(({ place, available }) => html`<dt>${place}</dt><dd>${available}</dd>`) : nothing}
          </dl></section>
          ${shops.map((shop) => this.#shop(shop, shopName))}
        </div>
      </div>`
  }

  #cause({ integration_id: id, order_id: order, source }: Movement) {
    const app = this.params['app'] ?? ''
    if (id === null) return html`<code>${source}</code>`
    if (order === null) return html`<a href=${href(`/apps/${app}/integrations/${id}`)}>Shop ${id}</a>`
    return html`<a href=${href(`/apps/${app}/integrations/${id}/orders/${order}`)}>Order ${order}</a>`
  }

  #lastDrift({ history }: Shop) {
    const last = history.findLast(({ drift }) => drift !== null)
    if (!last) return nothing
    const made = last.drift === 'believed' ? 'booked as a correction' : 'told again'
    return html`<dt>Changed by hand</dt><dd>to ${last.shows}, ${made}, ${time(last.at)}</dd>`
  }

  #shop(shop: Shop, shopName: ShopNames) {
    return html`<section class="card"><h2>${shopName(shop.integration_id)}</h2>
      <dl><dt>Shows</dt><dd>${shown(shop)}</dd>
        <dt>Told</dt><dd>${shop.told ?? 'nothing yet'}</dd>
        <dt>Accepted</dt><dd>${shop.accepted_at ? time(shop.accepted_at) : 'not yet'}</dd>
        <dt>Seen there</dt><dd>${shop.confirmed_at ? time(shop.confirmed_at) : 'not yet'}</dd>
        ${shop.error ? html`<dt>Refusal</dt><dd>${shop.error}</dd>` : nothing}
        ${this.#lastDrift(shop)}</dl>
      ${this.#told(shop)}
    </section>`
  }

  /** What was available, and what each shop had been told, at each moment at which one of them changed. */
  #picture(movements: readonly Movement[], shops: readonly Shop[], shopName: ShopNames) {
    if (movements.length < 2) return nothing
    const stock = { name: 'Available', points: movements.map(({ at, available }) => ({ at, value: available })) }
    const told = shops.map((shop) => ({
      name: shopName(shop.integration_id),
      points: shop.history.map(({ at, told: value }) => ({ at, value })),
    }))
    return stairs('Available, and what shops were told', [stock, ...told])
  }

  /** Where both lines part, the shop showed something else than it was told. */
  #told({ history }: Shop) {
    if (history.length < 2) return nothing
    return stairs('Told and shown', [
      { name: 'Told', points: history.map(({ at, told: value }) => ({ at, value })) },
      { name: 'Shown', points: history.map(({ at, shows: value }) => ({ at, value })) },
    ])
  }
}
define('ep-page-stock-article', StockArticle)

async function read({ app = '', account = '', article = '' }: Readonly<Record<string, string>>) {
  const client = asApp(app)
  const [passport, pool] = await Promise.all([
    ask(
      client.GET('/api/2.0/app/accounts/{account}/stock/articles/{article}/passport', {
        params: { path: { account, article } },
      }),
    ),
    ask(client.GET('/api/2.0/app/accounts/{account}/stock', { params: { path: { account } } })),
  ])
  return { ...passport.data, shopName: nameOf(await readShops(app, pool.data.account_id)) }
}
