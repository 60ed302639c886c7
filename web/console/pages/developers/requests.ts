import { html, nothing, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { badge } from '../../../parts/status.ts'
import { empty, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { asApp, ask } from '../../api.ts'
import { Page } from '../../page.ts'
import { changeQuery, href, withQuery } from '../../router.ts'
import { showAll } from '../../show-all.ts'
import { type CallerKind, isCallerKind, ranges, type UsageRange, usageCard } from './usage-card.ts'

type Data = Awaited<ReturnType<typeof read>>
export type Call = Data['list']['data'][number]

const filters = ['status', 'method', 'route', 'integration_id', 'request_id', 'source', 'since', 'until'] as const
type Filter = (typeof filters)[number]
const none = { ...Object.fromEntries(filters.map((name) => [name, null])), cursor: null }

const statuses = { failed: 'Failed', '2xx': '2xx', '3xx': '3xx', '4xx': '4xx', '5xx': '5xx' } as const
const sources = { api: 'Programs', console: 'The console' } as const
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Calls of the API by the app: newest first, with what can be asked of them in the address. */
class Requests extends Page<Data> {
  override load() {
    return read(this.params['app'] ?? '', this.query, this.#range)
  }

  override connectedCallback() {
    super.connectedCallback()
    // Large, and not needed for what comes first.
    void import('../../../parts/chart.ts')
  }

  get #range(): UsageRange {
    const asked = this.query.get('range')
    return ranges.find((one) => one === asked) ?? '1h'
  }

  get #caller(): CallerKind {
    const asked = this.query.get('caller')
    return isCallerKind(asked) ? asked : 'client'
  }

  #filter = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const given = filters.map((name) => [name, String(form.get(name) ?? '').trim() || null] as const)
    changeQuery({ ...Object.fromEntries(given), cursor: null })
  }

  override show({ list: { data, meta }, usage }: Data): TemplateResult {
    const { app = '' } = this.params
    const isFiltered = filters.some((name) => this.#value(name) !== '')
    return html`<div class="bar"><h1>Requests</h1>
        <button @click=${() => void this.reload()}>${icon('refresh')}Refresh</button>
      </div>
      <p class="muted">${
        meta.days === 0
          ? 'The request log is switched off. Whoever operates this service sets REQUEST_LOG_DAYS to switch it on.'
          : `Calls of the API for this app, kept for ${meta.days === 1 ? 'a day' : `${meta.days} days`}. Secrets and customer data are not kept.`
      }</p>
      ${meta.days === 0 ? nothing : usageCard(usage, { range: this.#range, caller: this.#caller })}
      ${this.#form()}
      ${table<Call>({
        caption: 'Requests',
        rows: data,
        link: ({ request_id: id }) => href(`/apps/${app}/requests/${id}`),
        empty: isFiltered
          ? empty('No such request', 'No request fits all of the filters.', showAll(none))
          : empty('No requests yet', 'Calls of the API show up here within a second or two.'),
        columns: [
          { head: 'Request', cell: (call) => html`<code>${call.method} ${call.path}</code>` },
          { head: 'Status', cell: ({ status }) => statusBadge(status) },
          { head: 'Time', cell: ({ duration_ms: ms }) => `${ms.toLocaleString('en')} ms`, number: true },
          { head: 'Caller', cell: callerOf, wide: true },
          { head: 'When', cell: ({ at }) => time(at) },
        ],
      })}
      <div class="row">
        ${this.query.get('cursor') ? html`<a class="button" href=${withQuery({ cursor: null })}>Newest</a>` : nothing}
        ${meta.next_cursor ? html`<a class="button" href=${withQuery({ cursor: meta.next_cursor })}>Older</a>` : nothing}
      </div>`
  }

  #value(name: Filter): string {
    return this.query.get(name) ?? ''
  }

  #form(): TemplateResult {
    const value = (name: Filter) => this.#value(name)
    const text = (name: Filter, label: string, type = 'text') =>
      html`<label>${label}<input name=${name} type=${type} .value=${value(name)} autocomplete="off" /></label>`
    const select = (name: Filter, label: string, any: string, options: readonly (readonly [string, string])[]) =>
      html`<label>${label}<select name=${name}>
        <option value="">${any}</option>
        ${options.map(([key, words]) => html`<option value=${key} .selected=${key === value(name)}>${words}</option>`)}
      </select></label>`
    return html`<form class="filters" role="search" @submit=${this.#filter}>
      ${select('status', 'Status', 'Any', Object.entries(statuses))}
      ${select(
        'method',
        'Method',
        'Any',
        methods.map((one) => [one, one]),
      )}
      ${select('source', 'Caller', 'Anyone', Object.entries(sources))}
      ${text('route', 'Route')} ${text('integration_id', 'Shop (id)')} ${text('request_id', 'Request (id)')}
      ${text('since', 'Since', 'date')} ${text('until', 'Until', 'date')}
      <button class="primary">${icon('search')}Search</button>
    </form>`
  }
}
define('ep-page-requests', Requests)

export const statusBadge = (status: number) =>
  badge(status >= 500 ? 'critical' : status >= 400 ? 'notice' : 'positive', String(status))

export function callerOf({ source, caller, client_id: client, account_id: account, user_id: user }: Call): string {
  if (source === 'console') return `User ${user}, in the console`
  if (caller === 'account') return `Account ${account}`
  return caller === 'user' ? `User ${user}` : `Client ${client}`
}

/** Days as they are typed, times as the API takes them. */
function asked(query: URLSearchParams): Record<string, string> {
  const given = filters.flatMap((name) => {
    const value = query.get(name)
    if (!value) return []
    const isDay = (name === 'since' || name === 'until') && /^\d{4}-\d\d-\d\d$/.test(value)
    return [[name, isDay ? `${value}T00:00:00Z` : value] as const]
  })
  return Object.fromEntries(given)
}

async function read(app: string, query: URLSearchParams, range: UsageRange) {
  const cursor = query.get('cursor')
  const params = { query: { ...asked(query), limit: 50, ...(cursor && { cursor }) } }
  const [list, usage] = await Promise.all([
    ask(asApp(app).GET('/api/2.0/app/requests', { params })),
    ask(asApp(app).GET('/api/2.0/app/requests/usage', { params: { query: { range } } })),
  ])
  return { list, usage: usage.data }
}
