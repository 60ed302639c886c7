import { css, html, nothing, type TemplateResult } from 'lit'
import { ask, Refusal } from '../lib/ask.ts'
import { questions } from '../lib/overlaps.ts'
import { cardLists } from '../parts/cards.ts'
import { define, emit } from '../parts/element.ts'
import { problem } from '../parts/problem.ts'
import { badge } from '../parts/status.ts'
import { empty, tables } from '../parts/table.ts'
import { toast } from '../parts/toast.ts'
import { Embedded } from './embedded.ts'
import { type Article, articleCard, articleStyles, readArticles, readShared, type Shared } from './stock-articles.ts'
import { type Count, changed, countDialog, newCount } from './stock-count.ts'

const lookEveryMs = 5000

/** What an account token needs for a count. Who it is given to may read it; the service looks for itself. */
const writing = ['*', 'webcomponent:integration-event']

/**
 * What `<entrepot-stock>` shows: what is there of each article, what is reserved, what each shop shows. Articles
 * are counted where the token may.
 *
 * Emits: `entrepot-counted` with `{ sku, quantity }`.
 */
class Stock extends Embedded {
  static override properties = {
    ...Embedded.properties,
    shared: { state: true },
    articles: { state: true },
    more: { state: true },
    failure: { state: true },
    refused: { state: true },
    text: { state: true },
    count: { state: true },
  }
  /** Undefined until it has been asked for; null where the shops share none. */
  declare shared: Shared | null | undefined
  declare articles: readonly Article[] | null
  declare more: boolean
  declare failure: unknown
  /** Why there is no further page: said until the next thing is asked for. */
  declare refused: unknown
  declare text: string
  declare count: Count | null
  #page = 1
  #questions = questions()
  #timer: ReturnType<typeof setInterval> | undefined
  #typing: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    this.shared = undefined
    this.articles = null
    this.more = false
    this.failure = null
    this.refused = null
    this.text = ''
    this.count = null
  }

  override async begin(): Promise<void> {
    try {
      this.shared = await readShared(this.client)
      if (this.shared === null) this.failure = null
      else await this.#read()
    } catch (error) {
      this.failure = error
    }
  }

  async #read(): Promise<void> {
    const counts = this.#questions.ask()
    try {
      const { data, meta } = await readArticles(this.client, this.text, 1)
      if (!counts()) return
      this.#page = 1
      this.articles = data
      this.more = meta.last_page > 1
      this.failure = null
    } catch (error) {
      if (counts()) this.failure = error
    }
  }

  override connectedCallback() {
    super.connectedCallback()
    this.#timer = setInterval(() => {
      const isOut = this.failure instanceof Refusal && [401, 403].includes(this.failure.status)
      const isWatched = document.visibilityState === 'visible' && this.articles && !this.count && this.#page === 1
      if (isWatched && !isOut && !this.#questions.waits) void this.#read()
    }, lookEveryMs)
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    this.#questions.drop()
    clearInterval(this.#timer)
    clearTimeout(this.#typing)
  }

  get #mayCount(): boolean {
    if (this.session) return true
    const scopes = scopesIn(this.token)
    return scopes === null || writing.some((scope) => scopes.includes(scope))
  }

  #search = (event: Event) => {
    this.refused = null
    this.text = (event.target as HTMLInputElement).value
    clearTimeout(this.#typing)
    this.#typing = setTimeout(() => void this.#read(), 250)
  }

  #further = async () => {
    const counts = this.#questions.ask()
    this.refused = null
    try {
      const { data, meta } = await readArticles(this.client, this.text, this.#page + 1)
      if (!counts()) return
      this.#page++
      const known = new Set(this.articles?.map(({ id }) => id))
      this.articles = [...(this.articles ?? []), ...data.filter(({ id }) => !known.has(id))]
      this.more = meta.last_page > this.#page
    } catch (error) {
      if (counts()) this.refused = error
    }
  }

  #save = async () => {
    const { count } = this
    if (!count) return
    if (!/^\d{1,9}$/.test(count.quantity)) {
      this.count = { ...count, wrong: true }
      return
    }
    const { key, article, place, note } = count
    const quantity = Number(count.quantity)
    const movement = {
      key,
      kind: 'count',
      sku: article.sku,
      quantity,
      ...(place && { place }),
      ...(note && { note }),
    } as const
    this.count = { ...count, busy: true, refusal: null }
    try {
      await ask(
        this.client.POST('/api/2.0/webcomponent/stock/movements', {
          body: { source: 'component', movements: [movement] },
        }),
      )
      this.count = null
      toast(this.words.stock.saved)
      emit(this, 'entrepot-counted', { sku: article.sku, quantity })
      await this.#read()
    } catch (error) {
      this.count = { ...count, busy: false, refusal: error }
    }
  }

  override render(): TemplateResult {
    const { words } = this
    const { stock } = words
    const failed = this.failure ? problem(this.failure, { retry: () => void this.begin(), words }) : nothing
    if (this.shared === undefined) {
      const waiting = this.mayAsk ? words.loading : words.needsToken
      return html`<div class="stack">${this.failure ? failed : html`<p class="muted" role="status">${waiting}</p>`}</div>`
    }
    if (this.shared === null) return html`<div class="stack">${failed}${empty(stock.off, stock.offHelp)}</div>`
    return html`<section class="stack" part="stock" aria-label=${stock.title}>
        ${this.#mode(this.shared)}
        <input type="search" aria-label=${stock.search} placeholder=${stock.search} .value=${this.text} @input=${this.#search} />
        ${failed}${this.#list(this.shared)}
        ${this.refused ? problem(this.refused, { words }) : nothing}
        ${this.more ? html`<div><button @click=${this.#further}>${stock.more}</button></div>` : nothing}
      </section>
      ${this.#question(this.shared)}`
  }

  #mode({ mode }: Shared): TemplateResult | typeof nothing {
    const { stock } = this.words
    return mode === 'on'
      ? nothing
      : html`<div>${badge(mode === 'dry' ? 'notice' : 'neutral', mode === 'dry' ? stock.dry : stock.stopped)}</div>`
  }

  #list(shared: Shared): TemplateResult {
    const { stock } = this.words
    if (!this.articles) return html`<p class="muted" role="status">${this.words.loading}</p>`
    if (this.articles.length === 0)
      return this.text === ''
        ? empty(stock.none, stock.noneHelp)
        : html`<p class="muted" role="status">${stock.noneFound(this.text)}</p>`
    const presentation = { words: stock, language: this.language, shopNames: shared.shopNames }
    const mayCount = this.#mayCount
    return html`<ul class="stack" part="articles">${this.articles.map((article) =>
      articleCard(article, presentation, mayCount ? () => this.#ask(article) : null),
    )}</ul>`
  }

  #ask(article: Article) {
    this.count = newCount(article)
  }

  #question({ places }: Shared): TemplateResult | typeof nothing {
    if (!this.count) return nothing
    return countDialog(this.count, {
      words: this.words,
      places,
      onChange: (changes) => {
        if (this.count) this.count = changed(this.count, changes)
      },
      onSave: () => void this.#save(),
      onClose: () => {
        this.count = null
      },
    })
  }

  static override styles = [
    ...Embedded.styles,
    cardLists,
    tables,
    articleStyles,
    css`
      input[type='search'] {
        max-width: 420px;
      }
    `,
  ]
}
define('ep-stock', Stock)

/** Null where it is not said. */
function scopesIn(token: string | null): readonly string[] | null {
  try {
    const claims = token?.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/')
    const { scopes } = JSON.parse(atob(claims ?? '')) as { scopes?: unknown }
    return Array.isArray(scopes) ? scopes.map(String) : null
  } catch {
    return null
  }
}
