import { css, html, nothing, type TemplateResult } from 'lit'
import '../../components/connect.ts'
import { copyText } from '../../parts/copy.ts'
import { define, emit } from '../../parts/element.ts'
import { icon } from '../../parts/icons.ts'
import { problem } from '../../parts/problem.ts'
import { empty, table } from '../../parts/table.ts'
import { time } from '../../parts/time.ts'
import { toast } from '../../parts/toast.ts'
import { accountSession } from '../api.ts'
import { field, isGeneral, valuesOf } from '../form.ts'
import { money } from '../money.ts'
import { orderBadge } from '../order-state.ts'
import { Page } from '../page.ts'
import { href } from '../router.ts'
import { type Data, makeApp, makeClient, makeWebhook, prepare, read } from './first-steps.ts'

/** The guided path of a new person: an app, a shop, orders, a call of the API, a webhook. Each step waits for the one before. */
class Start extends Page<Data> {
  static override properties = {
    ...Page.properties,
    refusal: { state: true },
    client: { state: true },
    busy: { state: true },
  }
  declare refusal: unknown
  declare client: { id: number; secret: string } | null
  declare busy: boolean
  override refreshSeconds = 2

  constructor() {
    super()
    this.refusal = null
    this.client = null
    this.busy = false
  }

  override load() {
    return read()
  }

