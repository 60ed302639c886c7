import { html, nothing, type TemplateResult } from 'lit'
import { oneAtATime } from '../../../lib/overlaps.ts'
import '../../../parts/copy.ts'
import '../../../parts/dialog.ts'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { api, ask } from '../../api.ts'
import { secretDialog } from '../../ask-form.ts'
import { Page } from '../../page.ts'
import { changeQuery, href } from '../../router.ts'
import { noIntegrations } from '../../shops/no-integrations.ts'
import { statusBadge } from '../../shops/shop-status.ts'
import { showAll } from '../../show-all.ts'

type Data = Awaited<ReturnType<typeof read>>

/** The second lock of version 1.0: a key for each shop, which is shown once, when it is made. */
class GatewayKeys extends Page<Data> {
  static override properties = { ...Page.properties, refusal: { state: true }, made: { state: true } }
  declare refusal: unknown
  declare made: { shop: string; key: string } | null

  constructor() {
    super()
    this.refusal = null
    this.made = null
  }

  override load() {
    return read(this.params['app'] ?? '', this.query)
  }

  #make = oneAtATime(async (id: number, shop: string) => {
    this.refusal = null
    try {
      const params = { path: { appId: this.params['app'] ?? '', integrationId: String(id) } }
      const { data } = await ask(
        api.POST('/api/2.0/user/apps/{appId}/integrations/{integrationId}/gateway-key', { params }),
      )
      this.made = { shop, key: data.gateway_key }
    } catch (error) {
      this.refusal = error
    }
  })

  override show({ data, meta }: Data): TemplateResult {
    const app = this.params['app'] ?? ''
    const sought = this.query.get('q') ?? ''
    const find = (event: SubmitEvent) => {
      event.preventDefault()
      changeQuery({ q: String(new FormData(event.target as HTMLFormElement).get('q')).trim(), page: null })
    }
    return html`<h1>Gateway keys</h1>
      <p class="muted">Calls of version 1.0 name their shop by its key. A new key is shown once; the previous one keeps working for 24 hours.</p>
      <form class="row" role="search" @submit=${find}>
        <input name="q" type="search" aria-label="Name or address of the shop" placeholder="Name or address" .value=${sought} />
        <button>Find</button>
      </form>
      ${this.refusal ? problem(this.refusal) : nothing}
      ${table({
        caption: 'Gateway keys',
        rows: data,
        link: ({ id }) => href(`/apps/${app}/integrations/${id}`),
        empty:
          sought === ''
            ? noIntegrations(app)
            : empty(`No shop is called “${sought}”`, 'Look at all of them.', showAll({ q: null, page: null })),
        columns: [
          { head: 'Shop', cell: ({ name }) => name },
          { head: 'Address', cell: ({ shop }) => shop, wide: true },
          { head: 'State', cell: ({ status, status_reason: reason }) => statusBadge(status, reason) },
          {
            head: 'Actions',
            actions: true,
            cell: ({ id, name }) =>
              html`<button aria-label="New key of ${name}" @click=${() => void this.#make(id, name)}>New key</button>`,
          },
        ],
      })}
      ${pager(meta, (page) => changeQuery({ page: String(page) }))}
      ${secretDialog(
        `Gateway key of ${this.made?.shop ?? ''}`,
        html`<ep-copy .text=${this.made?.key ?? ''}></ep-copy>`,
        this.made !== null,
        () => {
          this.made = null
        },
        this.made?.key ?? null,
      )}`
  }
}
define('ep-page-gateway-keys', GatewayKeys)

function read(appId: string, query: URLSearchParams) {
  const q = query.get('q')
  const asked = { page: Number(query.get('page') ?? 1), per_page: 25, sort: 'name', ...(q && { 'filter[q]': q }) }
  return ask(api.GET('/api/2.0/user/apps/{appId}/integrations', { params: { path: { appId }, query: asked as never } }))
}
