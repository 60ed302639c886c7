import { css, html, nothing, type TemplateResult } from 'lit'
import { copy } from '../../parts/copy.ts'
import '../../parts/dialog.ts'
import { define } from '../../parts/element.ts'
import { icon } from '../../parts/icons.ts'
import { problem } from '../../parts/problem.ts'
import { badge, type Tone } from '../../parts/status.ts'
import { empty, pager, table } from '../../parts/table.ts'
import { time } from '../../parts/time.ts'
import { toast } from '../../parts/toast.ts'
import { api, ask } from '../api.ts'
import { formDialog, secretDialog } from '../ask-form.ts'
import { field, valuesOf } from '../form.ts'
import { Page } from '../page.ts'
import { changeQuery, href, navigate, type Route } from '../router.ts'
import { webhookBadge } from './webhooks.ts'

type Data = Awaited<ReturnType<typeof read>>
type Detail = NonNullable<Data['detail']>

const states = ['pending', 'delivered', 'failed', 'held', 'cancelled']
const tones: Readonly<Record<string, Tone>> = {
  delivered: 'positive',
  pending: 'notice',
  failed: 'critical',
  held: 'neutral',
  cancelled: 'neutral',
}

/** One webhook: its deliveries with all attempts, and everything to make it work again. */
class WebhookPage extends Page<Data> {
  static override properties = {
    ...Page.properties,
    refusal: { state: true },
    secret: { state: true },
    replaying: { state: true },
    asking: { state: true },
  }
  declare refusal: unknown
  declare secret: string | null
  declare replaying: boolean
  declare asking: boolean
  override refreshSeconds = 4

  constructor() {
    super()
    this.refusal = null
    this.secret = null
    this.replaying = false
    this.asking = false
  }

  override load() {
    return read(this.params, this.query)
  }

  get #path() {
    return { appId: this.params['app'] ?? '', webhook: this.params['webhook'] ?? '' }
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

