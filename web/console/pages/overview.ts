import { css, html, type TemplateResult } from 'lit'
import { gauges } from '../../design/tokens.ts'
import { bars, charts, hourLabel, lastHours } from '../../parts/chart.ts'
import { define } from '../../parts/element.ts'
import { badge, runTone } from '../../parts/status.ts'
import { empty, table } from '../../parts/table.ts'
import { time } from '../../parts/time.ts'
import { api, ask } from '../api.ts'
import { Page } from '../page.ts'
import { href, type Route } from '../router.ts'
import { may } from '../session.ts'

type Data = Awaited<ReturnType<Overview['load']>>
type Facts = NonNullable<Data>['overview']

/** How the app fares: the first page after signing in. */
class Overview extends Page<Awaited<ReturnType<typeof read>>> {
  override refreshSeconds = 5

  override load() {
    return may(this.me, 'read-app') && may(this.me, 'read-integration') ? read() : Promise.resolve(null)
  }

  override show(data: NonNullable<Data> | null): TemplateResult {
    if (!data && !may(this.me, 'create-app')) {
      const why = 'There is no app that you may look into. Ask whoever manages the team.'
      return html`<h1>Overview</h1>${empty('Nothing is here for you yet', why)}`
    }
    if (!data) {
      return html`<h1>Overview</h1>${empty(
        'Nothing is here yet',
        'An app is your software as Entrepot knows it. Make the first one, connect a shop to it, and watch orders arrive.',
        html`<a class="button primary" href=${href('/start')}>Take the first steps</a>`,
      )}`
    }
    const { app, overview } = data
    const hours = lastHours(new Date())
    return html`<div class="bar"><h1>${app.name}</h1><span class="muted small">The last 24 hours, as of now</span></div>
      ${this.#figures(app.id, overview)}
      <div class="columns">
        <div class="card">${ordersChart(overview, hours)}</div>
        <div class="card">${runsChart(overview, hours)}</div>
        <div class="card">${latencyChart(overview, hours)}</div>
        <div class="card">${budgets(overview)}</div>
      </div>
      <section class="stack">
        <h2 id="recent">Latest runs</h2>
        ${this.#runs(app.id, overview)}
      </section>`
  }

