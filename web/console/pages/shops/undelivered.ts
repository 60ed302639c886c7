import { html, nothing, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { problem } from '../../../parts/problem.ts'
import { badge, type Tone } from '../../../parts/status.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { asApp, ask } from '../../api.ts'
import { picker, readChosen } from '../../integration-picker.ts'
import { noIntegrations } from '../../no-integrations.ts'
import { Page } from '../../page.ts'
import { changeQuery, href, type Route } from '../../router.ts'
import { may } from '../../session.ts'
import { showAll } from '../../show-all.ts'

type Data = Awaited<ReturnType<typeof read>>

const outcomes = ['failed', 'stored', 'unchanged', 'removed', 'acted', 'ignored']
const tones: Readonly<Record<string, Tone>> = { failed: 'critical', stored: 'positive', acted: 'positive' }

export const messageTone = (outcome: string): Tone => tones[outcome] ?? 'neutral'

/** Messages of shops, first of all those that nobody could work on, and the button that tries again. */
class Undelivered extends Page<Data> {
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

  #replay = async (integrationId: number, delivery: number) => {
    this.refusal = null
    try {
      await ask(
        asApp(this.params['app'] ?? '').POST('/api/2.0/app/integrations/{integrationId}/deliveries/{delivery}/replay', {
          params: { path: { integrationId: String(integrationId), delivery: String(delivery) } },
        }),
      )
      toast('Replaying the webhook.')
    } catch (error) {
      this.refusal = error
    }
    await this.reload()
  }

  override show({ chosen, page, outcome }: Data): TemplateResult {
    const app = this.params['app'] ?? ''
    if (!chosen || !page) return html`<h1>Messages</h1>${noIntegrations(app)}`
    return html`<h1>Messages</h1>
      <p class="muted">What shops have told us. Each message is kept until it has been processed; those that failed come first, with the reason.</p>
      <div class="row">
        ${picker(app, chosen)}
        <label class="row">Outcome
          <select @change=${(event: Event) => changeQuery({ outcome: (event.target as HTMLSelectElement).value, page: null })}>
            <option value="all" .selected=${outcome === ''}>All</option>
            ${outcomes.map((one) => html`<option value=${one} .selected=${one === outcome}>${one}</option>`)}
          </select>
        </label>
      </div>
      ${this.refusal ? problem(this.refusal) : nothing}
      ${table({
        caption: 'Messages of the shop',
        rows: page.data,
        link: ({ id }) => href(`/apps/${app}/integrations/${chosen.id}/messages/${id}`),
        empty:
          outcome === ''
            ? empty(
                'This shop has sent no messages',
                'If a platform sends no messages, Entrepot checks the shop on a schedule.',
              )
            : empty(
                outcome === 'failed' ? 'Nothing is undelivered' : `No message is ${outcome}`,
                outcome === 'failed'
                  ? 'Every webhook of this shop has been processed.'
                  : 'Choose “All” to see the others.',
                showAll({ outcome: 'all', page: null }),
              ),
        columns: [
          { head: 'Message', cell: ({ topic, id }) => topic ?? `message ${id}` },
          {
            head: 'About',
            cell: ({ kind, remote_id: remoteId }) => (kind ? html`${kind} <code>${remoteId}</code>` : ''),
            wide: true,
          },
          { head: 'Outcome', cell: ({ outcome: is }) => badge(messageTone(is ?? ''), is ?? 'waiting') },
          { head: 'Reason', cell: ({ error }) => error ?? '', wide: true },
          { head: 'Received', cell: ({ received_at: at }) => time(at) },
          {
            head: 'Again',
            cell: ({ id }) =>
              may(this.me, 'run-action', this.params['app'])
                ? html`<button @click=${() => this.#replay(chosen.id, id)}>${icon('refresh')}Try again</button>`
                : nothing,
          },
        ],
      })}
      ${pager(page.meta, (number) => changeQuery({ page: String(number) }))}`
  }
}
define('ep-page-undelivered', Undelivered)

async function read(app: string, query: URLSearchParams) {
  const chosen = await readChosen(app, query)
  const asked = query.get('outcome') ?? 'failed'
  const outcome = asked === 'all' ? '' : asked
  if (!chosen) return { chosen, page: null, outcome }
  const page = await ask(
    asApp(app).GET('/api/2.0/app/integrations/{integrationId}/deliveries', {
      params: {
        path: { integrationId: String(chosen.id) },
        query: {
          page: Number(query.get('page') ?? 1),
          per_page: 25,
          ...(outcome && { 'filter[outcome]': outcome }),
        } as never,
      },
    }),
  )
  return { chosen, page, outcome }
}

export const undeliveredRoute: Route = {
  path: '/apps/:app/undelivered',
  element: 'ep-page-undelivered',
  title: 'Messages',
  section: 'undelivered',
  right: 'read-integration',
}