  async #act(work: () => Promise<unknown>) {
    if (this.busy) return
    this.busy = true
    this.refusal = null
    try {
      await work()
    } catch (error) {
      this.refusal = error
    }
    this.busy = false
    await this.reload()
  }

  #createApp = (event: SubmitEvent) => {
    event.preventDefault()
    const { name = 'My app' } = valuesOf(event.target as HTMLFormElement)
    void this.#act(async () => {
      localStorage.setItem('entrepot.app', String(await makeApp(name)))
      emit(this, 'apps-changed', null)
    })
  }

  #createClient = (app: number) =>
    this.#act(async () => {
      this.client = await makeClient(app)
    })

  #catch = (app: number) => this.#act(() => makeWebhook(app))

  override show(data: Data): TemplateResult {
    const { app, integration, orders, caught } = data
    const steps: [string, boolean, () => TemplateResult][] = [
      ['Create an app', app !== null, () => this.#appStep()],
      ['Connect the sandbox shop', integration !== null, () => this.#shopStep(data)],
      ['Watch orders arrive', orders.length > 0, () => this.#ordersStep(data)],
      ['Call the API', this.client !== null || data.hasClient, () => this.#callStep(data)],
      ['Receive a webhook', (caught?.length ?? 0) > 0, () => this.#hookStep(data)],
    ]
    const current = steps.findIndex(([, done]) => !done)
    return html`<h1>First steps</h1>
      <p class="muted">Five minutes from nothing to orders in your software. Everything here is real: what you create stays.</p>
      ${isGeneral(this.refusal) ? problem(this.refusal) : nothing}
      <ol class="steps">
        ${steps.map(
          (
            [title, done, show],
            n,
          ) => html`<li class=${done ? 'done' : n === current ? 'current' : 'later'} aria-current=${n === current ? 'step' : nothing}>
            <h2><span class="mark">${done ? icon('check', 14) : n + 1}</span>${title}${done ? html`<span class="visually-hidden"> (done)</span>` : nothing}</h2>
            ${done || n === current || (n > 2 && app) ? html`<div class="body stack">${show()}</div>` : nothing}
          </li>`,
        )}
      </ol>`
  }

  #appStep(): TemplateResult {
    if (this.data?.app) {
      return html`<p>“${this.data.app.name}” is your software as Entrepot knows it. <a href=${href(`/apps/${this.data.app.id}`)}>Its settings</a></p>`
    }
    return html`<p>An app is your software as Entrepot knows it: an order manager, a shipping tool, an ERP.</p>
      <form class="stack" @submit=${this.#createApp}>
        ${field({ name: 'name', label: 'Name', value: 'My app', failure: this.refusal })}
        <div><button class="primary" ?disabled=${this.busy}>Create app</button></div>
      </form>`
  }

  #shopStep({ app, account, offersSandbox, integration }: Data): TemplateResult {
    if (integration && app) {
      return html`<p>${integration.shop} is connected. <a href=${href(`/apps/${app.id}/integrations/${integration.id}`)}>See it</a></p>`
    }
    if (!app) return html`${nothing}`
    if (!account || !offersSandbox) {
      return html`<p>A shop belongs to an account, which is one of your merchants, and your app has to offer its platform. This makes a merchant to try with and offers the sandbox.</p>
        <div><button class="primary" ?disabled=${this.busy} @click=${() => this.#act(() => prepare(app.id, { account, offersSandbox }))}>Prepare “${app.name}”</button></div>`
    }
    return html`<p>This is the element that your merchants will see in your own pages. The sandbox is a shop that lives inside Entrepot; it takes any key that does not begin with “bad”. Try <code>my-shop.example.com</code> and the key <code>good</code>.</p>
      <div class="card"><entrepot-connect service="sandbox" .session=${accountSession(String(app.id), account.id)} @entrepot-connected=${() => void this.reload()}></entrepot-connect></div>`
  }

  #ordersStep({ app, orders, total, integration }: Data): TemplateResult {
    if (!app || !integration) return html`${nothing}`
    if (orders.length === 0) return html`<p role="status">The first sync is under way…</p>`
    return html`<p>${total.toLocaleString('en')} orders are here. <a href=${href(`/apps/${app.id}/orders`)}>All orders</a></p>
      ${table({
        caption: 'The newest orders',
        rows: orders,
        link: ({ id }) => href(`/apps/${app.id}/integrations/${integration.id}/orders/${id}`),
        empty: empty('No orders', ''),
        columns: [
          { head: 'Number', cell: ({ number, remote_id: remoteId }) => number ?? remoteId },
          { head: 'Status', cell: ({ status }) => orderBadge(status) },
          { head: 'Total', cell: ({ total: amount, currency }) => money(amount, currency), number: true },
          { head: 'Placed', cell: ({ placed_at: at }) => time(at), wide: true },
        ],
      })}`
  }

  #callStep({ app, integration, hasClient }: Data): TemplateResult {
    if (!app) return html`${nothing}`
    if (!this.client) {
      return html`<p>Your software logs in with a client: an id and a secret, which is shown once.${hasClient ? html` There is one already: <a href=${href(`/clients?app=${app.id}`)}>clients of this app</a>.` : nothing}</p>
        <div><button class=${hasClient ? '' : 'primary'} ?disabled=${this.busy} @click=${() => this.#createClient(app.id)}>${hasClient ? 'Create another client' : 'Create a client'}</button></div>`
    }
    const { id, secret } = this.client
    const origin = location.origin
    const token = `TOKEN=$(curl -s ${origin}/oauth/token -d grant_type=client_credentials -d client_id=${id} -d client_secret=${secret} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`
    const call = `curl -s -H "Authorization: Bearer $TOKEN" "${origin}/api/2.0/app/orders?integration_id=${integration?.id ?? 1}&per_page=3"`
    return html`<p>Paste this into a terminal. The secret is not shown again.</p>
      <pre>${token}\n${call}</pre>
      <div><button @click=${() => copyText(`${token}\n${call}\n`).then(() => toast('Copied.'))}>${icon('copy')}Copy both lines</button></div>`
  }

  #hookStep({ app, caught }: Data): TemplateResult {
    if (!app) return html`${nothing}`
    if (!caught) {
      return html`<p>Entrepot tells your software what happens, signed and in order. Here is a receiver to try it with.</p>
        <div><button class="primary" ?disabled=${this.busy} @click=${() => this.#catch(app.id)}>Create a webhook and send a test</button></div>`
    }
    if (caught.length === 0) return html`<p role="status">Waiting for the first message…</p>`
    const [newest] = caught
    return html`<p>${caught.length} received, the newest ${time(newest?.received_at)}. <a href=${href(`/apps/${app.id}/webhooks`)}>All webhooks</a></p>
      <pre>${newest?.body}</pre>`
  }

  static override styles = [
    ...Page.styles,
    css`
      .steps {
        display: grid;
        gap: 12px;
        margin: 0;
        padding: 0;
        list-style: none;
        max-width: 820px;
      }
      .steps > li {
        padding: 16px;
        border: 1px solid var(--_line);
        border-radius: var(--_radius-card);
        background: var(--_surface);
        min-width: 0;
      }
      .steps > li.current {
        border-color: var(--_accent);
      }
      .steps > li.later h2 {
        color: var(--_muted);
      }
      .steps h2 {
        display: flex;
        align-items: center;
        gap: 10px;
      }
      .mark {
        display: grid;
        place-items: center;
        width: 24px;
        height: 24px;
        border-radius: 99px;
        background: var(--_sunken);
        color: var(--_muted);
        font: 600 12px / 1 var(--_font);
      }
      .current .mark {
        background: var(--_accent);
        color: var(--_on-accent);
      }
      .done .mark {
        background: var(--_positive-soft);
        color: var(--_positive);
      }
      .body {
        margin: 12px 0 0 34px;
      }
      @media (max-width: 720px) {
        .body {
          margin-inline-start: 0;
        }
      }
    `,
  ]
}
define('ep-page-start', Start)
