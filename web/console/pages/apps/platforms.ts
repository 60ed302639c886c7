import { html, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { badge } from '../../../parts/status.ts'
import { empty, table } from '../../../parts/table.ts'
import { api, ask } from '../../api.ts'
import { Page } from '../../page.ts'
import { href } from '../../router.ts'

type Data = Awaited<ReturnType<typeof read>>
type Service = Data[number]

/** The platforms that an app offers, and whether what each asks for at registration has been set up. */
class Platforms extends Page<Data> {
  override load() {
    return read(this.params['app'] ?? '')
  }

  override show(services: Data): TemplateResult {
    const app = this.params['app'] ?? ''
    return html`<div class="bar"><h1>Platforms</h1>
        <a class="button" href=${href(`/apps/${app}`)}>Offer another</a></div>
      <p class="muted">Where merchants may connect shops. Some platforms want to know your app first: what they give you there is entered here, once.</p>
      ${table({
        caption: 'Platforms',
        rows: services,
        link: ({ id, client_schema: schema }) => (schema ? href(`/apps/${app}/services/${id}`) : null),
        empty: empty(
          'No platform is offered yet',
          'Merchants can connect shops of the platforms that the app offers.',
          html`<a class="button primary" href=${href(`/apps/${app}`)}>Offer a platform</a>`,
        ),
        columns: [
          { head: 'Platform', cell: ({ name }) => name },
          { head: 'Credentials', cell: credentials },
          {
            head: 'Offered',
            cell: ({ active }) => badge(active ? 'positive' : 'neutral', active ? 'Yes' : 'Switched off'),
          },
          { head: 'Merchants connect', cell: ways, wide: true },
        ],
      })}`
  }
}
define('ep-page-platforms', Platforms)

const credentials = ({ client_schema: schema, client_configured: configured }: Service) => {
  if (!schema) return badge('neutral', 'None needed')
  return configured ? badge('positive', 'Set up') : badge('notice', 'Missing')
}

const ways = ({ installed_by: by }: Service) =>
  by.map((way) => (way === 'browser' ? 'on its own pages' : 'with keys')).join(' or ')

async function read(appId: string) {
  const params = { path: { appId }, query: { per_page: 100 } as never }
  const { data } = await ask(api.GET('/api/2.0/user/apps/{appId}/services', { params }))
  return data.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}
