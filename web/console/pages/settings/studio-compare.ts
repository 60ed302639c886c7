import { css, html, nothing, type TemplateResult } from 'lit'
import { buttons, fields } from '../../../design/tokens.ts'
import '../../../parts/combobox.ts'
import type { Option } from '../../../parts/combobox.ts'
import { define, Element } from '../../../parts/element.ts'
import { problem, problems } from '../../../parts/problem.ts'
import { api, ask } from '../../api.ts'
import type { Tree } from './draft.ts'

type Compared = Awaited<ReturnType<typeof compare>>
type Counted = Omit<Compared, 'live'>

/** What the draft would change in the orders of a shop that goes by the published description: looked at before it counts. */
class StudioCompare extends Element {
  static override properties = {
    service: { attribute: false },
    definition: { attribute: false },
    chosen: { state: true },
    found: { state: true },
    busy: { state: true },
    refusal: { state: true },
  }
  declare service: number
  declare definition: Tree | null
  declare chosen: Option | null
  declare found: Compared | null
  declare busy: boolean
  declare refusal: unknown

  constructor() {
    super()
    this.service = 0
    this.definition = null
    this.chosen = null
    this.found = null
    this.busy = false
    this.refusal = null
  }

  /** What was found is about the draft as it was. */
  override willUpdate(changed: Map<PropertyKey, unknown>) {
    if (changed.has('definition') && JSON.stringify(changed.get('definition')) !== JSON.stringify(this.definition))
      this.found = null
  }

  #search = async (text: string): Promise<Option[]> => {
    const shops = await shopsOf(this.service, text)
    this.#known = [...this.#known, ...shops]
    return shops
  }
  #known: Option[] = []

  #pick = ({ detail }: CustomEvent<string>) => {
    this.chosen = this.#known.find(({ value }) => value === detail) ?? null
    this.found = null
  }

  async #compare(live: boolean) {
    const { chosen, definition } = this
    if (!chosen || !definition) return
    this.busy = true
    this.refusal = null
    try {
      this.found = await compare(Number(chosen.value), definition, live)
    } catch (error) {
      this.refusal = error
    }
    this.busy = false
  }

  override render(): TemplateResult {
    const { chosen, found, busy } = this
    const stuck = busy || !chosen || !this.definition
    return html`<p class="muted">Orders of a connected shop, read by this draft beside what is published. Nothing is stored.</p>
      <ep-combobox label="Shop" .value=${chosen?.value ?? ''} .shown=${chosen?.text ?? ''} .search=${this.#search} @pick=${this.#pick}></ep-combobox>
      <div class="row">
        <button type="button" ?disabled=${stuck} @click=${() => this.#compare(false)}>Compare stored orders</button>
        <button type="button" ?disabled=${stuck} @click=${() => this.#compare(true)}>Also ask the shop</button>
        ${busy ? html`<span class="muted" aria-live="polite">Comparing…</span>` : nothing}
      </div>
      ${this.refusal ? problem(this.refusal) : nothing}
      ${found ? html`<div role="status">${counted('Stored', found)}${found.live ? counted('From the shop, now', found.live) : nothing}</div>` : nothing}`
  }

  static override styles = [
    ...Element.styles,
    buttons,
    fields,
    problems,
    css`
      :host,
      [role='status'] {
        display: grid;
        gap: 12px;
      }
      h3,
      p {
        margin: 0;
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
        align-items: center;
      }
      ul {
        display: grid;
        gap: 8px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: grid;
        gap: 2px;
        padding-inline-start: 8px;
        border-inline-start: 2px solid var(--_line);
        overflow-wrap: anywhere;
      }
    `,
  ]
}
define('ep-studio-compare', StudioCompare)

const orders = (count: number) => (count === 1 ? 'one order' : `${count} orders`)

/** By field, with the first example: the others are in the API. */
function counted(title: string, { compared, unchanged, changed, failed, fields: found, failures }: Counted) {
  return html`<h3>${title}: ${orders(compared)} compared</h3>
    <p>${unchanged} the same, ${changed} different, ${failed} not understood by both.</p>
    <ul>
      ${found.map(
        ({ field, count, examples: [first] }) => html`<li><span><code>${field}</code> in ${orders(count)}</span>
          ${first ? html`<span class="muted">${first.remote_id}: ${value(first.before)} becomes ${value(first.after)}</span>` : nothing}</li>`,
      )}
      ${failures.map(
        ({ reason, count, example }) =>
          html`<li><span>${reason}</span><span class="muted">In ${orders(count)}, as in ${example}.</span></li>`,
      )}
    </ul>`
}

/** What is about people is counted and not shown. */
const value = (shown: unknown) => html`<code>${shown === null ? '—' : JSON.stringify(shown).slice(0, 120)}</code>`

async function compare(integration: number, definition: Tree, live: boolean) {
  const body = { integration_id: integration, definition, live }
  return (await ask(api.POST('/api/2.0/user/services/compare', { body }))).data
}

async function shopsOf(service: number, text: string): Promise<Option[]> {
  const query = { service_id: String(service), per_page: 15, sort: 'name', ...(text && { q: text }) }
  const { data } = await ask(api.GET('/api/1.0/integrations', { params: { query } }))
  return data.map(({ id, name, shop }) => ({ value: String(id), text: name, more: shop }))
}
