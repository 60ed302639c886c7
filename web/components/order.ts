import { css, html, nothing, type TemplateResult } from 'lit'
import { ask } from '../lib/ask.ts'
import { missingOf } from '../lib/missing.ts'
import { questions } from '../lib/overlaps.ts'
import { define } from '../parts/element.ts'
import { missingOrder } from '../parts/missing.ts'
import { problem } from '../parts/problem.ts'
import { stateName } from '../parts/status.ts'
import { tables } from '../parts/table.ts'
import { type PassportSteps, timeline, timelines } from '../parts/timeline.ts'
import { Embedded } from './embedded.ts'
import { type RecentOrders, readRecent, recentOrders } from './recent-orders.ts'

interface Passport {
  order: { number: string | null; remote_id: string; status: string }
  steps: PassportSteps
}

/**
 * `<entrepot-order number="1001">`: everything that has happened to one order, as a timeline. Without `number` it asks
 * for one. `integration` narrows it to one shop, whose latest orders are there to choose from.
 */
class Order extends Embedded {
  static override properties = {
    ...Embedded.properties,
    number: {},
    integration: {},
    passport: { state: true },
    failure: { state: true },
    recent: { state: true },
    status: { state: true },
  }
  declare number: string
  declare integration: string
  declare passport: Passport | null
  declare failure: unknown
  declare recent: RecentOrders | null
  declare status: string
  readonly #words = new Set<string>()
  readonly #questions = questions()

  constructor() {
    super()
    this.number = ''
    this.integration = ''
    this.passport = null
    this.failure = null
    this.recent = null
    this.status = ''
  }

  override async begin(): Promise<void> {
    if (!this.number) return await this.#readRecent()
    const counts = this.#questions.ask()
    try {
      const query = { number: this.number, ...(this.integration && { integration_id: this.integration }) }
      const { data } = await ask(
        this.client.GET('/api/2.0/webcomponent/passport', { params: { query: query as never } }),
      )
      if (!counts()) return
      this.passport = data as unknown as Passport
      this.failure = null
    } catch (error) {
      if (!counts()) return
      this.passport = null
      this.failure = error
    }
  }

  async #readRecent(): Promise<void> {
    const counts = this.#questions.ask()
    this.passport = null
    this.failure = null
    if (!this.integration) return
    try {
      const recent = await readRecent(this.client, this.integration, this.status)
      if (!counts()) return
      this.recent = recent
      for (const { remote_status: word } of recent) if (word) this.#words.add(word)
    } catch (error) {
      if (counts()) this.failure = error
    }
  }

  override updated(changed: Map<PropertyKey, unknown>) {
    super.updated(changed)
    const isOther = changed.has('integration') && changed.get('integration') !== undefined
    if (isOther) this.#forget()
    const isAnother = changed.has('number') && changed.get('number') !== undefined
    if ((isOther || isAnother) && this.mayAsk) void this.begin()
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    this.#questions.drop()
  }

  /** Nothing of one shop is left in sight as if it were of another. */
  #forget() {
    this.#words.clear()
    this.status = ''
    this.recent = null
    this.passport = null
    this.failure = null
  }

  #submit = (event: SubmitEvent) => {
    event.preventDefault()
    const given = new FormData(event.target as HTMLFormElement).get('number')
    this.number = String(given ?? '').trim()
  }

  override render(): TemplateResult {
    const { order } = this.words
    return html`<section class="stack" part="order" aria-label=${order.title}>
      <form class="row" role="search" aria-label=${order.find} @submit=${this.#submit}>
        <input name="number" aria-label=${order.number} placeholder=${order.number} .value=${this.number} />
        <button class="primary">${order.show}</button>
      </form>
      ${this.failure ? this.#missing(this.failure) : nothing}
      ${this.passport ? this.#found(this.passport) : nothing}
      ${this.recent && !this.number ? this.#recent(this.recent) : nothing}
    </section>`
  }

  /** An order that is not there is no failure: the service says why, as far as anybody can know. */
  #missing(failure: unknown): TemplateResult {
    const { words } = this
    const missing = missingOf(failure)
    if (!missing) return problem(failure, { retry: () => void this.begin(), words })
    return html`<div class="card stack" role="status">
      <h2 class="title">${words.order.none}</h2>
      ${missingOrder(missing, {
        words: words.order.missing,
        language: this.language,
        ...(words.reasons && { say: words.reasons }),
      })}
    </div>`
  }

  #recent(orders: RecentOrders): TemplateResult {
    return recentOrders(orders, {
      words: this.words,
      language: this.language,
      status: this.status,
      known: [...this.#words].toSorted(),
      state: this.#state,
      onStatus: (status) => {
        this.status = status
        void this.#readRecent()
      },
      onOrder: (number) => {
        this.number = number
      },
    })
  }

  /** Null in English, which the service speaks by itself. */
  get #said() {
    return this.words.steps ?? null
  }

  #state = (code: string): string => stateName(this.#said?.value('status', code) ?? code)

  #found({ order, steps }: Passport): TemplateResult {
    const { order: words } = this.words
    const said = this.#said && { ...this.#said, reason: this.words.reasons }
    return html`<h2 class="title">${words.title} ${order.number ?? order.remote_id} · ${this.#state(order.status)}</h2>
      ${timeline(steps, { language: this.language, label: words.steps, took: words.took, ...(said && { said }) })}`
  }

  static override styles = [
    ...Embedded.styles,
    timelines,
    tables,
    css`
      form input {
        flex: 1 1 160px;
        width: auto;
        max-width: 320px;
      }
      label.row select {
        width: auto;
        max-width: 320px;
      }
      td button.quiet {
        margin-inline-start: -12px;
      }
    `,
  ]
}
define('entrepot-order', Order)
