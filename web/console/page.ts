import { css, html, nothing, type TemplateResult } from 'lit'
import { buttons, fields } from '../design/tokens.ts'
import { Refusal } from '../lib/ask.ts'
import { Element } from '../parts/element.ts'
import { problem, problems } from '../parts/problem.ts'
import { badges } from '../parts/status.ts'
import { empty, tables } from '../parts/table.ts'
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
  #turn = 0
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
      if (document.visibilityState === 'visible' && !this.isTold() && !isFinal(this.failure)) void this.reload()
    }
    if (this.refreshSeconds !== null) this.#timer = setInterval(refresh, this.refreshSeconds * 1000)
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    clearInterval(this.#timer)
    this.#turn++
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
    const turn = ++this.#turn
    this.loading = true
    try {
      const data = await this.load()
      if (turn !== this.#turn) return
      this.data = data
      this.failure = null
    } catch (error) {
      if (turn !== this.#turn) return
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

  static override styles = [
    ...Element.styles,
    buttons,
    fields,
    badges,
    problems,
    tables,
    css`
      :host {
        display: grid;
        gap: 16px;
        align-content: start;
        min-width: 0;
      }
      .bar {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 8px 16px;
      }
      .bar > div,
      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
      }
      /* Many fields to search by: in columns, each below its name. */
      form.filters {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(200px, 100%), 1fr));
        align-items: end;
        gap: 8px 12px;
      }
      form.filters label {
        display: grid;
        gap: 4px;
        min-width: 0;
      }
      form.filters input,
      form.filters select {
        width: 100%;
        min-width: 0;
      }
      form.filters button {
        justify-self: start;
      }
      .bar select {
        width: auto;
        max-width: 100%;
      }
      .bar > *,
      .row > * {
        min-width: 0;
        max-width: 100%;
      }
      h1,
      h2,
      p {
        overflow-wrap: anywhere;
      }
      .card {
        min-width: 0;
        padding: 16px;
        border: 1px solid var(--_line);
        border-radius: var(--_radius-card);
        background: var(--_surface);
      }
      .card:not(.stack) > h2 + * {
        margin-top: 12px;
      }
      .stack {
        display: grid;
        align-content: start;
        gap: 16px;
        min-width: 0;
      }
      .narrow > * {
        max-width: 640px;
      }
      .columns {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr));
        gap: 16px;
      }
      dl {
        display: grid;
        grid-template-columns: minmax(110px, max-content) 1fr;
        gap: 6px 16px;
        margin: 0;
      }
      dt {
        color: var(--_muted);
      }
      dd {
        margin: 0;
        min-width: 0;
        overflow-wrap: anywhere;
      }
      pre {
        margin: 0;
        padding: 12px;
        border-radius: var(--_radius);
        background: var(--_sunken);
        font: 400 12.5px / 19px var(--_mono);
        overflow-x: auto;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      fieldset {
        margin: 0;
        padding: 0;
        border: 0;
      }
      .choices {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(190px, 1fr));
        gap: 4px 12px;
        margin-top: 8px;
      }
      .choices label {
        font-weight: 400;
      }
      label.row {
        width: auto;
      }
      label.row select {
        width: auto;
        max-width: 420px;
      }
      form[role='search']:not(.filters) input {
        width: 240px;
      }
      @media (max-width: 720px) {
        label.row:has(select) {
          display: grid;
          gap: 4px;
          width: 100%;
        }
        label.row select {
          width: 100%;
          max-width: none;
        }
      }
      .notice:not(.badge) {
        display: flex;
        gap: 10px;
        padding: 10px 14px;
        border: 1px solid var(--_notice);
        border-radius: var(--_radius-card);
        background: var(--_notice-soft);
      }
      .notice.failed:not(.badge) {
        border-color: var(--_critical);
        background: var(--_critical-soft);
      }
      .notice:not(.badge) svg {
        flex: none;
        margin-top: 3px;
      }
      .skeleton {
        display: grid;
        gap: 12px;
      }
      .skeleton span {
        height: 44px;
        border-radius: var(--_radius);
        background: var(--_hover);
      }
    `,
  ]
}
