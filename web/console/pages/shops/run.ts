import { html, nothing, type TemplateResult } from 'lit'
import '../../../components/logs.ts'
import { gauges } from '../../../design/tokens.ts'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { badge, runTone } from '../../../parts/status.ts'
import { time } from '../../../parts/time.ts'
import { duration } from '../../../parts/timeline.ts'
import { toast } from '../../../parts/toast.ts'
import { asApp, ask } from '../../api.ts'
import { Page } from '../../page.ts'
import { href, type Route } from '../../router.ts'
import { may } from '../../session.ts'

type Data = Awaited<ReturnType<typeof read>>

/** One run: how far it is, what came of it, and why it failed. */
class RunPage extends Page<Data> {
  static override properties = { ...Page.properties, refusal: { state: true } }
  declare refusal: unknown
  override refreshSeconds = 2

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

  override show({ run, integration }: Data): TemplateResult {
    const { app = '', id = '' } = this.params
    const open = run.status === 'queued' || run.status === 'running'
    const { done, total } = run.progress
    const took = run.started_at && run.finished_at ? Date.parse(run.finished_at) - Date.parse(run.started_at) : null
    return html`<p><a href=${href(`/apps/${app}/integrations/${id}`)}>${integration.name}</a></p>
      <div class="bar">
        <div><h1>${run.resource} ${run.id}</h1>${badge(runTone(run.status), run.status)}</div>
        ${open && may(this.me, 'run-action', this.params['app']) ? html`<button class="critical" @click=${this.#cancel}>Stop the run</button>` : nothing}
      </div>
      ${this.refusal ? problem(this.refusal) : nothing}
      <section class="card stack">
        <h2>Progress</h2>
        <progress max=${total ?? 1} value=${total === null ? (open ? 0 : 1) : done} aria-label="Progress"></progress>
        <p>${done.toLocaleString('en')}${total === null ? '' : ` of ${total.toLocaleString('en')}`} records${
          open && run.estimated_seconds !== null ? `, about ${duration(run.estimated_seconds * 1000, 'en')} to go` : ''
        }</p>
        <dl>
          <dt>Queued</dt><dd>${time(run.created_at)}</dd>
          <dt>Started</dt><dd>${time(run.started_at)}</dd>
          <dt>Finished</dt><dd>${time(run.finished_at)}</dd>
          ${took === null ? nothing : html`<dt>Took</dt><dd>${duration(took, 'en')}</dd>`}
        </dl>
        ${run.error ? html`<p role="alert">${run.error}</p>` : nothing}
      </section>
      ${run.result ? html`<section class="card"><h2>Result</h2><pre>${JSON.stringify(run.result, null, 2)}</pre></section>` : nothing}`
  }

  static override styles = [...Page.styles, gauges]
}
define('ep-page-run', RunPage)

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
  return { run: found.data, integration: integration.data }
}

export const runRoute: Route = {
  path: '/apps/:app/integrations/:id/runs/:run',
  element: 'ep-page-run',
  title: 'Run',
  section: 'runs',
  right: 'read-integration',
}