  #test = () =>
    this.#act(
      () => ask(api.POST('/api/2.0/user/apps/{appId}/webhooks/{webhook}/test', { params: { path: this.#path } })),
      'A test is on its way.',
    )

  #setActive = (active: boolean) =>
    this.#act(
      () =>
        ask(
          api.PUT('/api/2.0/user/apps/{appId}/webhooks/{webhook}', { params: { path: this.#path }, body: { active } }),
        ),
      active ? 'Switched on.' : 'Switched off.',
    )

  #replay = (delivery: number) =>
    this.#act(
      () =>
        ask(
          api.POST('/api/2.0/user/apps/{appId}/webhooks/{webhook}/deliveries/{delivery}/replay', {
            params: { path: { ...this.#path, delivery: String(delivery) } },
          }),
        ),
      'It is being sent again.',
    )

  #rotate = async () => {
    try {
      const { data } = await ask(
        api.POST('/api/2.0/user/apps/{appId}/webhooks/{webhook}/rotate-secret', { params: { path: this.#path } }),
      )
      this.secret = data.secret
    } catch (error) {
      this.refusal = error
    }
  }

  #replayRange = async (form: HTMLFormElement) => {
    const { since = '', until = '' } = valuesOf(form)
    const iso = (local: string) => new Date(local).toISOString()
    try {
      const { data } = await ask(
        api.POST('/api/2.0/user/apps/{appId}/webhooks/{webhook}/replay', {
          params: { path: this.#path },
          body: { since: iso(since), ...(until && { until: iso(until) }) },
        }),
      )
      this.replaying = false
      toast(`${data.replayed.toLocaleString('en')} deliveries are being sent again.`)
      await this.reload()
    } catch (error) {
      this.refusal = error
    }
  }

  #delete = async () => {
    this.asking = false
    try {
      await ask(api.DELETE('/api/2.0/user/apps/{appId}/webhooks/{webhook}', { params: { path: this.#path } }))
      toast('The webhook has been deleted.')
      navigate(`/apps/${this.params['app']}/webhooks`)
    } catch (error) {
      this.refusal = error
    }
  }

  override show({ webhook, deliveries, detail }: Data): TemplateResult {
    const app = this.params['app'] ?? ''
    const state = this.query.get('state') ?? ''
    const off = !webhook.active || webhook.disabled_at !== null
    return html`<p><a href=${href(`/apps/${app}/webhooks`)}>Webhooks</a></p>
      <div class="bar">
        <div><h1>${webhook.url}</h1>${webhookBadge(webhook)}</div>
        <div>
          <button @click=${this.#test}>${icon('play')}Send a test</button>
          <button @click=${() => {
            this.refusal = null
            this.replaying = true
          }}>${icon('refresh')}Replay a time</button>
          <button @click=${this.#rotate}>${icon('key')}New secret</button>
          <button @click=${() => this.#setActive(off)}>${off ? 'Switch on' : 'Switch off'}</button>
          <button class="critical" @click=${() => {
            this.asking = true
          }}>Delete</button>
        </div>
      </div>
      ${this.refusal && !this.replaying ? problem(this.refusal) : nothing}
      ${webhook.disabled_reason ? html`<p>It was disabled ${time(webhook.disabled_at)}: ${webhook.disabled_reason === 'gone' ? 'the address answered that it is gone (410)' : 'every attempt failed for five days'}.</p>` : nothing}
      <p class="muted">Is told of ${webhook.events.includes('*') ? 'everything' : webhook.events.join(', ')}.</p>
      <div class="bar"><h2>Deliveries</h2>
        <label class="row">State
          <select @change=${(event: Event) => changeQuery({ state: (event.target as HTMLSelectElement).value, page: null })}>
            <option value="">All</option>
            ${states.map((one) => html`<option value=${one} ?selected=${one === state}>${one}</option>`)}
          </select>
        </label>
      </div>
      ${table({
        caption: 'Deliveries',
        rows: deliveries.data,
        link: ({ id }) => `${href(`/apps/${app}/webhooks/${webhook.id}`)}?delivery=${id}`,
        empty: empty('Nothing has been sent yet', 'Send a test, or wait for the first event.'),
        columns: [
          { head: 'Event', cell: ({ type }) => type },
          { head: 'State', cell: (one) => badge(tones[one.state] ?? 'neutral', one.state) },
          { head: 'Attempts', cell: ({ attempts }) => attempts, number: true },
          { head: 'Answer', cell: ({ response_status: status, error }) => status ?? error ?? '', wide: true },
          { head: 'When', cell: ({ created_at: at }) => time(at), wide: true },
          {
            head: 'Again',
            cell: ({ id }) => html`<button @click=${() => this.#replay(id)}>${icon('refresh')}Replay</button>`,
          },
        ],
      })}
      ${pager(deliveries.meta, (page) => changeQuery({ page: String(page) }))}
      ${this.#dialogs(webhook.url, detail)}`
  }

  #dialogs(url: string, detail: Detail | null): TemplateResult {
    return html`<ep-dialog heading="Delivery" ?open=${detail !== null} @close=${() => changeQuery({ delivery: null })}>
        ${detail ? this.#detail(detail) : nothing}
      </ep-dialog>
      <ep-dialog heading="Delete this webhook?" ?open=${this.asking} @close=${() => {
        this.asking = false
      }}>
        <p>Nothing more is sent to ${url}, and what was on its way is dropped.</p>
        <button slot="actions" class="critical" @click=${this.#delete}>Delete the webhook</button>
      </ep-dialog>
      ${formDialog({
        heading: 'Replay a time',
        open: this.replaying,
        failure: this.replaying ? this.refusal : null,
        action: 'Send again',
        onSubmit: (form) => void this.#replayRange(form),
        onClose: () => {
          this.replaying = false
        },
        fields: html`<p class="muted">What failed in this time is sent again, oldest first.</p>
          ${field({ name: 'since', label: 'From', failure: this.refusal, type: 'datetime-local' })}
          ${field({ name: 'until', label: 'Until', required: false, failure: this.refusal, type: 'datetime-local' })}`,
      })}
      ${secretDialog(
        'The new secret',
        html`<p>The old one counts for another 24 hours beside it.</p>${copy(this.secret ?? '')}`,
        this.secret !== null,
        () => {
          this.secret = null
        },
      )}`
  }

  #detail(detail: Detail): TemplateResult {
    return html`<div class="stack">
      <dl><dt>Id</dt><dd>${copy(detail.event_id)}</dd><dt>Event</dt><dd>${detail.type}</dd><dt>State</dt><dd>${badge(tones[detail.state] ?? 'neutral', detail.state)}</dd></dl>
      <h3>Attempts</h3>
      ${
        detail.attempt_log.length === 0
          ? html`<p class="muted">None yet.</p>`
          : html`<ol class="attempts">${detail.attempt_log.map(
              ({ at, duration_ms: took, response_status: status, error, response_body: body }) =>
                html`<li>${time(at)}: ${status === null ? (error ?? 'no answer') : `status ${status}`} after ${took.toLocaleString('en')} ms${body ? html`<pre>${body}</pre>` : nothing}</li>`,
            )}</ol>`
      }
      <h3>Content</h3>
      <pre>${JSON.stringify(detail.data, null, 2)}</pre>
    </div>`
  }

  static override styles = [
    ...Page.styles,
    css`
      .attempts {
        margin: 0;
        padding-inline-start: 20px;
      }
      h1 {
        overflow-wrap: anywhere;
      }
    `,
  ]
}
define('ep-page-webhook', WebhookPage)

async function read({ app = '', webhook = '' }: Readonly<Record<string, string>>, query: URLSearchParams) {
  const path = { appId: app, webhook }
  const state = query.get('state')
  const delivery = query.get('delivery')
  const [found, deliveries, detail] = await Promise.all([
    ask(api.GET('/api/2.0/user/apps/{appId}/webhooks/{webhook}', { params: { path } })),
    ask(
      api.GET('/api/2.0/user/apps/{appId}/webhooks/{webhook}/deliveries', {
        params: {
          path,
          query: {
            page: Number(query.get('page') ?? 1),
            per_page: 25,
            ...(state && { 'filter[state]': state }),
          } as never,
        },
      }),
    ),
    delivery
      ? ask(
          api.GET('/api/2.0/user/apps/{appId}/webhooks/{webhook}/deliveries/{delivery}', {
            params: { path: { ...path, delivery } },
          }),
        )
      : null,
  ])
  return { webhook: found.data, deliveries, detail: detail?.data ?? null }
}

export const webhookRoute: Route = {
  path: '/apps/:app/webhooks/:webhook',
  element: 'ep-page-webhook',
  title: 'Webhook',
  section: 'webhooks',
}
