import { css, html, nothing, type TemplateResult } from 'lit'
import { buttons, fields } from '../../../design/tokens.ts'
import { copyText } from '../../../parts/copy.ts'
import '../../../parts/dialog.ts'
import { define, Element, emit } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { problem, problems } from '../../../parts/problem.ts'
import { toast } from '../../../parts/toast.ts'
import { asApp, ask, Refusal } from '../../api.ts'
import { formDialog } from '../../ask-form.ts'
import { field, valuesOf } from '../../form.ts'
import { type Me, may } from '../../session.ts'
import type { Data, Order } from './order-facts.ts'
import { summaryOf } from './order-summary.ts'

const askings = ['ship', 'refund', 'cancel'] as const
type Asking = (typeof askings)[number]
const isAsking = (word: string): word is Asking => askings.some((one) => one === word)
type Line = Order['items'][number]

/** Pieces of a line that something can still be done with. */
const leftToSend = ({
  quantity,
  quantity_fulfilled: sent,
  quantity_cancelled: cancelled,
  requires_shipping: goes,
}: Line) => (goes === false ? 0 : Math.max(quantity - sent - cancelled, 0))
const leftToRefund = ({ quantity, quantity_refunded: refunded }: Line) => Math.max(quantity - refunded, 0)
const leftToCancel = ({ quantity, quantity_fulfilled: sent, quantity_cancelled: cancelled }: Line) =>
  Math.max(quantity - sent - cancelled, 0)

const keyField = 'Idempotency-Key'
/** Nothing was done, and for a reason. Not so where only the key was refused: what was sent under it before may have been done. */
const isRefused = (error: unknown) => error instanceof Refusal && error.status === 422 && !(keyField in error.errors)

const open: readonly string[] = ['UNPAID', 'ON_HOLD', 'PENDING', 'ACKNOWLEDGED']

/**
 * What can be done to an order: as far as its platform can do it, the user may, and there is something left to do. What the
 * shop refuses stands at the field that it is about. Emits `changed`.
 */
class OrderActions extends Element {
  static override properties = {
    app: { attribute: false },
    me: { attribute: false },
    data: { attribute: false },
    begin: { attribute: false },
    asking: { state: true },
    failure: { state: true },
    busy: { state: true },
  }
  declare app: string
  declare me: Me
  declare data: Data
  /** What the address asks for: it is begun once, and `begun` says so. */
  declare begin: string | null
  declare asking: Asking | null
  declare failure: unknown
  declare busy: boolean
  /** The same until there is an answer: whoever presses twice pays back once. What was refused and then changed is another request. */
  #key = ''

  constructor() {
    super()
    this.app = ''
    this.begin = null
    this.asking = null
    this.failure = null
    this.busy = false
  }

