import { css, html, nothing, type TemplateResult } from 'lit'
import { entryStyles, logEntry } from '../../../components/log-entries.ts'
import { en } from '../../../components/words/en.ts'
import { gauges } from '../../../design/tokens.ts'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { problem } from '../../../parts/problem.ts'
import { badge, runTone } from '../../../parts/status.ts'
import { formOf, time } from '../../../parts/time.ts'
import { duration } from '../../../parts/timeline.ts'
import { toast } from '../../../parts/toast.ts'
import { actionName } from '../../actions.ts'
import { asApp, ask } from '../../api.ts'
import { awayOf, readLog } from '../../frame/away.ts'
import { atMostEvery, Following } from '../../live.ts'
import { Page } from '../../page.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'

type Data = Awaited<ReturnType<typeof read>>

/** One run: how far it is, what came of it, and why it failed. */
class RunPage extends Page<Data> {
  static override properties = { ...Page.properties, refusal: { state: true } }
  declare refusal: unknown
  /** Told of what happens in the app; looked at by the clock only while that is not heard. */
  override refreshSeconds = 3
  #following = new Following(this, {
    app: () => this.params['app'] ?? null,
    onNews: (news) => {
      if (news.type === 'gap' || (news.type === 'run' && String(news.data.id) === this.params['run'])) this.#look()
    },
  })
  #look = atMostEvery(500, () => {
    if (this.isConnected) void this.reload()
  })
  override isTold = () => this.#following.isOpen

  constructor() {
    super()
    this.refusal = null
  }

  override load() {
    return read(this.params)
  }

  #cancel = async () => {
    const { app = '', id = '', run = '' } = this.params
    try {
      const path = { integrationId: id, run }
      await ask(asApp(app).POST('/api/2.0/app/integrations/{integrationId}/runs/{run}/cancel', { params: { path } }))
      toast('The run has been stopped.')
    } catch (error) {
      this.refusal = error
    }
    await this.reload()
  }

  override show({ run, integration, log }: Data): TemplateResult {
    const { app = '', id = '' } = this.params
    const open = run.status === 'queued' || run.status === 'running'
    const away = awayOf(run, log)
    return html`<p><a href=${href(`/apps/${app}/integrations/${id}`)}>${integration.name}</a></p>
      <div class="bar">
        <div><h1>${actionName(run.resource)} ${run.id}</h1>${away ? badge('notice', 'Waiting for the shop') : badge(runTone(run.status), run.status)}</div>
        ${open && may(this.me, 'run-action', this.params['app']) ? html`<button class="critical" @click=${this.#cancel}>Stop the run</button>` : nothing}
      </div>
      ${this.refusal ? problem(this.refusal) : nothing}
      ${away ? html`<p class="notice" role="status">${icon('clock')}<span>${away.message} ${time(away.created_at)}</span></p>` : nothing}
      ${run.status === 'queued' && !away ? html`<p class="notice" role="status">${icon('clock')}<span>Waiting for its turn: a shop has one run at a time.</span></p>` : nothing}
      ${run.error ? html`<p class="notice failed" role="alert">${icon('warning')}<span>${run.error}</span></p>` : nothing}
      <section class="card stack">
        <h2>Progress</h2>
        ${this.#progress(run)}
        <dl>
          <dt>Queued</dt><dd>${time(run.created_at)}</dd>
          <dt>Started</dt><dd>${time(run.started_at)}</dd>
          <dt>Finished</dt><dd>${time(run.finished_at)}</dd>
          ${this.#pace(run)}
          ${run.waits === 0 ? nothing : html`<dt>Retries in a row</dt><dd>${run.waits.toLocaleString('en')}</dd>`}
        </dl>
      </section>
      ${run.result ? html`<section class="card"><h2>Result</h2><pre>${JSON.stringify(run.result, null, 2)}</pre></section>` : nothing}
      <section class="stack log"><h2>Log</h2>
        ${
          log.length === 0
            ? html`<p class="muted">This run has logged nothing${open ? ' yet' : ''}.</p>`
            : html`<ol>${log.map((entry) => logEntry(entry, { words: en, language: 'en' }, null))}</ol>`
        }
      </section>`
  }

  /** A bar only where there is something to measure by: a run that has failed is not full. */
  #progress({ status, progress: { done, total }, estimated_seconds: left }: Run): TemplateResult {
    const open = status === 'queued' || status === 'running'
    const of = total === null ? '' : ` of ${total.toLocaleString('en')}`
    const toGo = open && left !== null ? `, about ${duration(left * 1000, formOf('en'))} to go` : ''
    return html`${total === null || total === 0 ? nothing : html`<progress max=${total} value=${done} aria-label="Progress"></progress>`}
      <p>${done.toLocaleString('en')}${of} records${toGo}</p>`
  }

  #pace({ started_at: from, finished_at: to, progress: { done } }: Run) {
    if (from === null) return nothing
    const ms = (to === null ? Date.now() : Date.parse(to)) - Date.parse(from)
    const perMinute = Math.round((done * 60_000) / Math.max(ms, 1000))
    return html`${to === null ? nothing : html`<dt>Took</dt><dd>${duration(ms, formOf('en'))}</dd>`}
      ${done === 0 ? nothing : html`<dt>Pace</dt><dd>${perMinute.toLocaleString('en')} records per minute</dd>`}`
  }

  static override styles = [
    ...Page.styles,
    gauges,
    entryStyles,
    css`
      /* Entries are as wide as what they stand in, on a phone too. */
      .log {
        container-type: inline-size;
      }
    `,
  ]
}
define('ep-page-run', RunPage)

type Run = Data['run']

async function read({ app = '', id = '', run = '' }: Readonly<Record<string, string>>) {
  const client = asApp(app)
  const [found, integration] = await Promise.all([
    ask(
      client.GET('/api/2.0/app/integrations/{integrationId}/runs/{run}', {
        params: { path: { integrationId: id, run } },
      }),
    ),
    ask(client.GET('/api/2.0/app/integrations/{integration}', { params: { path: { integration: id } } })),
  ])
  const log = await readLog(app, integration.data.account_id, { integration: id, run: found.data.id })
  return { run: found.data, integration: integration.data, log }
}
