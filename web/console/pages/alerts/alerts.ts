import { html, nothing, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { settled } from '../../../parts/settled.ts'
import { badge, type Tone } from '../../../parts/status.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask } from '../../api.ts'
import { wayTo } from '../../frame/attention.ts'
import { Page } from '../../page.ts'
import { changeQuery, href } from '../../router.ts'
import { may } from '../../session.ts'
import { showAll } from '../../show-all.ts'

type Data = Awaited<ReturnType<typeof read>>
type Alert = Data['data'][number]

const tones: Readonly<Record<Alert['severity'], Tone>> = { critical: 'critical', warning: 'notice', info: 'info' }
const words: Readonly<Record<Alert['severity'], string>> = { critical: 'Critical', warning: 'Warning', info: 'Info' }

export const severityBadge = (severity: Alert['severity']) => badge(tones[severity], words[severity])

/** What needs somebody, what did, and who looks after it. */
class Alerts extends Page<Data> {
  static override properties = { ...Page.properties, refusal: { state: true } }
  declare refusal: unknown
  override refreshSeconds = 5

  constructor() {
    super()
    this.refusal = null
  }

  override load() {
    return read(this.params['app'] ?? '', this.query)
  }

  async #act(work: () => Promise<unknown>, said: string) {
    try {
      await work()
      this.refusal = null
      toast(said)
      await this.reload()
    } catch (error) {
      this.refusal = error
    }
  }

  #path(alert: Alert) {
    return { params: { path: { appId: this.params['app'] ?? '', alert: String(alert.id) } } }
  }

  #acknowledge = (alert: Alert) =>
    this.#act(
      () => ask(api.POST('/api/2.0/user/apps/{appId}/alerts/{alert}/acknowledge', this.#path(alert))),
      'Acknowledged.',
    )

  #mute = (alert: Alert, muted: boolean) =>
    this.#act(
      () =>
        ask(
          api.POST('/api/2.0/user/apps/{appId}/alerts/{alert}/mute', {
            ...this.#path(alert),
            body: { muted, hours: 24 },
          }),
        ),
      muted ? 'Muted for a day.' : 'No longer muted.',
    )

  #buttons(alert: Alert): TemplateResult | typeof nothing {
    if (!may(this.me, 'update-integration', this.params['app'] ?? '')) return nothing
    return html`<span class="row">
      ${alert.closed_at === null && alert.acknowledged_at === null ? html`<button @click=${() => void this.#acknowledge(alert)}>Acknowledge</button>` : nothing}
      ${
        alert.muted_until === null
          ? html`<button @click=${() => void this.#mute(alert, true)}>Mute for a day</button>`
          : html`<button @click=${() => void this.#mute(alert, false)}>Unmute</button>`
      }</span>`
  }

  override show({ data, meta }: Data): TemplateResult {
    const app = Number(this.params['app'] ?? 0)
    const history = this.query.get('show') === 'closed'
    const severity = this.query.get('severity') ?? ''
    const about = (alert: Alert) => alert.integration?.name ?? alert.webhook?.url ?? 'The company'
    const tab = (label: string, show: string | null, isHere: boolean) =>
      html`<button aria-pressed=${isHere ? 'true' : 'false'} @click=${() => changeQuery({ show, page: null })}>${label}</button>`
    return html`<div class="bar"><h1>Alerts</h1><a class="button" href=${href(`/apps/${app}/alert-settings`)}>Rules and channels</a></div>
      ${this.refusal ? problem(this.refusal) : nothing}
      <div class="bar">
        <div class="row" role="group" aria-label="Which alerts">${tab('Open', null, !history)}${tab('Closed', 'closed', history)}</div>
        <label class="row">Severity
          <select ${settled((value) => changeQuery({ severity: value, page: null }))}>
            <option value="" ?selected=${severity === ''}>All</option>
            ${(['critical', 'warning', 'info'] as const).map((one) => html`<option value=${one} ?selected=${severity === one}>${words[one]}</option>`)}
          </select>
        </label>
      </div>
      ${table({
        caption: history ? 'Closed alerts' : 'Open alerts',
        rows: data,
        link: (alert) => href(wayTo(app, alert).path),
        empty:
          severity !== ''
            ? empty('None of this severity', 'Choose “All” to see the others.', showAll({ severity: null, page: null }))
            : history
              ? empty('Nothing was closed yet', 'Alerts that are over are kept here for 90 days.')
              : empty('Nothing needs attention', 'Shops, runs, messages, webhooks, orders and sign-ins are watched.'),
        columns: [
          { head: 'About', cell: about },
          {
            head: 'What',
            cell: (alert) =>
              html`${alert.summary}${alert.muted_until ? html`<br /><span class="muted small">Muted until ${time(alert.muted_until)}</span>` : nothing}${alert.acknowledged_at ? html`<br /><span class="muted small">Acknowledged ${time(alert.acknowledged_at)}</span>` : nothing}`,
          },
          { head: 'Severity', cell: (alert) => severityBadge(alert.severity) },
          {
            head: history ? 'Closed' : 'Opened',
            cell: (alert) => time(alert.closed_at ?? alert.opened_at),
            wide: true,
          },
          { head: 'Actions', actions: true, cell: (alert) => this.#buttons(alert) },
        ],
      })}
      ${pager(meta, (page) => changeQuery({ page: String(page) }))}`
  }
}
define('ep-page-alerts', Alerts)

function read(app: string, query: URLSearchParams) {
  const severity = query.get('severity')
  const filters = {
    page: Number(query.get('page') ?? 1),
    per_page: 25,
    'filter[open]': query.get('show') === 'closed' ? '0' : '1',
    ...(severity && { 'filter[severity]': severity }),
  }
  return ask(
    api.GET('/api/2.0/user/apps/{appId}/alerts', { params: { path: { appId: app }, query: filters as never } }),
  )
}
