import { html, nothing, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { badge, runTone } from '../../../parts/status.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { actionName } from '../../actions.ts'
import { api, ask } from '../../api.ts'
import { inWords } from '../../order-state.ts'
import { Page } from '../../page.ts'
import { changeQuery } from '../../router.ts'
import { may } from '../../session.ts'

type Data = Awaited<ReturnType<typeof read>>
type Flow = Data['data'][number]

const starts: Readonly<Record<string, string>> = {
  schedule: 'On a schedule',
  webhook: 'By a message',
  manual: 'By hand',
}

const lowered = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)

/** Named pipelines of an app: what starts each, what it does, how it went, and the switch. */
class Flows extends Page<Data> {
  static override properties = { ...Page.properties, refusal: { state: true } }
  declare refusal: unknown
  override refreshSeconds = 10

  constructor() {
    super()
    this.refusal = null
  }

  override load() {
    return read(this.params['app'] ?? '', Number(this.query.get('page') ?? 1))
  }

  #switch = async ({ id, active, name }: Flow) => {
    this.refusal = null
    try {
      const params = { path: { appId: this.params['app'] ?? '', flowId: String(id) } }
      await ask(api.PUT('/api/2.0/user/apps/{appId}/flows/{flowId}', { params, body: { active: !active } }))
      toast(active ? `${name} is switched off.` : `${name} is switched on.`)
    } catch (error) {
      this.refusal = error
    }
    await this.reload()
  }

  override show({ data, meta }: Data): TemplateResult {
    const canChange = may(this.me, 'run-action', this.params['app'])
    return html`<h1>Flows</h1>
      <p class="muted">Actions that run one after the other in a shop. Create them over the API (<a href="/docs">reference</a>).</p>
      ${this.refusal ? problem(this.refusal) : nothing}
      ${table({
        caption: 'Flows',
        rows: data,
        empty: empty(
          'No flows yet',
          'A flow starts on a schedule, when a shop sends a message, or by hand, and runs its actions in order.',
          html`<a class="button" href="/docs">Open the API reference</a>`,
        ),
        columns: [
          { head: 'Name', cell: ({ name }) => name },
          { head: 'Starts', cell: ({ type }) => starts[type] ?? type },
          {
            head: 'Does',
            cell: ({ steps }) =>
              steps
                .map(({ action }, n) => (n === 0 ? actionName(action) : lowered(actionName(action))))
                .join(', then '),
            wide: true,
          },
          {
            head: 'Last run',
            cell: ({ last_run_at: at, last_run_status: status }) =>
              at === null ? '–' : html`${status ? badge(runTone(status), inWords(status)) : nothing} ${time(at)}`,
          },
          { head: 'Next', cell: ({ next_run_at: at }) => time(at), wide: true },
          { head: 'State', cell: ({ active }) => badge(active ? 'positive' : 'neutral', active ? 'On' : 'Off') },
          {
            head: 'Actions',
            actions: true,
            cell: (flow) =>
              canChange
                ? html`<button aria-label="${flow.active ? 'Switch off' : 'Switch on'} ${flow.name}" @click=${() => void this.#switch(flow)}>${flow.active ? 'Switch off' : 'Switch on'}</button>`
                : nothing,
          },
        ],
      })}
      ${pager(meta, (page) => changeQuery({ page: String(page) }))}`
  }
}
define('ep-page-flows', Flows)

function read(appId: string, page: number) {
  const query = { page, per_page: 25, sort: 'name' }
  return ask(api.GET('/api/2.0/user/apps/{appId}/flows', { params: { path: { appId }, query } }))
}
