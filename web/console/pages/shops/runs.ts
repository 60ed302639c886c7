import { html, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { badge, runTone } from '../../../parts/status.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { actionName } from '../../actions.ts'
import { asApp, ask } from '../../api.ts'
import { picker, readChosen } from '../../integration-picker.ts'
import { noIntegrations } from '../../no-integrations.ts'
import { Page } from '../../page.ts'
import { changeQuery, href, type Route } from '../../router.ts'
import { showAll } from '../../show-all.ts'

type Data = Awaited<ReturnType<typeof read>>

const statuses = ['queued', 'running', 'completed', 'failed', 'cancelled']

/** Every run of one integration, newest first, with its progress. */
class Runs extends Page<Data> {
  override refreshSeconds = 3

  override load() {
    return read(this.params['app'] ?? '', this.query)
  }

  override show({ chosen, page }: Data): TemplateResult {
    const app = this.params['app'] ?? ''
    if (!chosen || !page) return html`<h1>Runs</h1>${noIntegrations(app)}`
    const status = this.query.get('status') ?? ''
    return html`<h1>Runs</h1>
      <div class="row">
        ${picker(app, chosen)}
        <label class="row">Status
          <select @change=${(event: Event) => changeQuery({ status: (event.target as HTMLSelectElement).value, page: null })}>
            <option value="">All</option>
            ${statuses.map((one) => html`<option value=${one} .selected=${one === status}>${one}</option>`)}
          </select>
        </label>
      </div>
      ${table({
        caption: 'Runs',
        rows: page.data,
        link: ({ id }) => href(`/apps/${app}/integrations/${chosen.id}/runs/${id}`),
        empty:
          status === ''
            ? empty(
                'No runs',
                'Runs start on a schedule, when the shop sends a message, or by hand on the page of the shop.',
              )
            : empty(`No run is ${status}`, 'Choose “All” to see the others.', showAll({ status: null, page: null })),
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
          { head: 'Error', cell: ({ error }) => error ?? '', wide: true },
        ],
      })}
      ${pager(page.meta, (number) => changeQuery({ page: String(number) }))}`
  }
}
define('ep-page-runs', Runs)

async function read(app: string, query: URLSearchParams) {
  const chosen = await readChosen(app, query)
  if (!chosen) return { chosen, page: null }
  const status = query.get('status')
  const page = await ask(
    asApp(app).GET('/api/2.0/app/integrations/{integrationId}/runs', {
      params: {
        path: { integrationId: String(chosen.id) },
        query: {
          page: Number(query.get('page') ?? 1),
          per_page: 25,
          ...(status && { 'filter[status]': status }),
        } as never,
      },
    }),
  )
  return { chosen, page }
}

export const runsRoute: Route = {
  path: '/apps/:app/runs',
  element: 'ep-page-runs',
  title: 'Runs',
  section: 'runs',
  right: 'read-integration',
}
