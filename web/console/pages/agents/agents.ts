import { html, nothing, type TemplateResult } from 'lit'
import { copy } from '../../../parts/copy.ts'
import '../../../parts/dialog.ts'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask } from '../../api.ts'
import { Page } from '../../page.ts'
import { changeQuery } from '../../router.ts'
import { may } from '../../session.ts'

type Data = Awaited<ReturnType<typeof read>>
type Agent = Data['agents']['data'][number]

/** What agents may be allowed to change without asking, in words. */
const writes: Readonly<Record<string, string>> = {
  fetch_again: 'Fetch again from a shop',
  retry_run: 'Retry a run',
  retry_message: 'Process a message of a shop again',
  retry_delivery: 'Resend a delivery',
  reconnect_shop: 'Make a link to reconnect a shop',
  set_stock: 'Set stock',
  ship_order: 'Ship an order',
  cancel_order: 'Cancel an order',
  refund_order: 'Refund an order',
}

/** Programs that somebody has let in, what they may, and the button that ends it. */
class Agents extends Page<Data> {
  static override properties = { ...Page.properties, refusal: { state: true }, asking: { state: true } }
  declare refusal: unknown
  declare asking: Agent | null

  constructor() {
    super()
    this.refusal = null
    this.asking = null
  }

  override load() {
    return read(this.params['app'] ?? '', Number(this.query.get('page') ?? 1))
  }

  #end = async () => {
    const agent = this.asking
    this.asking = null
    if (!agent) return
    try {
      const path = { appId: this.params['app'] ?? '', agent: String(agent.id) }
      await ask(api.DELETE('/api/2.0/user/apps/{appId}/agents/{agent}', { params: { path } }))
      toast('Its access has ended.')
    } catch (error) {
      this.refusal = error
    }
    await this.reload()
  }

  #allow = async (event: Event) => {
    event.preventDefault()
    this.refusal = null
    const chosen = new FormData(event.target as HTMLFormElement).getAll('tool').map(String)
    const tools = Object.keys(writes).filter((name) => chosen.includes(name))
    try {
      const params = { path: { appId: this.params['app'] ?? '' } }
      await ask(api.PUT('/api/2.0/user/apps/{appId}/agent-writes', { params, body: { tools: tools as never } }))
      toast('Saved.')
    } catch (error) {
      this.refusal = error
    }
    await this.reload()
  }

  override show({ agents: { data, meta }, allowed }: Data): TemplateResult {
    const mayManage = may(this.me, 'manage-access', this.params['app'])
    const address = `${location.origin}/mcp`
    return html`<h1>Agents</h1>
      <p class="muted">Programs that act for someone in this app. Each has the rights of the person who gave it access, within its limits.</p>
      ${this.refusal ? problem(this.refusal) : nothing}
      ${table({
        caption: 'Agents',
        rows: data,
        empty: empty(
          'No agent was let in',
          'Give an agent this address, and the console will ask you what it may do.',
          html`<div>${copy(address)} <a href="/docs/guides/agents">How to connect one</a></div>`,
        ),
        columns: [
          {
            head: 'Program',
            cell: ({ program }) => html`<div>${program.name}<br><span class="muted">unverified</span></div>`,
          },
          {
            head: 'Access given by',
            cell: ({ user, created_at: at }) => html`<div>${user.name ?? user.id}<br>${time(at)}</div>`,
          },
          { head: 'Shops', cell: ({ shops }) => (shops === null ? 'all' : String(shops.length)), wide: true },
          {
            head: 'Tools',
            cell: ({ tools, customer_data: buyers }) =>
              html`<span title=${tools.join(', ')}>${tools.length}</span>${buyers ? ', with buyers' : ''}`,
            wide: true,
          },
          {
            head: 'Budget',
            cell: (agent) =>
              html`${agent.calls_used} of ${agent.calls_per_hour} calls an hour<br>${agent.writes_used} of ${agent.writes_per_day} changes a day`,
            wide: true,
          },
          { head: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'never' : time(at)) },
          {
            head: 'Actions',
            actions: true,
            cell: (agent) =>
              mayManage
                ? html`<button class="critical" @click=${() => {
                    this.asking = agent
                  }}>End access</button>`
                : nothing,
          },
        ],
      })}
      ${pager(meta, (page) => changeQuery({ page: String(page) }))}
      <form class="card stack" @submit=${this.#allow}>
        <h2>Changes without approval</h2>
        <p class="muted">Whatever is not ticked waits under Approvals until a person has agreed.</p>
        <div class="columns">
          ${Object.entries(writes).map(
            ([name, label]) =>
              html`<label class="row"><input type="checkbox" name="tool" value=${name} .checked=${allowed.includes(name)} ?disabled=${!mayManage}> ${label}</label>`,
          )}
        </div>
        ${mayManage ? html`<div><button class="primary">Save</button></div>` : nothing}
      </form>
      <ep-dialog heading="End the access of ${this.asking?.program.name ?? ''}?" ?open=${this.asking !== null} @close=${() => {
        this.asking = null
      }}>
        <p>It is locked out at once. What it asked for and nobody has approved is no longer done.</p>
        <button slot="actions" class="critical" @click=${this.#end}>End access</button>
      </ep-dialog>`
  }
}
define('ep-page-agents', Agents)

async function read(app: string, page: number) {
  const path = { appId: app }
  const [agents, allowed] = await Promise.all([
    ask(api.GET('/api/2.0/user/apps/{appId}/agents', { params: { path, query: { page, per_page: 25 } } })),
    ask(api.GET('/api/2.0/user/apps/{appId}/agent-writes', { params: { path } })),
  ])
  return { agents, allowed: allowed.data.tools }
}
