import { html, nothing, type TemplateResult } from 'lit'
import '../../../parts/dialog.ts'
import { define, Element, emit } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { badge } from '../../../parts/status.ts'
import { empty, table } from '../../../parts/table.ts'
import { toast } from '../../../parts/toast.ts'
import { asApp, ask } from '../../api.ts'
import { field, isGeneral, valuesOf } from '../../form.ts'
import { Page } from '../../page.ts'
import { href } from '../../router.ts'
import type { Pool } from './shared-stock.ts'

type Rule = Pool['shops'][number]
interface Shop {
  id: number
  name: string
  /** Null while the shop is not in the stock. */
  rule: Rule | null
}

/** Which shops share the stock, and what each of them shows of it. */
class StockShops extends Element {
  static override styles = Page.styles
  static override properties = {
    app: {},
    account: {},
    pool: { attribute: false },
    names: { attribute: false },
    decides: { type: Boolean },
    changed: { state: true },
    isDealing: { state: true },
    refusal: { state: true },
  }
  declare app: string
  declare account: string
  declare pool: Pool
  /** Of all shops of the merchant, by their number. */
  declare names: ReadonlyMap<number, string>
  /** Whether the user may change rules. */
  declare decides: boolean
  /** The shop whose rule is being changed. */
  declare changed: Shop | null
  declare isDealing: boolean
  declare refusal: unknown

  constructor() {
    super()
    this.decides = false
    this.changed = null
    this.isDealing = false
    this.refusal = null
  }

