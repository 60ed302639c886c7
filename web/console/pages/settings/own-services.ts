import { html, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { badge } from '../../../parts/status.ts'
import { empty, table } from '../../../parts/table.ts'
import { api, ask } from '../../api.ts'
import { Page } from '../../page.ts'
import { href } from '../../router.ts'

type Data = Awaited<ReturnType<typeof read>>

/** Services that this company has described: what no catalogue knows. */
class OwnServices extends Page<Data> {
  override load() {
    return read()
  }

  override show({ data }: Data): TemplateResult {
    const fresh = html`<a class="button primary" href=${href('/own-services/new')}>Describe a service</a>`
    const own = data.filter(({ definition }) => definition !== null)
    return html`<div class="bar"><h1>Own services</h1>${own.length > 0 ? fresh : ''}</div>
      <p class="muted">An ERP, a custom shop, a small marketplace: described with its own records beside you, without code.</p>
      ${table({
        caption: 'Own services',
        columns: [
          { head: 'Name', cell: ({ name }) => name },
          { head: 'Type', cell: ({ type }) => html`<code>${type}</code>` },
          { head: 'Actions', wide: true, cell: ({ capabilities }) => capabilities.actions.length, number: true },
          {
            head: 'State',
            cell: ({ active }) => (active ? badge('positive', 'In use') : badge('neutral', 'Switched off')),
          },
        ],
        rows: own,
        link: ({ id }) => href(`/own-services/${id}`),
        empty: empty(
          'Nothing described yet',
          'Say where your service answers, fetch one of its records, and see what we make of it while you type.',
          fresh,
        ),
      })}`
  }
}
define('ep-page-own-services', OwnServices)

const read = () => ask(api.GET('/api/1.0/services', { params: { query: { per_page: 100, sort: 'name' } } }))
