import { html, nothing, type TemplateResult } from 'lit'
import '../../../parts/dialog.ts'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { settled } from '../../../parts/settled.ts'
import { badge } from '../../../parts/status.ts'
import { empty, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { asApp, ask } from '../../api.ts'
import { errorOf, isGeneral, valuesOf } from '../../form.ts'
import { money } from '../../money.ts'
import { Page } from '../../page.ts'
import { changeQuery, href } from '../../router.ts'
import { may } from '../../session.ts'

type Accounts = Awaited<ReturnType<typeof readAccounts>>
type Found = Awaited<ReturnType<typeof find>>
type Erasure = Awaited<ReturnType<typeof readErasure>>
type Shop = Found['shops'][number]

/** One customer of a merchant, in all of the merchant's shops. Whom somebody looks for is in no address. */
class Customers extends Page<Accounts> {
  static override properties = {
    ...Page.properties,
    sought: { state: true },
    found: { state: true },
    erasure: { state: true },
    asking: { state: true },
    refusal: { state: true },
  }
  declare sought: Sought | null
  declare found: Found | null
  declare erasure: Erasure | null
  declare asking: boolean
  declare refusal: unknown

  constructor() {
    super()
    this.sought = null
    this.found = null
    this.erasure = null
    this.asking = false
    this.refusal = null
  }

  override load() {
    return readAccounts(this.#app)
  }

  get #app() {
    return this.params['app'] ?? ''
  }

  #account = (accounts: Accounts) => this.query.get('account') ?? accounts[0]?.remote_id ?? ''

  async #act(work: () => Promise<unknown>) {
    this.refusal = null
    try {
      await work()
    } catch (error) {
      this.refusal = error
    }
  }

  #find = (event: SubmitEvent, account: string) => {
    event.preventDefault()
    const { person = '' } = valuesOf(event.target as HTMLFormElement)
    const sought = soughtIn(person)
    void this.#act(async () => {
      this.erasure = null
      this.found = await find(this.#app, account, sought)
      this.sought = sought
    })
  }

  #export = (account: string) =>
    this.#act(async () => {
      const { data }: { data?: unknown } = await asApp(this.#app).POST(
        '/api/2.0/app/accounts/{account}/customers/export',
        {
          params: { path: { account } },
          body: this.sought ?? {},
          parseAs: 'blob',
        },
      )
      if (!(data instanceof Blob)) throw new Error('The customer could not be exported.')
      save(data)
    })

  #erase = (account: string) => {
    this.asking = false
    return this.#act(async () => {
      const path = { account }
      const body = this.sought ?? {}
      const begun = await ask(
        asApp(this.#app).POST('/api/2.0/app/accounts/{account}/customers/erasures', { params: { path }, body }),
      )
      this.erasure = begun.data
      toast('The erasure has begun.')
      await this.#follow(account, begun.data.id)
    })
  }

  /** Until it is done, or the page is left. */
  async #follow(account: string, id: number) {
    for (let look = 0; look < 300 && this.isConnected && this.erasure?.id === id; look++) {
      this.erasure = await readErasure(this.#app, account, id)
      if (this.erasure.status === 'completed') return
      await new Promise((resolve) => setTimeout(resolve, 2000))
    }
  }

  override show(accounts: Accounts): TemplateResult {
    const account = this.#account(accounts)
    if (accounts.length === 0) {
      return html`<h1>Customers</h1>${empty('No merchants yet', 'Customers are looked for in the shops of one merchant.')}`
    }
    const error = errorOf(this.refusal, 'email') ?? errorOf(this.refusal, 'phone') ?? errorOf(this.refusal, 'name')
    return html`<h1>Customers</h1>
      <p class="muted">Find, export or erase one customer in all shops of a merchant.</p>
      <form class="card stack narrow" @submit=${(event: SubmitEvent) => this.#find(event, account)}>
        <div class="field"><label for="account">Merchant</label>
          <select id="account" ${settled((value) => {
            this.found = null
            this.erasure = null
            changeQuery({ account: value })
          })}>${accounts.map(
            ({ remote_id: remoteId, name }) =>
              html`<option value=${remoteId} ?selected=${remoteId === account}>${name ?? remoteId}</option>`,
          )}</select></div>
        <div class="field"><label for="person">E-mail address, phone number or name</label>
          <input id="person" name="person" required autocomplete="off" aria-invalid=${error ? 'true' : 'false'} aria-describedby="person-help" />
          <span id="person-help" class=${error ? 'field-error' : 'field-help'}>${error ?? 'Whole words. A name finds customers; erasing takes an email address or a phone number.'}</span></div>
        <div><button class="primary">Find</button></div>
      </form>
      ${isGeneral(this.refusal) ? problem(this.refusal) : nothing}
      ${this.erasure ? progress(this.erasure) : nothing}
      ${this.found && !this.erasure ? this.#showFound(this.found, account) : nothing}
      <ep-dialog heading="Erase this customer?" ?open=${this.asking} @close=${() => {
        this.asking = false
      }}>
        <p>The customer is forgotten in ${this.found?.orders === 1 ? 'one order' : `${this.found?.orders ?? 0} orders`}, and in every message, report and stored answer. What was bought stays. This cannot be undone.</p>
        <button slot="actions" class="critical" @click=${() => this.#erase(account)}>Erase the customer</button>
      </ep-dialog>`
  }

  #showFound(found: Found, account: string): TemplateResult {
    if (found.orders === 0) return empty('Nobody found', 'No shop of this merchant has an order that says so.')
    const mayErase = may(this.me, 'erase-customer', this.#app) && !this.sought?.name
    return html`<div class="bar"><h2>${found.orders} ${found.orders === 1 ? 'order' : 'orders'}</h2>
        <div><button @click=${() => this.#export(account)}>Export</button>
        ${
          mayErase
            ? html`<button class="critical" @click=${() => {
                this.asking = true
              }}>Erase the customer</button>`
            : nothing
        }</div></div>
      ${this.sought?.name ? html`<p class="muted">To erase somebody, search by e-mail address or phone number: several people may have this name.</p>` : nothing}
      ${found.shops.map((shop) => this.#showShop(shop))}`
  }

  #showShop(shop: Shop): TemplateResult {
    return html`<section class="stack"><h3>${shop.name}</h3>
      ${table({
        caption: `Orders in ${shop.name}`,
        rows: shop.newest,
        link: ({ id, deleted_at: deleted }) =>
          deleted === null ? href(`/apps/${this.#app}/integrations/${shop.integration_id}/orders/${id}`) : '',
        empty: html``,
        columns: [
          { head: 'Order', cell: ({ number, remote_id: remoteId }) => number ?? remoteId },
          { head: 'Customer', cell: ({ customer }) => nameOf(customer) },
          { head: 'Total', cell: ({ total, currency }) => money(total, currency), wide: true },
          { head: 'Placed', cell: ({ placed_at: at }) => (at === null ? 'Unknown' : time(at)), wide: true },
        ],
      })}
      ${shop.orders > shop.newest.length ? html`<p class="muted small">The newest ${shop.newest.length} of ${shop.orders}.</p>` : nothing}
    </section>`
  }
}
define('ep-page-customers', Customers)

const progress = ({ status, touched, waiting, shops }: Erasure): TemplateResult => {
  const done = shops.filter((shop) => shop.status === 'completed').length
  return html`<section class="card stack" role="status"><h2>Erasure ${
    status === 'completed' ? badge('positive', 'Done') : badge('info', `${done} of ${shops.length} shops`)
  }</h2>
    ${waiting > 0 ? html`<p>${waiting} of what names the customer is still needed, such as a change that is being sent. It is looked at again every hour.</p>` : nothing}
    <dl>${Object.entries(touched).map(([name, rows]) => html`<dt>${words[name] ?? name}</dt><dd>${rows}</dd>`)}</dl>
    ${Object.keys(touched).length === 0 ? html`<p class="muted">Nothing so far.</p>` : nothing}
  </section>`
}

const words: Readonly<Record<string, string>> = {
  orders: 'Orders',
  inbound_deliveries: 'Messages of shops',
  quarantine: 'Records set aside',
  operations: 'Changes sent to shops',
  runs: 'Runs',
  integration_logs: 'Reports in the log',
  webhook_attempts: 'Answers of your endpoints',
  idempotency_keys: 'Stored answers',
}

interface Sought {
  email?: string
  phone?: string
  name?: string
}

/** What it is that somebody has typed. */
function soughtIn(text: string): Sought {
  if (text.includes('@')) return { email: text }
  return /^[\d\s()+/.-]+$/.test(text) ? { phone: text } : { name: text }
}

const nameOf = (customer: Readonly<Record<string, unknown>>): string =>
  ['first_name', 'last_name', 'name', 'email']
    .map((field) => customer[field])
    .filter((value) => typeof value === 'string')
    .slice(0, 2)
    .join(' ') || 'Unknown'

function save(file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = 'customer.ndjson'
  link.click()
  URL.revokeObjectURL(link.href)
}

const readAccounts = async (app: string) =>
  (await ask(asApp(app).GET('/api/2.0/app/accounts', { params: { query: { per_page: 100 } } }))).data

const find = async (app: string, account: string, body: Sought) =>
  (
    await ask(
      asApp(app).POST('/api/2.0/app/accounts/{account}/customers/find', { params: { path: { account } }, body }),
    )
  ).data

const readErasure = async (app: string, account: string, id: number) => {
  const path = { account, erasure: String(id) }
  return (
    await ask(asApp(app).GET('/api/2.0/app/accounts/{account}/customers/erasures/{erasure}', { params: { path } }))
  ).data
}
