import { html, nothing, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { problem } from '../../../parts/problem.ts'
import { badge } from '../../../parts/status.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { asApp, ask } from '../../api.ts'
import { Page } from '../../page.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { messageTone } from './undelivered.ts'

type Data = Awaited<ReturnType<typeof read>>

/** One message of a shop: what became of it, and, for whoever may read orders, what it says. */
class MessagePage extends Page<Data> {
  static override properties = { ...Page.properties, refusal: { state: true } }
  declare refusal: unknown

  constructor() {
    super()
    this.refusal = null
  }

  override load() {
    return read(this.params, may(this.me, 'read-order', this.params['app']))
  }

  #replay = async () => {
    const { app = '', id = '', message = '' } = this.params
    const params = { path: { integrationId: id, delivery: message } }
    this.refusal = null
    try {
      await ask(asApp(app).POST('/api/2.0/app/integrations/{integrationId}/deliveries/{delivery}/replay', { params }))
      toast('Replaying the webhook.')
    } catch (error) {
      this.refusal = error
    }
    await this.reload()
  }

  override show({ delivery, content }: Data): TemplateResult {
    const { app = '', id = '' } = this.params
    const outcome = delivery.outcome ?? 'waiting'
    const rows: [string, unknown][] = [
      ['About', delivery.kind ? html`${delivery.kind} <code>${delivery.remote_id}</code>` : null],
      ['Received', time(delivery.received_at)],
      ['Processed', time(delivery.processed_at)],
      ['Next attempt', delivery.next_attempt_at === null ? null : time(delivery.next_attempt_at)],
      ['Failed attempts', delivery.attempts],
      ['Signature', delivery.verified ? 'verified' : 'none that we know'],
      ['Platform’s id', html`<code>${delivery.delivery_id}</code>`],
      ['Size', `${delivery.size.toLocaleString('en')} bytes`],
    ]
    return html`<p><a href=${href(`/apps/${app}/undelivered?integration=${id}&outcome=all`)}>Messages of the shop</a></p>
      <div class="bar"><div><h1>${delivery.topic ?? `Message ${delivery.id}`}</h1>${badge(messageTone(outcome), outcome)}</div>
        ${may(this.me, 'run-action', app) ? html`<button @click=${this.#replay}>${icon('refresh')}Try again</button>` : nothing}
      </div>
      ${this.refusal ? problem(this.refusal) : nothing}
      ${delivery.error ? html`<p class="notice failed" role="alert">${icon('warning')}<span>${delivery.error}</span></p>` : nothing}
      <section class="card"><h2>Facts</h2>
        <dl>${rows.map(([name, value]) => (value === null ? nothing : html`<dt>${name}</dt><dd>${value}</dd>`))}</dl>
      </section>
      ${content ? this.#content(content) : html`<p class="muted">What it says is shown to whoever has the right “read-order”.</p>`}`
  }

  #content({ headers, query, body, truncated }: NonNullable<Data['content']>): TemplateResult {
    const list = (title: string, given: Readonly<Record<string, string>>) =>
      Object.keys(given).length === 0
        ? nothing
        : html`<section class="card"><h2>${title}</h2>
            <dl>${Object.entries(given).map(([name, value]) => html`<dt><code>${name}</code></dt><dd><code>${value}</code></dd>`)}</dl>
          </section>`
    return html`${list('Headers', headers)}${list('Query', query)}
      <section class="card"><h2>Body</h2>
        ${body === '' ? html`<p class="muted">It is no longer kept.</p>` : html`<pre>${readable(body)}</pre>`}
        ${truncated ? html`<p class="muted">There is more of it than is shown here.</p>` : nothing}
      </section>`
  }
}
define('ep-page-message', MessagePage)

/** JSON on lines of its own; anything else as it came. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

async function read({ app = '', id = '', message = '' }: Readonly<Record<string, string>>, mayRead: boolean) {
  const params = { path: { integrationId: id, delivery: message } }
  const path = '/api/2.0/app/integrations/{integrationId}/deliveries/{delivery}' as const
  const [delivery, content] = await Promise.all([
    ask(asApp(app).GET(path, { params })),
    mayRead ? ask(asApp(app).GET(`${path}/content`, { params })) : null,
  ])
  return { delivery: delivery.data, content: content?.data ?? null }
}
