import { html, nothing, type TemplateResult } from 'lit'
import { copy } from '../../parts/copy.ts'
import '../../parts/dialog.ts'
import { define } from '../../parts/element.ts'
import { icon } from '../../parts/icons.ts'
import { problem } from '../../parts/problem.ts'
import { badge, integrationTone, runTone } from '../../parts/status.ts'
import { empty, table } from '../../parts/table.ts'
import { time } from '../../parts/time.ts'
import { toast } from '../../parts/toast.ts'
import { accountSession, asAccount, asApp, ask } from '../api.ts'
import '../../components/logs.ts'
import '../../components/schedules.ts'
import { Page } from '../page.ts'
import { href, type Route } from '../router.ts'
import { may } from '../session.ts'

type Data = Awaited<ReturnType<typeof read>>
type Integration = Data['integration']

const long = ['sync_orders', 'sync_products', 'sync_inventory', 'reconcile', 'test_connection']

/** Everything that is known of one integration, and what can be done with it. */
class IntegrationPage extends Page<Data> {
  static override properties = { ...Page.properties, asking: { state: true }, refusal: { state: true } }
  declare asking: boolean
  declare refusal: unknown
  override refreshSeconds = 4

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
      `${resource} has been started.`,
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

  override show({ integration, runs }: Data): TemplateResult {
    const app = this.params['app']
    const status = shownStatus(integration)
    const { status_reason: reason } = integration
    return html`<div class="bar">
        <div><h1>${integration.name}</h1>${badge(integrationTone(status), status)}</div>
        <div>${this.#buttons(integration)}</div>
      </div>
      ${this.refusal ? problem(this.refusal) : nothing}
      ${reason && status !== 'ACTIVE' ? html`<p>${reason.replaceAll('_', ' ')}</p>` : nothing}
      <div class="columns">
        <section class="card"><h2>Facts</h2>${this.#facts(integration)}</section>
        <section class="card"><h2>Completeness</h2>${this.#completeness(integration)}</section>
      </div>
      <section class="stack">
        <div class="bar"><h2 id="runs">Runs</h2><a href=${href(`/apps/${app}/runs?integration=${integration.id}`)}>All runs</a></div>
        ${table({
          caption: 'Runs',
          rows: runs,
          link: ({ id }) => href(`/apps/${app}/integrations/${integration.id}/runs/${id}`),
          empty: empty('No runs yet', 'Start one above.'),
          columns: [
            { head: 'Run', cell: ({ id, resource }) => `${resource} ${id}` },
            { head: 'Status', cell: (run) => badge(runTone(run.status), run.status) },
            {
              head: 'Done',
              cell: ({ progress: { done, total } }) =>
                `${done.toLocaleString('en')}${total === null ? '' : ` of ${total.toLocaleString('en')}`}`,
              number: true,
            },
            { head: 'Started', cell: (run) => time(run.started_at ?? run.created_at), wide: true },
          ],
        })}
      </section>
      ${this.#ofAccount(integration)}
      <ep-dialog heading="Disconnect ${integration.shop}?" ?open=${this.asking} @close=${() => {
        this.asking = false
      }}>
        <p>Nothing more is fetched from this shop or sent to it, and its keys are destroyed at once. What was fetched is removed after a while. The shop itself is not changed.</p>
        <button slot="actions" class="critical" @click=${this.#uninstall}>Disconnect shop</button>
      </ep-dialog>`
  }

