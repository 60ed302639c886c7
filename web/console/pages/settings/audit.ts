import { html, nothing, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { problem } from '../../../parts/problem.ts'
import { badge } from '../../../parts/status.ts'
import { empty, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { api, ask, Refusal } from '../../api.ts'
import { Page } from '../../page.ts'
import { changeQuery } from '../../router.ts'
import { showAll } from '../../show-all.ts'

type Data = Awaited<ReturnType<typeof read>>
type Entry = Data['data'][number]

const kinds = {
  change: 'Changes',
  secret: 'Secrets shown',
  sign_in: 'Sign-ins',
  personal_data: 'Personal data read',
  export: 'Exports',
} as const

const filters = ['kind', 'outcome', 'user_id', 'integration_id', 'record_type', 'record_id', 'from', 'until'] as const
const none = { ...Object.fromEntries(filters.map((name) => [name, null])), cursor: null }

/** Who did what: newest first, with what can be asked of it in the address. */
class Audit extends Page<Data> {
  static override properties = { ...Page.properties, refusal: { state: true } }
  declare refusal: unknown

  constructor() {
    super()
    this.refusal = null
  }

  override load() {
    return read(this.query)
  }

  #filter = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const given = filters.map((name) => [name, String(form.get(name) ?? '').trim() || null] as const)
    changeQuery({ ...Object.fromEntries(given), cursor: null })
  }

  /** A link could not send the header that opens the API to a session. */
  #export = async () => {
    this.refusal = null
    try {
      const address = `/api/2.0/user/audit/export?${new URLSearchParams(asked(this.query))}`
      const answer = await fetch(address, { headers: { 'x-entrepot-console': '1' } })
      if (!answer.ok) throw new Refusal(answer.status, await answer.json(), answer.headers)
      const link = document.createElement('a')
      link.href = URL.createObjectURL(await answer.blob())
      link.download = 'audit.ndjson'
      link.click()
      URL.revokeObjectURL(link.href)
    } catch (error) {
      this.refusal = error
    }
  }

  override show({ data, meta }: Data): TemplateResult {
    const value = (name: (typeof filters)[number]) => this.query.get(name) ?? ''
    const isFiltered = filters.some((name) => value(name) !== '')
    const text = (name: (typeof filters)[number], label: string, type = 'text') =>
      html`<label>${label}<input name=${name} type=${type} .value=${value(name)} autocomplete="off" /></label>`
    return html`<div class="bar"><h1>Audit trail</h1>
        <button @click=${() => void this.#export()}>${icon('upload')}Export</button>
      </div>
      <p class="muted">Every change, every secret that was shown, every sign-in and every list of people’s data. Entries can neither be changed nor deleted; <code>entrepot audit verify</code> shows whether anybody has tried.</p>
      ${this.refusal ? problem(this.refusal) : nothing}
      <form class="filters" role="search" @submit=${this.#filter}>
        <label>What<select name="kind">
          <option value="">Everything</option>
          ${Object.entries(kinds).map(([kind, words]) => html`<option value=${kind} .selected=${kind === value('kind')}>${words}</option>`)}
        </select></label>
        <label>Outcome<select name="outcome">
          <option value="">Any</option>
          ${['done', 'refused'].map((one) => html`<option value=${one} .selected=${one === value('outcome')}>${one === 'done' ? 'Done' : 'Refused'}</option>`)}
        </select></label>
        ${text('user_id', 'User (id)')} ${text('integration_id', 'Integration (id)')} ${text('record_type', 'Record type')}
        ${text('record_id', 'Record id')} ${text('from', 'Since', 'date')} ${text('until', 'Until', 'date')}
        <button class="primary">${icon('search')}Search</button>
      </form>
      ${table<Entry>({
        caption: 'Audit trail',
        rows: data,
        empty: isFiltered
          ? empty('Nothing of that kind', 'No entry fits all of the filters.', showAll(none))
          : empty('Nothing yet', 'What is done from now on is shown here.'),
        columns: [
          { head: 'When', cell: ({ at }) => time(at) },
          { head: 'Who', cell: who },
          { head: 'What', cell: what },
          { head: 'On', cell: on, wide: true },
          { head: 'Outcome', cell: outcome },
          { head: 'From', cell: ({ address }) => address ?? '', wide: true },
        ],
      })}
      <div class="row">
        ${this.query.get('cursor') ? html`<button @click=${() => changeQuery({ cursor: null })}>Newest</button>` : nothing}
        ${meta.next_cursor ? html`<button @click=${() => changeQuery({ cursor: meta.next_cursor })}>Older</button>` : nothing}
      </div>`
  }
}
define('ep-page-audit', Audit)

/** A user may act for an app or an account, and is named first then. */
function who({ caller, user_id: user, user_name: name, client_id: client, account_id: account, app_id: app }: Entry) {
  const person = user === null ? null : `${name ?? 'User'} (${user})`
  if (caller === 'user') return person ?? 'User'
  if (caller === 'client') return person ? `${person} for app ${app}` : `Client ${client}`
  if (caller === 'account') return person ? `${person} for account ${account}` : `Account ${account}`
  return { operator: 'Command line', system: 'The service', nobody: 'Nobody known' }[caller]
}

const what = ({ what: words, detail, outcome: end, fields }: Entry) =>
  html`${words}${detail && end === 'done' ? html` <span class="muted">${detail}</span>` : nothing}${
    fields.length > 0 ? html`<br /><span class="muted">${fields.join(', ')}</span>` : nothing
  }`

function on({ record_type: type, record_id: id, integration_id: integration }: Entry) {
  const shop = integration === null || type === 'integration' ? '' : `integration ${integration}`
  return [type === null ? '' : `${type} ${id}`, shop].filter((part) => part !== '').join(' of ')
}

const outcome = ({ outcome: end, detail }: Entry) =>
  end === 'done' ? badge('positive', 'Done') : badge('critical', `Refused: ${detail}`)

/** Days as they are typed, times as the API takes them. */
function asked(query: URLSearchParams): Record<string, string> {
  const given = filters.flatMap((name) => {
    const value = query.get(name)
    if (!value) return []
    return [[name, name === 'from' || name === 'until' ? `${value}T00:00:00Z` : value] as const]
  })
  return Object.fromEntries(given)
}

const read = (query: URLSearchParams) => {
  const cursor = query.get('cursor')
  const params = { query: { ...asked(query), limit: 50, ...(cursor && { cursor }) } }
  return ask(api.GET('/api/2.0/user/audit', { params }))
}
