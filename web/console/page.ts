import { html, nothing, type TemplateResult } from 'lit'
import { buttons, fields } from '../design/tokens.ts'
import { Refusal } from '../lib/ask.ts'
import { questions } from '../lib/overlaps.ts'
import { Element } from '../parts/element.ts'
import { problem, problems } from '../parts/problem.ts'
import { badges } from '../parts/status.ts'
import { empty, tables } from '../parts/table.ts'
import { pageStyles } from './page-styles.ts'
import { href } from './router.ts'
import type { Me } from './session.ts'

/** Asking again by itself would not help: what is not there stays away, and whoever is signed out has to sign in. */
const isFinal = (failure: unknown): boolean =>
  isMissing(failure) || (failure instanceof Refusal && failure.status === 401)

const isMissing = (failure: unknown): boolean => failure instanceof Refusal && failure.status === 404

/**
 * What a page of the console is: it loads what it shows, keeps the old until the new is there, loads again when its
 * address changes or `reload()` is called, and by itself every `refreshSeconds`, unless it is told of changes.
 *
 * ```ts
 * class Orders extends Page<OrderList> {
 *   override load = async () => ask(asApp(this.params.app).GET('/api/2.0/app/orders', { … }))
 *   override show = (orders: OrderList) => html`…`
 * }
 * define('ep-page-orders', Orders)
 * ```
 *
 * Where it is found stands in `routes.ts`.
 */
export abstract class Page<Data> extends Element {
  static override properties = {
    params: { attribute: false },
    query: { attribute: false },
    me: { attribute: false },
    data: { state: true },
    failure: { state: true },
    loading: { state: true },
  }
  declare params: Readonly<Record<string, string>>
  declare query: URLSearchParams
  declare me: Me
  declare data: Data | undefined
  declare failure: unknown
  declare loading: boolean

  refreshSeconds: number | null = null
  /** Whether it hears of changes by itself just now: then the clock is not followed. */
  isTold = (): boolean => false
  #questions = questions()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor() {
    super()
    this.params = {}
    this.query = new URLSearchParams()
    this.data = undefined
    this.failure = null
    this.loading = false
  }

  abstract load(): Promise<Data>
  abstract show(data: Data): TemplateResult

  /** While nothing is there yet: shapes in the size of what comes. */
  placeholder(): TemplateResult {
    return html`<div class="skeleton" role="status" aria-label="Loading">
      <span></span><span></span><span></span><span></span>
    </div>`
  }

  override connectedCallback() {
    super.connectedCallback()
    const refresh = () => {
      if (document.visibilityState !== 'visible' || this.isTold() || isFinal(this.failure) || this.#questions.waits)
        return
      void this.reload()
    }
    if (this.refreshSeconds !== null) this.#timer = setInterval(refresh, this.refreshSeconds * 1000)
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    clearInterval(this.#timer)
    this.#questions.drop()
  }

  override willUpdate(changed: Map<PropertyKey, unknown>) {
    if (changed.has('params') || changed.has('query')) void this.reload()
  }

  /** What was refused is shown at its field, and that is where the next try begins. */
  override updated(changed: Map<PropertyKey, unknown>) {
    if (changed.has('refusal')) this.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }

  /** Of two that overlap the later one counts. */
  async reload(): Promise<void> {
    const counts = this.#questions.ask()
    this.loading = true
    try {
      const data = await this.load()
      if (!counts()) return
      this.data = data
      this.failure = null
    } catch (error) {
      if (!counts()) return
      this.failure = error
    }
    this.loading = false
  }

  override render(): TemplateResult {
    const failed = this.failure ? problem(this.failure, { retry: () => void this.reload() }) : nothing
    if (this.data === undefined) return this.failure ? this.#failed() : this.placeholder()
    return html`${failed}${this.show(this.data)}`
  }

  /** Nothing could be shown: what is not there is not worth another try. */
  #failed(): TemplateResult {
    if (isMissing(this.failure)) {
      const back = html`<a class="button" href=${href('/')}>Go to the overview</a>`
      const why = 'It may have been deleted, the address may be mistyped, or you have no access to it.'
      return html`<h1>Not found</h1>${empty('This is not here', why, back)}`
    }
    return html`<h1>This page could not be loaded</h1>${problem(this.failure, { retry: () => void this.reload() })}`
  }

  static override styles = [...Element.styles, buttons, fields, badges, problems, tables, pageStyles]
}
