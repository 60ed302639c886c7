import { html, nothing, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { settled } from '../../../parts/settled.ts'
import { badge, type Tone } from '../../../parts/status.ts'
import { empty, pager } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask } from '../../api.ts'
import { Page } from '../../page.ts'
import { changeQuery, href } from '../../router.ts'
import { may } from '../../session.ts'
import { showAll } from '../../show-all.ts'

type Data = Awaited<ReturnType<typeof read>>
type Approval = Data['page']['data'][number]
type Status = Approval['status']

const statuses: readonly Status[] = ['waiting', 'approved', 'done', 'failed', 'refused', 'expired']
const tones: Readonly<Record<Status, Tone>> = {
  waiting: 'notice',
  approved: 'info',
  done: 'positive',
  failed: 'critical',
  refused: 'neutral',
  expired: 'neutral',
}

/** What agents want changed: who asks, where, and exactly what, with the two buttons. */
class Approvals extends Page<Data> {
  static override properties = { ...Page.properties, refusal: { state: true }, busy: { state: true } }
  declare refusal: { id: number; error: unknown } | null
  declare busy: number | null
  override refreshSeconds = 5

  constructor() {
    super()
    this.refusal = null
    this.busy = null
  }

  override load() {
    return read(this.params['app'] ?? '', this.query)
  }

  #decide = async (id: number, how: 'approve' | 'refuse') => {
    if (this.busy !== null) return
    this.busy = id
    this.refusal = null
    const params = { path: { appId: this.params['app'] ?? '', approval: String(id) } }
    try {
      const { data } =
        how === 'approve'
          ? await ask(api.POST('/api/2.0/user/apps/{appId}/approvals/{approval}/approve', { params }))
          : await ask(api.POST('/api/2.0/user/apps/{appId}/approvals/{approval}/refuse', { params }))
      toast(
        data.status === 'done'
          ? 'Approved and carried out.'
          : data.status === 'refused'
            ? 'Refused.'
            : `It is ${data.status}.`,
      )
    } catch (error) {
      this.refusal = { id, error }
    }
    this.busy = null
    await this.reload()
  }

  #item(approval: Approval): TemplateResult {
    const { id, status, title, program, user, integration_id: integration, shop, says, request, answer } = approval
    const app = this.params['app'] ?? ''
    const mayDecide = status === 'waiting' && may(this.me, 'run-action', app)
    return html`<article class="card stack" aria-labelledby="approval-${id}">
      <div class="bar">
        <h2 id="approval-${id}">${title}${integration === null ? nothing : html` in <a href=${href(`/apps/${app}/integrations/${integration}`)}>${shop ?? `shop ${integration}`}</a>`}</h2>
        <div>${badge(tones[status], status)}</div>
      </div>
      <dl>
        <dt>Asked by</dt><dd>${program.name} <span class="muted">(its own name, unverified)</span> for ${user.name ?? `user ${user.id}`}, ${time(approval.created_at)}</dd>
        ${says.map(({ name, value }) => html`<dt>${inSentence(name)}</dt><dd>${value}</dd>`)}
        ${
          approval.decided_by
            ? html`<dt>Decided by</dt><dd>${approval.decided_by.name ?? `user ${approval.decided_by.id}`}, ${time(approval.decided_at)}</dd>`
            : html`<dt>Expires</dt><dd>${time(approval.expires_at)}</dd>`
        }
      </dl>
      <details><summary>The request, word for word</summary>
        <pre tabindex="0"><code>${request.method} ${request.url}
${JSON.stringify(request.body, null, 2)}</code></pre>
      </details>
      ${answer ? html`<details ?open=${status === 'failed'}><summary>What came of it</summary><pre tabindex="0"><code>${JSON.stringify(answer, null, 2)}</code></pre></details>` : nothing}
      ${this.refusal?.id === id ? problem(this.refusal.error) : nothing}
      ${
        mayDecide
          ? html`<div class="row">
              <button class="primary" ?disabled=${this.busy !== null} @click=${() => this.#decide(id, 'approve')}>Approve</button>
              <button ?disabled=${this.busy !== null} @click=${() => this.#decide(id, 'refuse')}>Refuse</button>
            </div>`
          : nothing
      }
    </article>`
  }

  override show({ page, status }: Data): TemplateResult {
    return html`<h1>Approvals</h1>
      <p class="muted">What agents want changed. Nothing happens until you approve it. Requests expire after a day.</p>
      <div class="row">
        <label class="row">Status
          <select ${settled((value) => changeQuery({ status: value, page: null }))}>
            <option value="all" .selected=${status === ''}>All</option>
            ${statuses.map((one) => html`<option value=${one} .selected=${one === status}>${one}</option>`)}
          </select>
        </label>
      </div>
      ${
        page.data.length === 0
          ? empty(
              status === 'waiting' ? 'Nothing waits for you' : 'Nothing to show',
              'Changes that agents ask for wait here until someone decides.',
              status === '' ? undefined : showAll({ status: 'all', page: null }),
            )
          : html`<div class="stack">${page.data.map((one) => this.#item(one))}</div>`
      }
      ${pager(page.meta, (number) => changeQuery({ page: String(number) }))}`
  }
}
define('ep-page-approvals', Approvals)

/** `order_id` as people write it. */
const inSentence = (name: string) => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ')

async function read(app: string, query: URLSearchParams) {
  const asked = query.get('status') ?? 'waiting'
  const status = asked === 'all' ? '' : asked
  const page = await ask(
    api.GET('/api/2.0/user/apps/{appId}/approvals', {
      params: {
        path: { appId: app },
        query: {
          page: Number(query.get('page') ?? 1),
          per_page: 25,
          ...(status && { 'filter[status]': status }),
        } as never,
      },
    }),
  )
  return { page, status }
}