  /** Schedules and log are the very elements that merchants see. */
  #ofAccount({ id, account_id: account }: Integration): TemplateResult {
    if (account === null) {
      return empty(
        'This shop belongs to nobody yet',
        'Once an account has claimed it, its schedules and its log are here.',
      )
    }
    const session = accountSession(this.params['app'] ?? '', account)
    return html`<section class="stack">
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
    const actions = (integration.service?.capabilities.actions ?? []).filter((name) => long.includes(name))
    const canAct = may(this.me, 'update-integration')
    return html`${
      status === 'ACTIVE' && canAct
        ? html`<label class="visually-hidden" for="action">Run an action</label>
            <select id="action" @change=${(event: Event) => {
              const select = event.target as HTMLSelectElement
              if (select.value) void this.#run(select.value)
              select.value = ''
            }}>
              <option value="">Run an action…</option>
              ${actions.map((name) => html`<option value=${name}>${name}</option>`)}
            </select>
            <button @click=${() => this.#setActive(false)}>${icon('pause')}Pause</button>`
        : nothing
    }
    ${status === 'INACTIVE' && canAct ? html`<button @click=${() => this.#setActive(true)}>${icon('play')}Resume</button>` : nothing}
    ${status !== 'ACTIVE' && status !== 'INACTIVE' ? html`<a class="button primary" href=${href(`/apps/${app}/connect?integration=${id}`)}>${icon('plug')}Connect again</a>` : nothing}
    ${
      status === 'UNINSTALLED' || !may(this.me, 'delete-integration')
        ? nothing
        : html`<button class="critical" @click=${() => {
            this.asking = true
          }}>Disconnect</button>`
    }`
  }

  #facts(integration: Integration): TemplateResult {
    const hooks = integration.webhooks as {
      registered_at: string | null
      topics: string[]
      error: string | null
    } | null
    const rows: [string, unknown][] = [
      ['Shop', integration.shop],
      ['Service', integration.service?.name ?? integration.type],
      ['Id', copy(String(integration.id))],
      ['Key', copy(integration.integrationKey)],
      ['Account', integration.account?.remote_id ?? 'none'],
      ['Connected', time(integration.installed_at)],
      ['Last run', time(integration.last_run_at)],
      [
        'Shop’s webhooks',
        hooks && (hooks.topics.length > 0 || hooks.error)
          ? (hooks.error ??
            (hooks.registered_at
              ? html`${hooks.topics.length} topics, ${time(hooks.registered_at)}`
              : 'not registered yet'))
          : 'none: the shop is asked',
      ],
      ['Settings', html`<code>${JSON.stringify(integration.settings)}</code>`],
    ]
    return html`<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
  }

  #completeness({ completeness }: Integration): TemplateResult {
    const proof = completeness as Record<string, unknown> | null
    if (!proof)
      return html`<p class="muted">Not compared with the shop yet. Run “reconcile” to prove that nothing is missing.</p>`
    const figure = (name: string) => Number(proof[name] ?? 0).toLocaleString('en')
    return html`<dl>
      <dt>Proven</dt><dd>${time(String(proof['proven_at']))}</dd>
      <dt>Compared</dt><dd>${figure('compared')} records</dd>
      <dt>Missing</dt><dd>${figure('missing')} records</dd>
      <dt>Outdated</dt><dd>${figure('stale')} records</dd>
      <dt>Healed</dt><dd>${figure('healed')} records</dd>
      <dt>Set aside</dt><dd>${figure('set_aside')} records</dd>
    </dl>`
  }
}
define('ep-page-integration', IntegrationPage)

/** Switched off by its owner it is connected, but nothing runs. */
const shownStatus = ({ status, active }: Integration) => (status === 'ACTIVE' && !active ? 'INACTIVE' : status)

async function read(app: string, id: string) {
  const client = asApp(app)
  const [integration, runs] = await Promise.all([
    ask(
      client.GET('/api/2.0/app/integrations/{integration}', {
        params: { path: { integration: id }, query: { include: 'service,account' } as never },
      }),
    ),
    ask(
      client.GET('/api/2.0/app/integrations/{integrationId}/runs', {
        params: { path: { integrationId: id }, query: { per_page: 5 } },
      }),
    ),
  ])
  return { integration: integration.data, runs: runs.data }
}

export const integrationRoute: Route = {
  path: '/apps/:app/integrations/:id',
  element: 'ep-page-integration',
  title: 'Integration',
  section: 'integrations',
  permission: 'read-integration',
}
