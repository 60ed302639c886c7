import { html, nothing, type TemplateResult } from 'lit'
import '../../../parts/dialog.ts'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { problem } from '../../../parts/problem.ts'
import { badge, runTone } from '../../../parts/status.ts'
import { empty, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { actionName, longActions } from '../../actions.ts'
import { accountSession, asAccount, ask } from '../../api.ts'
import '../../../components/logs.ts'
import '../../../components/schedules.ts'
import { atMostEvery, Following } from '../../live.ts'
import { Page } from '../../page.ts'
import '../../../parts/shop-statuses.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { reasonName, statusBadge } from '../../shops/shop-status.ts'
import './message-address.ts'
import './coverage.ts'
import {
  completenessOf,
  type Data,
  factsOf,
  forecastOf,
  type Integration,
  provenAt,
  read,
  shownStatus,
} from './integration-facts.ts'

/** Everything that is known of one integration, and what can be done with it. */
class IntegrationPage extends Page<Data> {
  static override properties = { ...Page.properties, asking: { state: true }, refusal: { state: true } }
  declare asking: boolean
  declare refusal: unknown
  /** Told of what happens in the app; looked at by the clock only while that is not heard. */
  override refreshSeconds = 4
  #following = new Following(this, {
    app: () => this.params['app'] ?? null,
    onNews: (news) => {
      if (news.type === 'gap' || String(news.data.integration.id) === this.params['id']) this.#look()
    },
  })
  #look = atMostEvery(1000, () => {
    if (this.isConnected) void this.reload()
  })
  override isTold = () => this.#following.isOpen

  constructor() {
    super()
    this.asking = false
    this.refusal = null
  }

  override load() {
    return read(this.params['app'] ?? '', this.params['id'] ?? '')
  }

  /** Actions are those of the account that the shop belongs to. */
  get #client() {
    return asAccount(this.params['app'] ?? '', this.data?.integration.account_id ?? 0)
  }

  get #path() {
    return { params: { path: { integrationId: this.params['id'] ?? '' } } }
  }

  async #act(work: () => Promise<unknown>, said: string) {
    this.refusal = null
    try {
      await work()
      toast(said)
    } catch (error) {
      this.refusal = error
    }
    await this.reload()
  }

  #run = (resource: string) =>
    this.#act(
      () =>
        ask(
          this.#client.POST('/api/2.0/webcomponent/integrations/{integrationId}/actions', {
            ...this.#path,
            body: { resource: resource as 'sync_orders' },
          }),
        ),
      `Started: ${actionName(resource)}.`,
    )

  #setActive = (active: boolean) =>
    this.#act(
      () =>
        ask(
          this.#client.PUT('/api/2.0/webcomponent/integrations/{integrationId}', { ...this.#path, body: { active } }),
        ),
      active ? 'Resumed.' : 'Paused.',
    )

  #uninstall = () => {
    this.asking = false
    return this.#act(
      () => ask(this.#client.POST('/api/2.0/webcomponent/integrations/{integrationId}/uninstall', this.#path)),
      'The shop has been disconnected.',
    )
  }

  override show({ integration, runs, away }: Data): TemplateResult {
    const app = this.params['app']
    const status = shownStatus(integration)
    const { status_reason: reason } = integration
    return html`<div class="bar">
        <div><h1>${integration.name}</h1>${away ? badge('notice', 'Away') : statusBadge(status)}</div>
        <div>${this.#buttons(integration)}</div>
      </div>
      ${this.refusal ? problem(this.refusal) : nothing}
      ${away ? html`<p class="notice" role="status">${icon('clock')}<span>${away.message} ${time(away.created_at)}</span></p>` : nothing}
      ${reason && status !== 'ACTIVE' ? html`<p>${reasonName(reason)}</p>` : nothing}
      ${forecastOf(integration, runs)}
      <div class="columns">
        <section class="card"><h2>Facts</h2>${factsOf(integration)}</section>
        <section class="card"><h2>Completeness</h2>${completenessOf(integration, runs)}</section>
      </div>
      ${
        integration.completeness
          ? html`<section class="card"><h2>Coverage</h2>
              <ep-coverage .app=${app ?? ''} .integration=${String(integration.id)} .proven=${provenAt(integration)}></ep-coverage></section>`
          : nothing
      }
      <section class="stack">
        <div class="bar"><h2 id="runs">Runs</h2><a href=${href(`/apps/${app}/runs?integration=${integration.id}`)}>All runs</a></div>
        ${table({
          caption: 'Runs',
          rows: runs,
          link: ({ id }) => href(`/apps/${app}/integrations/${integration.id}/runs/${id}`),
          empty: empty('No runs yet', 'Start one above.'),
          columns: [
            { head: 'Run', cell: ({ id, resource }) => `${actionName(resource)} ${id}` },
            { head: 'Status', cell: (run) => badge(runTone(run.status), run.status) },
            {
              head: 'Records',
              cell: ({ progress: { done, total } }) =>
                `${done.toLocaleString('en')}${total === null ? '' : ` of ${total.toLocaleString('en')}`}`,
              number: true,
            },
            { head: 'Started', cell: (run) => time(run.started_at ?? run.created_at), wide: true },
          ],
        })}
      </section>
      ${
        integration.service?.capabilities.webhooks_entered &&
        status !== 'UNINSTALLED' &&
        may(this.me, 'update-integration', app)
          ? html`<section class="card stack"><h2>Messages of the shop</h2><ep-message-address .app=${app ?? ''} .integration=${integration.id}></ep-message-address></section>`
          : nothing
      }
      ${this.#ofAccount(integration)}
      <ep-dialog heading="Disconnect ${integration.shop}?" ?open=${this.asking} @close=${() => {
        this.asking = false
      }}>
        <p>Nothing more is fetched from this shop or sent to it, and its keys are destroyed at once. What was fetched is removed after a while. The shop itself is not changed.</p>
        <button slot="actions" class="critical" @click=${this.#uninstall}>Disconnect shop</button>
      </ep-dialog>`
  }

  /** Schedules and log are the very elements that merchants see. */
  #ofAccount(integration: Integration): TemplateResult {
    const { id, account_id: account, service, status } = integration
    if (account === null) {
      return empty(
        'This shop is not linked to a merchant yet',
        'Its schedules and its log appear here once it is linked to a merchant.',
      )
    }
    const session = accountSession(this.params['app'] ?? '', account)
    const hasOrders = status === 'ACTIVE' && service?.capabilities.actions.includes('get_order_statuses')
    return html`${
      hasOrders && may(this.me, 'run-action', this.params['app'])
        ? html`<section class="stack">
        <h2 id="statuses">Statuses of orders</h2>
        <ep-shop-statuses .client=${this.#client} .integration=${integration}></ep-shop-statuses>
      </section>`
        : nothing
    }
      <section class="stack">
        <h2 id="schedules">Schedules</h2>
        <entrepot-schedules .session=${session} integration=${id}></entrepot-schedules>
      </section>
      <section class="stack">
        <h2 id="logs">Log</h2>
        <entrepot-logs .session=${session} integration=${id}></entrepot-logs>
      </section>`
  }

  #buttons(integration: Integration): TemplateResult {
    const app = this.params['app']
    const { id } = integration
    const status = shownStatus(integration)
    const actions = longActions(integration.service?.capabilities.actions ?? [])
    const canAct = may(this.me, 'run-action', this.params['app'])
    return html`${
      status === 'ACTIVE' && canAct
        ? html`<form class="row" @submit=${(event: SubmitEvent) => {
            event.preventDefault()
            void this.#run(String(new FormData(event.target as HTMLFormElement).get('action')))
          }}>
              <label class="visually-hidden" for="action">Action</label>
              <select id="action" name="action">
                ${actions.map((name) => html`<option value=${name}>${actionName(name)}</option>`)}
              </select>
              <button>${icon('play')}Run</button>
            </form>
            <button @click=${() => this.#setActive(false)}>${icon('pause')}Pause</button>`
        : nothing
    }
    ${status === 'INACTIVE' && canAct ? html`<button @click=${() => this.#setActive(true)}>${icon('play')}Resume</button>` : nothing}
    ${status !== 'ACTIVE' && status !== 'INACTIVE' ? html`<a class="button primary" href=${href(`/apps/${app}/connect?integration=${id}`)}>${icon('plug')}Connect again</a>` : nothing}
    ${
      status === 'UNINSTALLED' || !may(this.me, 'delete-integration', this.params['app'])
        ? nothing
        : html`<button class="critical" @click=${() => {
            this.asking = true
          }}>Disconnect</button>`
    }`
  }
}
define('ep-page-integration', IntegrationPage)
