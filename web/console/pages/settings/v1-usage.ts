import { html, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { api, ask } from '../../api.ts'
import { Page } from '../../page.ts'
import { changeQuery } from '../../router.ts'

type Data = Awaited<ReturnType<typeof read>>

/** What still calls the legacy version, by client and route, and what takes its place. */
class V1Usage extends Page<Data> {
  override refreshSeconds = 15

  override load() {
    return read(Number(this.query.get('page') ?? 1))
  }

  override show({ data, meta }: Data): TemplateResult {
    return html`<h1>Version 1.0</h1>
      <p class="muted">Calls of the legacy version, some seconds late. The guide <a href="/docs/guides/migrate-1-to-2">From 1.0 to 2.0</a> names the successor of each route; <code>npm run entrepot -- doctor --v1</code> prints the same.</p>
      ${table({
        caption: 'Calls of version 1.0',
        rows: data,
        empty: empty('No calls to version 1.0', 'Nothing of yours depends on it any more.'),
        columns: [
          { head: 'Route', cell: ({ method, route }) => html`<code>${method} ${route}</code>` },
          { head: 'Client', cell: ({ client_name: name, client_id: id }) => `${name} (${id})` },
          { head: 'Calls', cell: ({ calls }) => calls.toLocaleString('en'), number: true },
          { head: 'Last', cell: ({ last_called_at: at }) => time(at) },
        ],
      })}
      ${pager(meta, (page) => changeQuery({ page: String(page) }))}`
  }
}
define('ep-page-v1-usage', V1Usage)

const read = (page: number) =>
  ask(api.GET('/api/2.0/user/v1-usage', { params: { query: { page, per_page: 50, sort: '-calls' } } }))