  async #act(work: () => Promise<unknown>, done: string) {
    this.refusal = null
    try {
      await work()
    } catch (error) {
      this.refusal = error
      return
    }
    this.changed = null
    this.isDealing = false
    toast(done)
    emit(this, 'changed', null)
  }

  #put = ({ id, name }: Shop, body: object) => {
    const params = { path: { account: this.account, integrationId: String(id) } }
    const call = () =>
      asApp(this.app).PUT('/api/2.0/app/accounts/{account}/stock/shops/{integrationId}', { params, body })
    return this.#act(() => ask(call()), `The rule of ${name} has been saved.`)
  }

  #takeOut = ({ id, name }: Shop) => {
    const params = { path: { account: this.account, integrationId: String(id) } }
    const call = () => asApp(this.app).DELETE('/api/2.0/app/accounts/{account}/stock/shops/{integrationId}', { params })
    return this.#act(() => ask(call()), `${name} no longer shares the stock. It keeps what it shows.`)
  }

  #deal = (event: SubmitEvent) => {
    event.preventDefault()
    const below = Number(valuesOf(event.target as HTMLFormElement)['deal_below'] ?? 0)
    const params = { path: { account: this.account } }
    const call = () =>
      asApp(this.app).PUT('/api/2.0/app/accounts/{account}/stock', { params, body: { deal_below: below } })
    void this.#act(
      () => ask(call()),
      below === 0 ? 'Every piece is offered in all shops.' : 'The last pieces are dealt out.',
    )
  }

  #save = (event: SubmitEvent, shop: Shop) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const { by_hand: byHand, location, ...typed } = valuesOf(form)
    const whole = (name: string) => (typed[name] === undefined ? {} : { [name]: Number(typed[name]) })
    void this.#put(shop, {
      ...Object.assign({}, ...['share_percent', 'margin', 'minimum', 'multiple'].map(whole)),
      ...{ cap: typed['cap'] === undefined ? null : Number(typed['cap']), location: location ?? null, by_hand: byHand },
      ...Object.fromEntries(switches.map(({ name }) => [name, new FormData(form).has(name)])),
    })
  }

  override render(): TemplateResult {
    const { shops: sharing, deal_below: below } = this.pool
    const rules = new Map(sharing.map((rule) => [rule.integration_id, rule]))
    const shops = [...this.names].map(([id, name]): Shop => ({ id, name, rule: rules.get(id) ?? null }))
    return html`<section class="stack"><h2>Shops and their rules</h2>
      ${this.refusal !== null && !this.changed && !this.isDealing ? problem(this.refusal) : nothing}
      ${table<Shop>({
        caption: 'Shops and their rules',
        rows: shops,
        empty: empty('No shops yet', 'This merchant has not connected a shop.'),
        columns: [
          {
            head: 'Shop',
            cell: ({ id, name }) => html`<a href=${href(`/apps/${this.app}/integrations/${id}`)}>${name}</a>`,
          },
          {
            head: 'Shows',
            cell: ({ rule }) => (rule ? ruleInWords(rule) : html`<span class="muted">Does not share the stock</span>`),
          },
          ...(this.decides ? [{ head: 'Actions', actions: true, cell: (shop: Shop) => this.#actions(shop) }] : []),
        ],
      })}
      <p>${below > 0 ? `Of an article of which fewer than ${below} are left, each piece is offered in one shop only: it cannot be sold twice.` : 'Every piece is offered in all shops, down to the last one.'}
        ${
          this.decides
            ? html`<button class="small" @click=${() => {
                this.refusal = null
                this.isDealing = true
              }}>Change how the last pieces are offered</button>`
            : nothing
        }</p>
      </section>${this.#ruleDialog()}${this.#dealDialog(below)}`
  }

  #actions(shop: Shop): TemplateResult {
    const { name, rule } = shop
    const change = () => {
      this.refusal = null
      this.changed = shop
    }
    return rule
      ? html`<button aria-label="Change rule of ${name}" @click=${change}>Change rule</button>`
      : html`<button aria-label="Share the stock with ${name}" @click=${() => void this.#put(shop, {})}>Share the stock</button>`
  }

  #ruleDialog() {
    const shop = this.changed
    const rule = shop?.rule
    return html`<ep-dialog heading=${shop ? `What ${shop.name} shows` : ''} ?open=${shop !== null} @close=${() => {
      this.changed = null
    }}>${shop && rule ? this.#ruleForm(shop, rule) : nothing}
      ${shop ? html`<button slot="actions" @click=${() => void this.#takeOut(shop)}>Take out of the stock</button>` : nothing}
      <button slot="actions" class="primary" @click=${() => this.renderRoot.querySelector<HTMLFormElement>('#rule')?.requestSubmit()}>Save</button>
    </ep-dialog>`
  }

  #ruleForm(shop: Shop, rule: Rule): TemplateResult {
    const { refusal: failure } = this
    const whole = (name: keyof Rule & string, label: string, help: string, min = 0) =>
      field({ ...{ name, label, help, min, failure }, type: 'number', value: String(rule[name] ?? '') })
    return html`<form id="rule" class="stack" @submit=${(event: SubmitEvent) => this.#save(event, shop)}>
      ${isGeneral(failure) ? problem(failure) : nothing}
      <div class="columns">
        ${whole('share_percent', 'Share in percent', 'Of what is available, rounded down.')}
        ${whole('margin', 'Kept back', 'Pieces that this shop never shows.')}
        ${field({ name: 'cap', label: 'At most', type: 'number', min: 0, required: false, value: rule.cap === null ? '' : String(rule.cap), help: 'No more than this is shown.', failure })}
        ${whole('minimum', 'From', 'Less than this is shown as sold out.')}
        ${whole('multiple', 'Packs of', 'Only whole packs are shown.', 1)}
        ${field({ name: 'location', label: 'Location', required: false, value: rule.location ?? '', help: 'Which of the shop’s own places is told, where it has several.', failure })}
      </div>
      <div class="field"><label for="by_hand">When somebody changes the number in the shop</label>
        <select id="by_hand" name="by_hand">
          <option value="correct" ?selected=${rule.by_hand === 'correct'}>Tell the shop again</option>
          <option value="believe" ?selected=${rule.by_hand === 'believe'}>Believe it and book a correction</option>
        </select></div>
      ${switches.map(({ name, label }) => html`<label class="row"><input type="checkbox" name=${name} ?checked=${rule[name]} /> ${label}</label>`)}
    </form>`
  }

  #dealDialog(below: number) {
    return html`<ep-dialog heading="The last pieces" ?open=${this.isDealing} @close=${() => {
      this.isDealing = false
    }}>${
      this.isDealing
        ? html`<form id="deal" class="stack" @submit=${this.#deal}>
        ${isGeneral(this.refusal) ? problem(this.refusal) : nothing}
        <p>Shops learn of each other’s sales within seconds, and buyers may be faster. A piece that is offered in one shop only cannot be sold twice; in return a buyer may see “sold out” where another shop still has one.</p>
        ${field({ name: 'deal_below', label: 'Deal out when fewer are left than', type: 'number', min: 0, value: String(below), help: '0 offers every piece in all shops.', failure: this.refusal })}
      </form>`
        : nothing
    }
      <button slot="actions" class="primary" @click=${() => this.renderRoot.querySelector<HTMLFormElement>('#deal')?.requestSubmit()}>Save</button>
    </ep-dialog>`
  }
}
define('ep-stock-shops', StockShops)

const switches = [
  { name: 'active', label: 'The shop is told' },
  { name: 'restock_returns', label: 'Returns that the shop has received are back in stock' },
  { name: 'cancel_oversold', label: 'Orders for which nothing is left are cancelled in the shop' },
] as const

/** What tells one of a shop's places from the others: of an address such as gid://shop/Location/1 its end. */
const shortId = (id: string): string => id.slice(id.lastIndexOf('/') + 1)

function ruleInWords({ active, share_percent: share, margin, cap, minimum, multiple, location }: Rule): TemplateResult {
  const parts = [
    share === 100 ? 'all that is available' : `${share} % of what is available`,
    ...(margin > 0 ? [`${margin} kept back`] : []),
    ...(cap === null ? [] : [`at most ${cap}`]),
    ...(minimum > 0 ? [`sold out below ${minimum}`] : []),
    ...(multiple > 1 ? [`in packs of ${multiple}`] : []),
    ...(location === null ? [] : [`at location ${shortId(location)}`]),
  ]
  const words = parts.join(', ')
  return html`${words.charAt(0).toUpperCase()}${words.slice(1)} ${active ? nothing : badge('neutral', 'Not told')}`
}
