import { html, nothing, type TemplateResult } from 'lit'
import '../../../parts/dialog.ts'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { settled } from '../../../parts/settled.ts'
import { badge } from '../../../parts/status.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { toast } from '../../../parts/toast.ts'
import { asApp, ask, Refusal } from '../../api.ts'
import { Page } from '../../page.ts'
import { changeQuery, href } from '../../router.ts'
import { may } from '../../session.ts'
import { nameOf, readShops, type ShopNames } from '../../shops/shop-names.ts'
import './conflicts.ts'
import './shops.ts'

type Data = Awaited<ReturnType<typeof read>>
export type Pool = NonNullable<Data['pool']>
type Article = Data['articles']['data'][number]
type Link = Article['links'][number]

const modes = {
  dry: badge('notice', 'Dry: nothing is sent'),
  on: badge('positive', 'On'),
  off: badge('neutral', 'Off'),
} as const

/** What a shop shows of an article, beside what it should. */
export const shown = ({ wanted, shows, seen, error }: Pick<Link, 'wanted' | 'shows' | 'seen' | 'error'>) => {
  if (wanted === null) return html`<span class="muted">not told</span>`
  if (error !== null) return badge('critical', `${wanted}, not taken`)
  const now = seen ?? shows
  return now === wanted ? html`${wanted}` : html`${now ?? '?'} → <strong>${wanted}</strong>`
}

/** One stock for all shops of a merchant. */
class SharedStock extends Page<Data> {
  static override properties = { ...Page.properties, refusal: { state: true }, asking: { state: true } }
  declare refusal: unknown
  declare asking: boolean
  override refreshSeconds = 5

  constructor() {
    super()
    this.refusal = null
    this.asking = false
  }

