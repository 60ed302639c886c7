import { css, html, nothing, type TemplateResult } from 'lit'
import { gauges } from '../../design/tokens.ts'
import type { Series } from '../../parts/chart.ts'
import { define } from '../../parts/element.ts'
import { badge, runTone } from '../../parts/status.ts'
import { empty, table } from '../../parts/table.ts'
import { time } from '../../parts/time.ts'
import { actionName } from '../actions.ts'
import { attentionList, attentionStyles } from '../frame/attention.ts'
import { happening, happeningStyles, withNews } from '../frame/happening.ts'
import { atMostEvery, Following } from '../live.ts'
import { Page } from '../page.ts'
import { href, withQuery } from '../router.ts'
import { may } from '../session.ts'
import { expectedOverview, type RangeName, rangeOf, ranges, readOverview } from './overview-data.ts'

type Data = Awaited<ReturnType<Overview['load']>>
type Facts = NonNullable<Data>['overview']

/** How the app fares: the first page after signing in. What needs somebody comes first. */
class Overview extends Page<Awaited<ReturnType<typeof readOverview>>> {
  static override properties = { ...Page.properties, told: { state: true }, begun: { state: true } }
  declare told: ReturnType<typeof withNews>
  /** What comes first has been painted: charts, and what is further below, may follow. */
  declare begun: boolean
  /** What happens is told; the figures follow it, without asking for them by the clock. */
  #following = new Following(this, {
    app: () => (this.data ? String(this.data.app.id) : null),
    onNews: (news) => {
      this.told = withNews(this.told, news)
      this.#figuresFollow()
    },
  })
  #figuresFollow = atMostEvery(10_000, () => {
    if (this.isConnected && document.visibilityState === 'visible') void this.reload()
  })

  constructor() {
    super()
    this.told = []
    this.begun = false
  }

  override load() {
    const isAllowed = may(this.me, 'read-app') && may(this.me, 'read-integration')
    const begun = expectedOverview(this.#range)
    if (!isAllowed) return Promise.resolve(null)
    return begun ?? readOverview(this.#range)
  }

  override updated(changed: Map<PropertyKey, unknown>) {
    super.updated(changed)
    if (this.begun || this.data === undefined) return
    requestAnimationFrame(() =>
      setTimeout(() => {
        this.begun = true
        void import('../../parts/chart.ts')
      }),
    )
  }

  get #range(): RangeName {
    return rangeOf(this.query)
  }

  override show(data: NonNullable<Data> | null): TemplateResult {
    if (!data && !may(this.me, 'create-app')) {
      const why = 'You don’t have access to any app yet. Ask an owner of your team.'
      return html`<h1>Overview</h1>${empty('Nothing is here for you yet', why)}`
    }
    if (!data) {
      return html`<h1>Overview</h1>${empty(
        'Nothing is here yet',
        'An app is your software as Entrepot knows it. Create the first one, connect a shop to it, and watch orders arrive.',
        html`<a class="button primary" href=${href('/start')}>Take the first steps</a>`,
      )}`
    }
    const { app, overview } = data
    return html`<div class="bar"><h1>${app.name}</h1>${this.#ranges()}</div>
      <section class="stack" aria-labelledby="attention">
        <h2 id="attention">Needs attention</h2>
        ${attentionList(app.id, overview.attention, overview.attention_count)}
      </section>
      ${this.#figures(app.id, overview)}
      <div class="columns">
        <div class="card">${ordersChart(overview)}</div>
        <div class="card" title="Runs by when they were created. Checks that Entrepot makes by itself and that found nothing new are left out.">${runsChart(overview)}</div>
        <div class="card">${deliveriesChart(overview)}</div>
        <div class="card">${latencyChart(overview)}</div>
      </div>
      ${
        this.begun
          ? html`${happening(app.id, this.told, this.#following.isOpen)}
            <div class="card">${budgets(overview)}</div>
            <section class="stack">
              <h2 id="recent">Latest runs</h2>
              ${this.#runs(app.id, overview)}
            </section>`
          : nothing
      }`
  }

  #ranges(): TemplateResult {
    return html`<nav class="ranges" aria-label="Time range">
      ${Object.entries(ranges).map(
        ([name, label]) =>
          html`<a href=${withQuery({ range: name === '24h' ? null : name })} aria-current=${name === this.#range ? 'true' : 'false'}>${label}</a>`,
      )}
    </nav>`
  }

  #figures(app: number, overview: Facts): TemplateResult {
    const total = (list: readonly { count: number }[]) => list.reduce((sum, { count }) => sum + count, 0)
    const broken = total(overview.integrations.filter(({ status }) => status === 'ERROR'))
    const active = total(overview.integrations.filter(({ status }) => status === 'ACTIVE'))
    const span = ranges[this.#range].toLowerCase()
    const { deliveries_held: held, deliveries_waiting: waiting, deliveries_failed: failed } = overview
    const figures: Figure[] = [
      {
        label: 'Shops',
        value: total(overview.integrations),
        path: `/apps/${app}/integrations`,
        note: broken > 0 ? `${broken.toLocaleString('en')} in error` : `${active.toLocaleString('en')} active`,
        bad: broken > 0,
        means: 'All shops connected to this app, whatever their status; deleted ones are not counted.',
      },
      {
        label: 'Orders placed',
        value: total(overview.orders_placed),
        path: `/apps/${app}/orders`,
        note: `${overview.orders_received.toLocaleString('en')} received here`,
        means: `Orders that customers placed in the ${span}, in all shops. “Received” counts orders stored here in that time, whenever they were placed: a first sync brings old ones.`,
      },
      {
        label: 'Webhooks delivered',
        value: total(overview.deliveries),
        path: `/apps/${app}/webhooks`,
        note: failed > 0 ? `${failed.toLocaleString('en')} given up` : 'none given up',
        bad: failed > 0,
        means: `Deliveries that your endpoints accepted in the ${span}. “Given up” counts those whose last attempt failed in that time.`,
      },
      {
        label: 'Webhooks waiting',
        value: waiting + held,
        path: `/apps/${app}/webhooks`,
        note: held > 0 ? `${held.toLocaleString('en')} held` : 'none held',
        bad: held > 0,
        means:
          'Deliveries not accepted yet, as of now: waiting for their next attempt, or held because their webhook is disabled.',
      },
      {
        label: 'Failed messages',
        value: overview.failed_messages,
        path: `/apps/${app}/undelivered`,
        note: 'from shops',
        bad: overview.failed_messages > 0,
        means: 'Webhooks of shops that arrived here and could not be processed, as of now. They can be tried again.',
      },
    ]
    return html`<ul class="figures">
      ${figures.map(
        ({ label, value, path, note, bad, means }) => html`<li class="card" title=${means}>
          <a href=${href(path)}><span class="muted small">${label}</span><strong>${value.toLocaleString('en')}</strong><span class="small ${bad ? 'bad' : 'muted'}">${note}</span><span class="visually-hidden">${means}</span></a>
        </li>`,
      )}
    </ul>`
  }

  #runs(app: number, { recent_runs: runs }: Facts): TemplateResult {
    return table({
      caption: 'Latest runs',
      rows: runs,
      link: (run) => href(`/apps/${app}/integrations/${run.integration_id}/runs/${run.id}`),
      empty: empty('No runs in this time', 'Runs start on a schedule, when a shop sends a webhook, or by hand.'),
      columns: [
        { head: 'Run', cell: (run) => `${actionName(run.resource)} ${run.id}` },
        { head: 'Shop', cell: (run) => run.integration, wide: true },
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
    gauges,
    attentionStyles,
    happeningStyles,
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
      .figures .bad {
        color: var(--_critical);
      }
      .ranges {
        display: flex;
        flex-wrap: wrap;
        border: 1px solid var(--_line);
        border-radius: var(--_radius);
      }
      .ranges a {
        padding: 4px 10px;
        border-radius: inherit;
        color: var(--_muted);
        font: 500 13px / 22px var(--_font);
        text-decoration: none;
      }
      .ranges a:hover {
        background: var(--_hover);
      }
      .ranges a[aria-current='true'] {
        background: var(--_accent-soft);
        color: var(--_accent);
      }
      @media (max-width: 480px) {
        .ranges {
          display: grid;
          grid-template-columns: 1fr 1fr;
          text-align: center;
        }
      }
      /* Before its code is there it would be a bit of text, which has no height of its own. */
      ep-chart {
        display: block;
        min-height: 192px;
      }
      .title {
        font: 600 14px / 22px var(--_font);
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
      .budgets li {
        display: grid;
        gap: 4px;
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

interface Figure {
  label: string
  value: number
  path: string
  note: string
  bad?: boolean
  /** What is counted, in one sentence. */
  means: string
}

function chart({ steps, step }: Facts, heading: string, unit: string, series: readonly Series[], lines = false) {
  return html`<ep-chart .heading=${heading} .steps=${steps} .step=${step} .unit=${unit} .series=${series} ?lines=${lines}></ep-chart>`
}

/** One value for each step, in their order. */
function inSteps<T extends { at: string }>({ steps }: Facts, rows: readonly T[], readValue: (row: T) => number | null) {
  const byTime = new Map<string, number>()
  for (const row of rows) {
    const value = readValue(row)
    if (value !== null) byTime.set(row.at, (byTime.get(row.at) ?? 0) + value)
  }
  return (none: number | null) => steps.map((at) => byTime.get(at) ?? none)
}

const ordersChart = (facts: Facts) =>
  chart(facts, 'Orders placed', 'orders', [
    { name: 'Orders', colour: '--_accent', values: inSteps(facts, facts.orders_placed, ({ count }) => count)(0) },
  ])

function runsChart(facts: Facts) {
  const of = (statuses: readonly string[]) =>
    inSteps(
      facts,
      facts.runs.filter(({ status }) => statuses.includes(status)),
      ({ count }) => count,
    )(0)
  return chart(facts, 'Runs', 'runs', [
    { name: 'Completed', colour: '--_positive', values: of(['completed']) },
    { name: 'Failed', colour: '--_critical', values: of(['failed']) },
    { name: 'Running or cancelled', colour: '--_line-strong', values: of(['queued', 'running', 'cancelled']) },
  ])
}

const deliveriesChart = (facts: Facts) =>
  chart(facts, 'Webhooks delivered', 'deliveries', [
    { name: 'Accepted', colour: '--_accent', values: inSteps(facts, facts.deliveries, ({ count }) => count)(0) },
  ])

const latencyChart = (facts: Facts) =>
  chart(
    facts,
    'Time from event to delivery',
    'ms',
    [
      { name: 'Median', colour: '--_info', values: inSteps(facts, facts.deliveries, ({ p50_ms: ms }) => ms)(null) },
      {
        name: '95th percentile',
        colour: '--_notice',
        values: inSteps(facts, facts.deliveries, ({ p95_ms: ms }) => ms)(null),
      },
    ],
    true,
  )

/** Only those that are felt: a limit of which most is left is no news. */
function budgets({ budgets: list }: Facts) {
  const felt = list.filter(
    ({ remaining, capacity, blocked_seconds: blocked }) => blocked > 0 || remaining < capacity / 2,
  )
  return html`<h2 class="title">Rate limits of shops</h2>
    ${
      felt.length === 0
        ? html`<p class="muted small">No shop is near its limit.</p>`
        : html`<ul class="budgets">
            ${felt.map(
              ({ shop, name, remaining, capacity, blocked_seconds: blocked }) => html`<li>
                <span class="small"><span>${shop} · ${name}</span><span class="muted">${blocked > 0 ? `waiting ${Math.ceil(blocked)} s` : `${Math.floor(remaining).toLocaleString('en')} of ${capacity.toLocaleString('en')} left`}</span></span>
                <meter min="0" max=${capacity} low=${capacity * 0.2} value=${remaining} aria-label="${shop} ${name}"></meter>
              </li>`,
            )}
          </ul>`
    }`
}
