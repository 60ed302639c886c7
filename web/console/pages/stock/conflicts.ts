import { html, nothing, type TemplateResult } from 'lit'
import '../../../parts/dialog.ts'
import { define, emit } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { toast } from '../../../parts/toast.ts'
import { asApp, ask } from '../../api.ts'
import { Page } from '../../page.ts'
import { changeQuery, href } from '../../router.ts'
import type { ShopNames } from '../../shops/shop-names.ts'

type Data = Awaited<ReturnType<typeof read>>
type Conflict = Data['data'][number]
type Article = Awaited<ReturnType<typeof readArticle>>

/** What nobody guesses: somebody has to say which variant and which article are meant. */
class StockConflicts extends Page<Data> {
  static override properties = {
    ...Page.properties,
    app: {},
    account: {},
    number: { type: Number },
    decides: { type: Boolean },
    shopName: { attribute: false },
    asked: { state: true },
    articles: { state: true },
    refusal: { state: true },
  }
  declare app: string
  declare account: string
  /** Of the page that is shown. */
  declare number: number
  /** Whether the user may link. */
  declare decides: boolean
  declare shopName: ShopNames
  /** The one that is being decided, and the articles that may be meant. */
  declare asked: Conflict | null
  declare articles: readonly Article[]
  declare refusal: unknown

  constructor() {
    super()
    this.number = 1
    this.decides = false
    this.shopName = (id) => `Shop ${id}`
    this.asked = null
    this.articles = []
    this.refusal = null
  }

  /** Found by comparing all that the shops sell: not each time that the page around it looks again. */
  override willUpdate(changed: Map<PropertyKey, unknown>) {
    if (['app', 'account', 'number'].some((name) => changed.has(name))) void this.reload()
  }

  override load() {
    return read(this.app, this.account, this.number)
  }

  #ask = async (conflict: Conflict) => {
    this.refusal = null
    this.articles = []
    this.asked = conflict
    try {
      this.articles = await Promise.all(conflict.article_ids.map((id) => readArticle(this.app, this.account, id)))
    } catch (error) {
      this.refusal = error
    }
  }

  #link = async (event: SubmitEvent, { integration_id: shop, sku }: Conflict) => {
    event.preventDefault()
    const chosen = new FormData(event.target as HTMLFormElement)
    const location = chosen.get('location')
    const path = { account: this.account, article: String(chosen.get('article')) }
    const body = {
      ...{ integration_id: shop, sku, variant_remote_id: String(chosen.get('variant')) },
      ...(location === null ? {} : { location: String(location) }),
    }
    this.refusal = null
    try {
      await ask(
        asApp(this.app).POST('/api/2.0/app/accounts/{account}/stock/articles/{article}/links', {
          params: { path },
          body,
        }),
      )
    } catch (error) {
      this.refusal = error
      return
    }
    this.asked = null
    toast('The article has been linked.')
    await this.reload()
    emit(this, 'linked', null)
  }

  #choice(name: string, label: string, values: readonly { value: string; text: string }[]) {
    return html`<div class="field"><label for=${name}>${label}</label>
      <select id=${name} name=${name}>${values.map(({ value, text }) => html`<option value=${value}>${text}</option>`)}</select></div>`
  }

  #dialog() {
    const { asked } = this
    const same = (ids: readonly string[]) => ids.map((id) => ({ value: id, text: id }))
    return html`<ep-dialog heading="Which one is meant?" ?open=${asked !== null} @close=${() => {
      this.asked = null
    }}>
      ${
        asked === null
          ? nothing
          : html`<form class="stack" @submit=${(event: SubmitEvent) => void this.#link(event, asked)}>
        <p>${asked.message} In ${this.shopName(asked.integration_id)} it has the SKU <code>${asked.sku}</code>.</p>
        ${this.refusal === null ? nothing : problem(this.refusal)}
        ${this.#choice('variant', 'Variant of the shop', same(asked.variant_remote_ids))}
        ${this.#choice(
          'article',
          'Article',
          this.articles.map(({ id, sku, name }) => ({ value: String(id), text: name ? `${sku} – ${name}` : sku })),
        )}
        ${asked.locations.length > 1 ? this.#choice('location', 'Location', same(asked.locations)) : nothing}
      </form>`
      }
      <button slot="actions" class="primary" ?disabled=${this.articles.length === 0} @click=${() => this.renderRoot.querySelector<HTMLFormElement>('form')?.requestSubmit()}>Link</button>
    </ep-dialog>`
  }

  #decision(conflict: Conflict) {
    const { article_ids: ids, reason } = conflict
    if (this.decides && reason !== 'linked_elsewhere')
      return html`<button class="small" @click=${() => void this.#ask(conflict)}>Decide</button>`
    const root = `/apps/${this.app}/shared-stock/${encodeURIComponent(this.account)}/articles`
    return ids.map((id) => html`<a href=${href(`${root}/${id}`)}>Article ${id}</a> `)
  }

  override show({ data, meta }: Data): TemplateResult {
    return html`<section class="stack"><h2>Not linked</h2>
      ${table<Conflict>({
        caption: 'Not linked',
        rows: data,
        empty: empty('Nothing is in doubt', 'Every variant that an article could be has been linked.'),
        columns: [
          { head: 'SKU', cell: ({ sku }) => html`<code>${sku}</code>` },
          { head: 'Why', cell: ({ message }) => message },
          {
            head: 'Shop',
            cell: ({ integration_id: id }) =>
              html`<a href=${href(`/apps/${this.app}/integrations/${id}`)}>${this.shopName(id)}</a>`,
            wide: true,
          },
          { head: 'Variants', cell: ({ variant_remote_ids: ids }) => html`<code>${ids.join(', ')}</code>`, wide: true },
          { head: 'Decision', cell: (conflict) => this.#decision(conflict) },
        ],
      })}
      ${pager(meta, (page) => changeQuery({ conflicts: String(page) }), 'Pages of what is not linked')}</section>
      ${this.#dialog()}`
  }
}
define('ep-stock-conflicts', StockConflicts)

const read = (app: string, account: string, page: number) =>
  ask(
    asApp(app).GET('/api/2.0/app/accounts/{account}/stock/conflicts', {
      params: { path: { account }, query: { page, per_page: 25 } },
    }),
  )

const readArticle = async (app: string, account: string, article: number) =>
  (
    await ask(
      asApp(app).GET('/api/2.0/app/accounts/{account}/stock/articles/{article}', {
        params: { path: { account, article: String(article) } },
      }),
    )
  ).data
