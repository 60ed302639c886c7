import { css, html, nothing, type TemplateResult } from 'lit'
import type createClient from 'openapi-fetch'
import { buttons, fields } from '../design/tokens.ts'
import type { paths } from '../lib/api-types.gen.ts'
import { ask } from '../lib/ask.ts'
import { define, Element, sheet } from './element.ts'
import { icon } from './icons.ts'
import { type ProblemWords, problem, problems } from './problem.ts'
import { settled } from './settled.ts'
import { empty, table, tables } from './table.ts'
import { toast } from './toast.ts'

interface ShopStatus {
  word: string
  name: string
  means: string | null
}

interface Explained {
  id: number
  settings: unknown
  service?: { settings_schema?: unknown } | null | undefined
}

/** What is said in English; pages of other languages bring their own. */
export const statusWords = {
  title: 'Statuses of orders',
  ask: 'Ask the shop for its statuses',
  caption: 'Statuses of the shop',
  none: 'No statuses',
  noneHelp: 'The shop has none for its orders.',
  inShop: 'In the shop',
  word: 'Word',
  means: 'Means',
  whatMeans: (name: string) => `What ${name} means`,
  unknown: 'Unknown: its orders are held',
  depends: 'It depends on the rest of the order',
  saved: 'Saved. The orders of the shop are compared again.',
  meanings: {
    pending: 'pending',
    open: 'open',
    on_hold: 'on_hold',
    completed: 'completed',
    cancelled: 'cancelled',
  } as Record<string, string>,
}
export type StatusWords = typeof statusWords

/** The settings in which merchants explain their own statuses, and what they call the status there. */
const settingNames: Readonly<Record<string, string>> = { order_statuses: 'status', custom_states: 'state' }

/** The statuses that a shop has for its orders, and what they mean here; those that it made up itself can be explained. */
class ShopStatuses extends Element {
  static override styles = [
    ...sheet,
    buttons,
    fields,
    tables,
    problems,
    css`
      :host {
        display: grid;
        gap: 12px;
        justify-items: start;
      }
      .table,
      .problem {
        justify-self: stretch;
      }
      select {
        width: auto;
        max-width: min(260px, 44vw);
      }
    `,
  ]
  static override properties = {
    integration: { attribute: false },
    client: { attribute: false },
    words: { attribute: false },
    manner: { attribute: false },
    statuses: { state: true },
    failure: { state: true },
    asking: { state: true },
  }
  declare integration: Explained
  declare client: ReturnType<typeof createClient<paths>>
  declare words: StatusWords
  /** How refusals are said; as the service says them where it is absent. */
  declare manner: ProblemWords | undefined
  declare statuses: readonly ShopStatus[] | null
  declare failure: unknown
  declare asking: boolean

  constructor() {
    super()
    this.words = statusWords
    this.manner = undefined
    this.statuses = null
    this.failure = null
    this.asking = false
  }

  get #path() {
    return { params: { path: { integrationId: String(this.integration.id) } } }
  }

  /** Where this service takes explanations; null where it needs none. */
  get #setting(): string | null {
    const known = Object(Object(this.integration.service?.settings_schema).properties)
    return Object.keys(settingNames).find((name) => Object.hasOwn(known, name)) ?? null
  }

  async #do(work: () => Promise<unknown>) {
    this.asking = true
    this.failure = null
    try {
      await work()
    } catch (error) {
      this.failure = error
    }
    this.asking = false
  }

  #read = () =>
    this.#do(async () => {
      const { data } = await ask(
        this.client.POST('/api/2.0/webcomponent/integrations/{integrationId}/actions', {
          ...this.#path,
          body: { resource: 'get_order_statuses' },
        }),
      )
      this.statuses = data as readonly ShopStatus[]
    })

  /** Orders that were held for it are read again. */
  #explain = (setting: string, word: string, means: string) =>
    this.#do(async () => {
      const settings = Object(this.integration.settings) as Record<string, unknown>
      const field = settingNames[setting] ?? ''
      const known = (settings[setting] ?? []) as Record<string, string>[]
      const others = known.filter((one) => one[field] !== word)
      const explained = means === '' ? others : [...others, { [field]: word, means }]
      const body = { settings: { ...settings, [setting]: explained } }
      const { data } = await ask(
        this.client.PUT('/api/2.0/webcomponent/integrations/{integrationId}', { ...this.#path, body }),
      )
      this.integration = { ...this.integration, settings: data.settings }
      await ask(
        this.client.POST('/api/2.0/webcomponent/integrations/{integrationId}/actions', {
          ...this.#path,
          body: { resource: 'reconcile' },
        }),
      )
      toast(this.words.saved)
      await this.#read()
    })

  #meaning({ word, name, means }: ShopStatus): TemplateResult {
    const { words } = this
    const named = (meaning: string) => words.meanings[meaning] ?? meaning
    const setting = this.#setting
    const settings = Object(this.integration.settings) as Record<string, Record<string, string>[] | undefined>
    const own = setting !== null && settings[setting]?.some((one) => one[settingNames[setting] ?? ''] === word)
    if (setting === null || (means !== null && !own)) return html`${means === null ? words.depends : named(means)}`
    return html`<select aria-label=${words.whatMeans(name)} ?disabled=${this.asking} ${settled(
      (value) => void this.#explain(setting, word, value),
    )}>
      <option value="" .selected=${means === null}>${words.unknown}</option>
      ${Object.keys(words.meanings).map((one) => html`<option value=${one} .selected=${one === means}>${named(one)}</option>`)}
    </select>`
  }

  override render(): TemplateResult {
    const { words } = this
    return html`${this.failure ? problem(this.failure, this.manner ? { words: this.manner } : {}) : nothing}
      ${
        this.statuses === null
          ? html`<button ?disabled=${this.asking} @click=${this.#read}>${icon('refresh')}${words.ask}</button>`
          : table({
              caption: words.caption,
              rows: this.statuses,
              empty: empty(words.none, words.noneHelp),
              columns: [
                { head: words.inShop, cell: ({ name }) => name },
                { head: words.word, cell: ({ word }) => html`<code>${word}</code>`, wide: true },
                { head: words.means, cell: (status) => this.#meaning(status) },
              ],
            })
      }`
  }
}
define('ep-shop-statuses', ShopStatuses)