  get #app() {
    return this.params['app'] ?? ''
  }

  override load() {
    return read(this.#app, this.query.get('account'), Number(this.query.get('page') ?? 1))
  }

  async #act(work: () => Promise<unknown>, done: string) {
    this.refusal = null
    try {
      await work()
      toast(done)
      await this.reload()
    } catch (error) {
      this.refusal = error
    }
  }

  #switch = (account: string, mode: Pool['mode'], done: string) => {
    this.asking = false
    const params = { path: { account } }
    const call = () => asApp(this.#app).PUT('/api/2.0/app/accounts/{account}/stock', { params, body: { mode } })
    return this.#act(() => ask(call()), done)
  }

  #match = async (account: string) => {
    await this.#act(
      () =>
        ask(
          asApp(this.#app).POST('/api/2.0/app/accounts/{account}/stock/articles/match', {
            params: { path: { account } },
            body: { create: true },
          }),
        ),
      'Articles have been linked by SKU and barcode.',
    )
    // What could not be linked is what somebody has to look at now.
    await this.renderRoot.querySelector<Page<unknown>>('ep-stock-conflicts')?.reload()
    changeQuery({ conflicts: '1' })
  }

  override show({ accounts, account, pool, articles, names }: Data): TemplateResult {
    if (account === null)
      return html`<h1>Shared stock</h1>${empty('No merchants yet', 'A stock is shared by the shops of one merchant.')}`
    const shopName = nameOf(names)
    return html`<div class="bar"><div><h1>Shared stock</h1>${pool ? modes[pool.mode] : nothing}</div>${this.#actions(account, pool)}</div>
      <div class="row filters"><div class="field"><label for="account">Merchant</label>
        <select id="account" ${settled((value) => changeQuery({ account: value, page: null, conflicts: null }))}>
          ${accounts.map(({ remote_id: id, name }) => html`<option value=${id} ?selected=${id === account}>${name ?? id}</option>`)}
        </select></div></div>
      ${this.refusal === null ? nothing : problem(this.refusal)}
      ${pool ? this.#pool(pool, { account, articles, shopName }) : this.#none(account)}
      ${pool ? this.#shops(account, pool, names) : nothing}
      ${pool ? this.#conflicts(account, shopName) : nothing}
      <ep-dialog heading="Tell the shops from now on?" ?open=${this.asking} @close=${() => {
        this.asking = false
      }}>
        <p>${pool?.waiting === 1 ? 'One value' : `${(pool?.waiting ?? 0).toLocaleString('en')} values`} in shops will be changed, and every sale from then on changes the others.</p>
        <button slot="actions" class="primary" @click=${() => void this.#switch(account, 'on', 'The shops are told from now on.')}>Switch on</button>
      </ep-dialog>`
  }

  #actions(account: string, pool: Data['pool']) {
    if (!pool || !may(this.me, 'run-action', this.#app)) return nothing
    const off = html`<button @click=${() => void this.#switch(account, 'off', 'Switched off: shops stay as they are.')}>Switch off</button>`
    const on = html`<button class="primary" @click=${() => {
      this.asking = true
    }}>Switch on</button>`
    return html`<div class="row"><button @click=${() => void this.#match(account)}>Link by SKU</button>${pool.mode === 'on' ? off : on}</div>`
  }

  #none(account: string) {
    const begin = may(this.me, 'run-action', this.#app)
      ? html`<button class="primary" @click=${() => void this.#switch(account, 'dry', 'The shared stock has been made. It sends nothing yet.')}>Start in dry mode</button>`
      : nothing
    return empty(
      'No shared stock yet',
      'One stock for all shops: a sale in one shop lowers the stock of the others within seconds. It starts in dry mode, which shows what each shop would be told and sends nothing.',
      begin,
    )
  }

  #shops(account: string, pool: Pool, names: Data['names']) {
    return html`<ep-stock-shops app=${this.#app} account=${account} .pool=${pool} .names=${names} ?decides=${may(this.me, 'run-action', this.#app)}
      @changed=${() => void this.reload()}></ep-stock-shops>`
  }

  #conflicts(account: string, shopName: ShopNames) {
    const number = this.query.get('conflicts')
    if (number === null)
      return html`<p><button @click=${() => changeQuery({ conflicts: '1' })}>Show what could not be linked</button></p>`
    return html`<ep-stock-conflicts app=${this.#app} account=${account} number=${Number(number) || 1}
      ?decides=${may(this.me, 'run-action', this.#app)} .shopName=${shopName} @linked=${() => void this.reload()}></ep-stock-conflicts>`
  }

  #pool(
    pool: Pool,
    { account, articles: { data, meta }, shopName }: { account: string; shopName: ShopNames } & Pick<Data, 'articles'>,
  ) {
    return html`<p class="muted">${pool.shops.length === 0 ? 'No shop is in it yet.' : `${pool.shops.length} shops.`}
        ${pool.waiting > 0 ? `${pool.waiting.toLocaleString('en')} values ${pool.mode === 'on' ? 'are on their way' : 'would be told'}.` : ''}
        ${pool.failing > 0 ? badge('critical', `${pool.failing} not taken`) : nothing}</p>
      ${table<Article>({
        caption: 'Articles',
        rows: data,
        link: ({ id }) => href(`/apps/${this.#app}/shared-stock/${encodeURIComponent(account)}/articles/${id}`),
        empty: empty(
          'No articles yet',
          'Let shops share the stock below, then link what they sell by SKU. Your software can do so as well, over the API or with a file.',
        ),
        columns: [
          { head: 'Article', cell: ({ sku, name }) => html`<code>${sku}</code> ${name ?? ''}` },
          {
            head: 'Available',
            cell: ({ available }) => (available < 0 ? badge('critical', String(available)) : available),
            number: true,
          },
          { head: 'Reserved', cell: ({ reserved }) => reserved, number: true },
          { head: 'On hand', cell: ({ on_hand: onHand }) => onHand, number: true, wide: true },
          ...pool.shops.map(({ integration_id: id }) => ({
            head: shopName(id),
            cell: ({ links }: Article) => {
              const link = links.find((one) => one.integration_id === id)
              return link ? shown(link) : html`<span class="muted">–</span>`
            },
            number: true,
            wide: true,
          })),
        ],
      })}
      ${pager(meta, (page) => changeQuery({ page: String(page) }))}`
  }
}
define('ep-page-shared-stock', SharedStock)

const noArticles = { data: [], meta: { current_page: 1, last_page: 1, from: null, to: null, total: 0 } }

async function read(app: string, chosen: string | null, page: number) {
  const client = asApp(app)
  const { data: accounts } = await ask(client.GET('/api/2.0/app/accounts', { params: { query: { per_page: 100 } } }))
  const account = chosen ?? accounts[0]?.remote_id ?? null
  const nobody = { accounts, account, pool: null, articles: noArticles, names: new Map<number, string>() }
  if (account === null) return nobody
  const path = { account }
  try {
    const { data: pool } = await ask(client.GET('/api/2.0/app/accounts/{account}/stock', { params: { path } }))
    const articles = await ask(
      client.GET('/api/2.0/app/accounts/{account}/stock/articles', { params: { path, query: { page, per_page: 25 } } }),
    )
    return { accounts, account, pool, articles, names: await readShops(app, pool.account_id) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) throw error
    return nobody
  }
}