  get #capabilities() {
    return this.data.integration.service?.capabilities
  }

  get #can() {
    const { order } = this.data
    const can = this.#capabilities
    const acts = may(this.me, 'run-action', this.app)
    const changes = may(this.me, 'update-order', this.app)
    const offers = (name: string) => can?.actions.includes(name) ?? false
    const isOpen = open.includes(order.status)
    return {
      ship:
        acts &&
        offers('create_shipment') &&
        order.status !== 'CANCELLED' &&
        order.items.some((line) => leftToSend(line) > 0),
      refund:
        changes &&
        (can?.refund_by.length ?? 0) > 0 &&
        order.status !== 'UNPAID' &&
        order.status !== 'REFUNDED' &&
        order.payment_status !== 'refunded',
      cancel: changes && offers('cancel_order') && isOpen,
      fetch: acts && offers('get_order'),
    }
  }

  #carrier = ''

  async #ask(what: Asking) {
    this.failure = null
    this.#key = crypto.randomUUID()
    if (what === 'ship') this.#carrier = await this.#usualCarrier()
    this.asking = what
  }

  /** Who carried the shop's last parcel most likely carries this one. */
  async #usualCarrier(): Promise<string> {
    const query = { integration_id: this.data.order.integration_id, sort: '-id', per_page: 1 } as never
    const last = await ask(asApp(this.app).GET('/api/2.0/app/shipments', { params: { query } })).catch(() => null)
    return last?.data[0]?.carrier ?? ''
  }

  #beginAsked(wanted: string) {
    emit(this, 'begun', null)
    const known = isAsking(wanted)
    if (known && this.#can[wanted]) void this.#ask(wanted)
    else if (known) toast(`There is nothing to ${wanted} in this order, or you may not.`, 'critical')
  }

  async #do(work: () => Promise<unknown>, said: string) {
    if (this.busy) return
    this.busy = true
    this.failure = null
    try {
      await work()
      this.asking = null
      toast(said)
      emit(this, 'changed', null)
    } catch (error) {
      this.failure = error
      if (isRefused(error)) this.#key = crypto.randomUUID()
    }
    this.busy = false
  }

  get #order() {
    const { order } = this.data
    return {
      params: {
        path: { order: String(order.id) },
        query: { integration_id: order.integration_id } as never,
        header: { [keyField]: this.#key } as never,
      },
    }
  }

  /** What was typed at each line; null where it is all that is left of every one. */
  #lines(form: HTMLFormElement, left: (line: Line) => number) {
    const typed = valuesOf(form)
    const wanted = this.data.order.items.flatMap((line, n) => {
      const quantity = Number(typed[`line-${n}`] ?? 0)
      return line.remote_id !== null && quantity > 0 ? [{ order_line_remote_id: line.remote_id, quantity }] : []
    })
    const all = this.data.order.items.filter((line) => left(line) > 0)
    const isAll =
      wanted.length === all.length &&
      all.every((line) =>
        wanted.some((one) => one.order_line_remote_id === line.remote_id && one.quantity === left(line)),
      )
    return { wanted, isAll }
  }

  #ship = (form: HTMLFormElement) => {
    const { order } = this.data
    const { tracking_number: number = '', carrier = '', tracking_url: url } = valuesOf(form)
    const { wanted, isAll } = this.#lines(form, leftToSend)
    const body = {
      resource: 'create_shipment',
      order_remote_id: order.remote_id,
      tracking_number: number,
      carrier,
      ...(url && { tracking_url: url }),
      ...(!isAll && wanted.length > 0 && { lines: wanted }),
    }
    const params = {
      path: { integrationId: String(order.integration_id) },
      header: { [keyField]: this.#key } as never,
    }
    return this.#do(
      () =>
        ask(asApp(this.app).POST('/api/2.0/app/integrations/{integrationId}/action', { params, body: body as never })),
      'The shop has the parcel.',
    )
  }

  #refund = (form: HTMLFormElement) => {
    const { amount, reason, restock } = valuesOf(form)
    const { wanted } = this.#lines(form, leftToRefund)
    const body = {
      ...(amount && { amount }),
      ...(wanted.length > 0 && { lines: wanted }),
      ...(restock && { restock: true }),
      ...(reason && { reason }),
    }
    return this.#do(
      () => ask(asApp(this.app).POST('/api/2.0/app/orders/{order}/refunds', { ...this.#order, body: body as never })),
      'The shop has refunded it.',
    )
  }

  #cancel = (form: HTMLFormElement) => {
    const { reason } = valuesOf(form)
    const { wanted, isAll } = this.#lines(form, leftToCancel)
    const body = { ...(reason && { reason }), ...(!isAll && wanted.length > 0 && { lines: wanted }) }
    return this.#do(
      () => ask(asApp(this.app).POST('/api/2.0/app/orders/{order}/cancel', { ...this.#order, body: body as never })),
      'The shop has cancelled it.',
    )
  }

  #fetch = () => {
    this.#key = crypto.randomUUID()
    return this.#do(
      () => ask(asApp(this.app).POST('/api/2.0/app/orders/{order}/fetch', { ...this.#order, body: {} as never })),
      'Fetched from the shop.',
    )
  }

  #copy = async () => {
    try {
      await copyText(summaryOf(this.data))
      toast('The summary is in the clipboard.')
    } catch {
      toast('The browser does not let us copy.', 'critical')
    }
  }

  #lineFields(left: (line: Line) => number, value: (line: Line) => number): TemplateResult {
    return html`<fieldset class="lines"><legend>Lines</legend>
      ${this.data.order.items.map((line, n) =>
        left(line) === 0 || line.remote_id === null
          ? nothing
          : html`<label class="line"><span>${line.name ?? line.sku}${line.variant_name ? html` <span class="muted">${line.variant_name}</span>` : nothing}</span>
              <span class="many"><input name="line-${n}" type="number" min="0" max=${left(line)} step="any" .value=${String(value(line))}
                aria-label="Pieces of ${line.name ?? line.sku ?? 'the line'}" @focus=${(event: FocusEvent) => (event.target as HTMLInputElement).select()} /> of ${left(line)}</span></label>`,
      )}
      ${this.#errorsOf('lines')}
    </fieldset>`
  }

  /** What was refused about the order as a whole, or about one of its lines. */
  #errorsOf(...beginnings: string[]): TemplateResult | typeof nothing {
    if (!(this.failure instanceof Refusal)) return nothing
    const said = Object.entries(this.failure.errors).filter(([name]) =>
      beginnings.some((one) => name === one || name.startsWith(`${one}.`)),
    )
    return said.length === 0
      ? nothing
      : html`<p class="field-error" role="alert">${said.map(([, [text]]) => text).join(' ')}</p>`
  }

  #dialog(): TemplateResult | typeof nothing {
    const { order } = this.data
    const can = this.#capabilities
    const { failure } = this
    const general = this.#errorsOf('order', 'order_remote_id', 'remote_id', 'resource', 'force', keyField)
    const common = {
      open: true,
      failure,
      onClose: () => {
        this.asking = null
      },
    }
    const reason = field({ name: 'reason', label: 'Reason', required: false, failure })
    if (this.asking === 'ship')
      return formDialog({
        ...common,
        heading: `Ship order ${order.number ?? order.remote_id}`,
        action: this.busy ? 'The shop is asked …' : 'Tell the shop',
        onSubmit: (form) => this.#ship(form),
        fields: html`${general}
          ${can?.partial_shipments ? this.#lineFields(leftToSend, leftToSend) : html`<p class="muted">Everything that is still to be sent: this platform takes no parts of orders.</p>`}
          ${field({ name: 'tracking_number', label: 'Tracking number', failure })}
          ${field({ name: 'carrier', label: 'Carrier', value: this.#carrier, failure, placeholder: 'DHL' })}
          ${field({ name: 'tracking_url', label: 'Link to follow it', type: 'url', required: false, failure })}`,
      })
    if (this.asking === 'refund')
      return formDialog({
        ...common,
        heading: `Refund order ${order.number ?? order.remote_id}`,
        action: this.busy ? 'The shop is asked …' : 'Refund in the shop',
        onSubmit: (form) => this.#refund(form),
        fields: html`${general}
          ${can?.refund_by.includes('amount') ? field({ name: 'amount', label: `Amount in ${order.currency}`, required: false, failure, help: can.refund_by.includes('lines') ? 'Or leave it empty and choose lines; their worth is worked out.' : '' }) : nothing}
          ${can?.refund_by.includes('lines') ? this.#lineFields(leftToRefund, () => 0) : nothing}
          ${can?.refund_restock ? html`<label class="line"><span>Put the goods back into stock</span><input type="checkbox" name="restock" value="yes" /></label>` : nothing}
          ${reason}`,
      })
    if (this.asking === 'cancel')
      return formDialog({
        ...common,
        heading: `Cancel order ${order.number ?? order.remote_id}`,
        action: this.busy ? 'The shop is asked …' : 'Cancel in the shop',
        onSubmit: (form) => this.#cancel(form),
        fields: html`<p>The shop cancels it for the customer. This cannot be taken back.</p>${general}
          ${can?.cancel_lines ? this.#lineFields(leftToCancel, leftToCancel) : nothing}${reason}`,
      })
    return nothing
  }

  override updated(changed: Map<PropertyKey, unknown>) {
    if (changed.has('failure')) this.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (changed.has('begin') && this.begin) this.#beginAsked(this.begin)
  }

  override render(): TemplateResult {
    const can = this.#can
    return html`<div class="actions" role="group" aria-label="Actions">
        ${can.ship ? html`<button class="primary" @click=${() => void this.#ask('ship')}>${icon('parcel')}Ship</button>` : nothing}
        ${can.refund ? html`<button @click=${() => void this.#ask('refund')}>Refund</button>` : nothing}
        ${can.cancel ? html`<button @click=${() => void this.#ask('cancel')}>Cancel the order</button>` : nothing}
        ${can.fetch ? html`<button ?disabled=${this.busy} @click=${this.#fetch}>${icon('refresh')}Fetch again</button>` : nothing}
        <button @click=${this.#copy}>${icon('copy')}Copy a summary</button>
      </div>
      ${this.failure && this.asking === null ? problem(this.failure) : nothing}
      ${this.#dialog()}`
  }

  static override styles = [
    ...Element.styles,
    buttons,
    fields,
    problems,
    css`
      :host {
        display: grid;
        gap: 12px;
      }
      .actions {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
      }
      .stack {
        display: grid;
        gap: 16px;
      }
      .lines {
        display: grid;
        gap: 8px;
        margin: 0;
        padding: 0;
        border: 0;
      }
      .line {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 12px;
        font-weight: 400;
      }
      .many {
        flex: none;
        white-space: nowrap;
      }
      .many input {
        width: 88px;
      }
      input[type='checkbox'] {
        width: auto;
      }
    `,
  ]
}
define('ep-order-actions', OrderActions)
