import { html, nothing, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { settled } from '../../../parts/settled.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { asApp, ask } from '../../api.ts'
import { Page } from '../../page.ts'
import { changeQuery, href } from '../../router.ts'
import { statusBadge, statusName } from '../../shops/shop-status.ts'
import { showAll } from '../../show-all.ts'

type Data = Awaited<ReturnType<typeof read>>

const statuses = ['ACTIVE', 'PENDING', 'ERROR', 'INACTIVE', 'UNINSTALLED']

/** The connected shops of an app. */
class Integrations extends Page<Data> {
  override refreshSeconds = 10

  override load() {
    return read(this.params['app'] ?? '', this.query)
  }

  override show({ data, meta }: Data): TemplateResult {
    const app = this.params['app']
    const status = this.query.get('status') ?? ''
    const sought = this.query.get('q') ?? ''
    const find = (event: SubmitEvent) => {
      event.preventDefault()
      changeQuery({ q: String(new FormData(event.target as HTMLFormElement).get('q')).trim(), page: null })
    }
    const connect = html`<a class="button primary" href=${href(`/apps/${app}/connect`)}>${icon('plus')}Connect a shop</a>`
    return html`<div class="bar"><h1>Shops</h1><div>${connect}</div></div>
      <div class="row">
        <form class="row" role="search" @submit=${find}>
          <input name="q" type="search" aria-label="Name or address of the shop" placeholder="Name or address" .value=${sought} />
          <button>Find</button>
        </form>
        <label class="row">Status
          <select ${settled((value) => changeQuery({ status: value, page: null }))}>
            <option value="">All</option>
            ${statuses.map((one) => html`<option value=${one} .selected=${one === status}>${statusName(one)}</option>`)}
          </select>
        </label>
      </div>
      ${table({
        caption: 'Shops',
        rows: data,
        link: ({ id }) => href(`/apps/${app}/integrations/${id}`),
        empty: empty(
          sought !== ''
            ? `No shop is called “${sought}”`
            : status === ''
              ? 'No shops are connected yet'
              : `No shop is “${statusName(status)}”`,
          status === '' && sought === ''
            ? 'Shops are connected by your merchants in the embedded component, by your software over the API, or here.'
            : 'Show all of them to see the others.',
          status === '' && sought === '' ? connect : showAll({ status: null, q: null, page: null }),
        ),
        columns: [
          { head: 'Name', cell: ({ name }) => name },
          { head: 'Shop', cell: ({ shop }) => shop, wide: true },
          {
            head: 'Service',
            cell: ({ type, service }) =>
              html`<span class="row">${service?.logo ? html`<img src=${service.logo} alt="" width="20" height="20" />` : nothing}${service?.name ?? type}</span>`,
            wide: true,
          },
          {
            head: 'Status',
            cell: ({ status: is, status_reason: reason, active }) =>
              statusBadge(is === 'ACTIVE' && !active ? 'INACTIVE' : is, reason),
          },
          { head: 'Last run', cell: ({ last_run_at: at }) => time(at), wide: true },
          {
            head: 'Complete as of',
            cell: ({ completeness }) => time((completeness as { proven_at?: string } | null)?.proven_at),
          },
        ],
      })}
      ${pager(meta, (page) => changeQuery({ page: String(page) }))}`
  }
}
define('ep-page-integrations', Integrations)

function read(app: string, query: URLSearchParams) {
  const status = query.get('status')
  return ask(
    asApp(app).GET('/api/2.0/app/integrations', {
      params: {
        query: {
          page: Number(query.get('page') ?? 1),
          per_page: 25,
          sort: '-id',
          include: 'service',
          ...(status && { 'filter[status]': status }),
          ...(query.get('q') && { 'filter[q]': query.get('q') }),
        } as never,
      },
    }),
  )
}