  #figures(app: number, overview: Facts): TemplateResult {
    const total = (list: readonly { count: number }[]) => list.reduce((sum, { count }) => sum + count, 0)
    const troubled = overview.integrations.filter(({ status }) => status === 'ERROR').length
    const delivered = total(overview.deliveries_per_hour)
    const figures: [string, number, string, string][] = [
      [
        'Integrations',
        overview.integrations.length,
        `/apps/${app}/integrations`,
        troubled === 0 ? 'all in order' : `${troubled} need attention`,
      ],
      ['New orders', total(overview.orders_per_hour), `/apps/${app}/orders`, 'in 24 hours'],
      ['Webhooks sent', delivered, `/apps/${app}/webhooks`, 'in 24 hours'],
      ['Undelivered', overview.failed_messages, `/apps/${app}/undelivered`, 'messages of shops'],
    ]
    return html`<ul class="figures">
      ${figures.map(
        ([label, value, path, note]) => html`<li class="card">
          <a href=${href(path)}><span class="muted small">${label}</span><strong>${value.toLocaleString('en')}</strong><span class="muted small">${note}</span></a>
        </li>`,
      )}
    </ul>`
  }

  #runs(app: number, { recent_runs: runs, integrations }: Facts): TemplateResult {
    const nameOf = new Map(integrations.map(({ id, name }) => [id, name]))
    return table({
      caption: 'Latest runs',
      rows: runs,
      link: (run) => href(`/apps/${app}/integrations/${run.integration_id}/runs/${run.id}`),
      empty: empty('No runs in the last 24 hours', 'Runs are started by schedules, by messages of shops, and by hand.'),
      columns: [
        { head: 'Run', cell: (run) => `${run.resource} ${run.id}` },
        { head: 'Integration', cell: (run) => nameOf.get(run.integration_id) ?? run.integration_id, wide: true },
        { head: 'Status', cell: (run) => badge(runTone(run.status), run.status) },
        {
          head: 'Records',
          cell: ({ progress: { done, total } }) =>
            total === null
              ? done.toLocaleString('en')
              : `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
          number: true,
        },
        { head: 'Started', cell: (run) => time(run.started_at ?? run.created_at), wide: true },
      ],
    })
  }

  static override styles = [
    ...Page.styles,
    charts,
    gauges,
    css`
      .figures {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(180px, 45%), 1fr));
        gap: 16px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .figures .card {
        padding: 0;
      }
      .figures a {
        display: grid;
        padding: 14px 16px;
        border-radius: inherit;
        color: inherit;
        text-decoration: none;
      }
      .figures a:hover {
        background: var(--_hover);
      }
      .figures strong {
        font: 600 28px / 36px var(--_font);
        font-variant-numeric: tabular-nums;
      }
      .columns {
        grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr));
      }
      .budgets {
        display: grid;
        gap: 10px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .budgets li > span {
        display: flex;
        justify-content: space-between;
        gap: 12px;
      }
    `,
  ]
}
define('ep-page-overview', Overview)

async function read() {
  const { data: apps } = await ask(api.GET('/api/2.0/user/apps', { params: { query: { per_page: 100 } } }))
  const wanted = localStorage.getItem('entrepot.app')
  const app = apps.find(({ id }) => String(id) === wanted) ?? apps[0]
  if (!app) return null
  const path = { appId: String(app.id) }
  const { data: overview } = await ask(api.GET('/api/2.0/user/apps/{appId}/overview', { params: { path } }))
  return { app, overview }
}

function ordersChart({ orders_per_hour: orders }: Facts, hours: readonly string[]) {
  const byHour = new Map(orders.map(({ hour, count }) => [hour, count]))
  const values = hours.map((hour) => byHour.get(hour) ?? 0)
  return bars({
    title: 'Orders per hour',
    labels: hours.map(hourLabel),
    unit: 'orders',
    series: [{ name: 'New orders', colour: '--_accent', values }],
  })
}

function runsChart({ runs_per_hour: runs }: Facts, hours: readonly string[]) {
  const of = (statuses: readonly string[]) =>
    hours.map((hour) =>
      runs.filter((run) => run.hour === hour && statuses.includes(run.status)).reduce((n, { count }) => n + count, 0),
    )
  return bars({
    title: 'Results of runs',
    labels: hours.map(hourLabel),
    unit: 'runs',
    series: [
      { name: 'Completed', colour: '--_positive', values: of(['completed']) },
      { name: 'Failed', colour: '--_critical', values: of(['failed']) },
      { name: 'Under way or stopped', colour: '--_line-strong', values: of(['queued', 'running', 'cancelled']) },
    ],
  })
}

function latencyChart({ deliveries_per_hour: deliveries }: Facts, hours: readonly string[]) {
  const byHour = new Map(deliveries.map((each) => [each.hour, each]))
  return bars({
    title: 'Webhook latency, from the event to its delivery (p95)',
    labels: hours.map(hourLabel),
    unit: 'ms',
    series: [{ name: 'p95', colour: '--_info', values: hours.map((hour) => byHour.get(hour)?.p95_ms ?? 0) }],
  })
}

function budgets({ budgets: list }: Facts) {
  const shown = list.slice(0, 6)
  return html`<h2 class="title">Limits of the shops, and what is left of them</h2>
    ${
      shown.length === 0
        ? html`<p class="muted small">No shop has been asked lately.</p>`
        : html`<ul class="budgets">
            ${shown.map(
              ({ shop, name, remaining, capacity, blocked_seconds: blocked }) => html`<li>
                <span class="small"><span>${shop} · ${name}</span><span class="muted">${blocked > 0 ? `waits ${Math.ceil(blocked)} s` : `${Math.floor(remaining).toLocaleString('en')} of ${capacity.toLocaleString('en')}`}</span></span>
                <meter min="0" max=${capacity} low=${capacity * 0.2} value=${remaining} aria-label="${shop} ${name}"></meter>
              </li>`,
            )}
          </ul>`
    }`
}

export const overviewRoute: Route = { path: '/', element: 'ep-page-overview', title: 'Overview', section: 'overview' }
