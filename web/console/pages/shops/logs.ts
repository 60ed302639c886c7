import { html, type TemplateResult } from 'lit'
import type { paths } from '../../../lib/api-types.gen.ts'
import { define } from '../../../parts/element.ts'
import { badge, levelTone } from '../../../parts/status.ts'
import { empty } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { api, ask } from '../../api.ts'
import { AcrossPage, type ListColumn, shopColumn } from '../../lists/across-page.ts'
import { inWords } from '../../order-state.ts'
import { href } from '../../router.ts'
import { nothingYet } from '../../shops/no-integrations.ts'
import { showAll } from '../../show-all.ts'

type Entry =
  paths['/api/2.0/user/apps/{appId}/logs']['get']['responses'][200]['content']['application/json']['data'][number]

/** What was reported of all shops; an entry leads to its run, or to its shop. */
class Logs extends AcrossPage<Entry> {
  override refreshSeconds = 5
  override heading = 'Logs'
  override file = 'logs' as const
  override filters = ['level', 'q']

  override read(query: Readonly<Record<string, string | number>>) {
    const params = { path: { appId: this.app }, query: query as never }
    return ask(api.GET('/api/2.0/user/apps/{appId}/logs', { params }))
  }

  override link({ integration, run_id: run }: Entry) {
    const shop = `/apps/${this.app}/integrations/${integration.id}`
    return href(run === null ? shop : `${shop}/runs/${run}`)
  }

  override columns(): readonly ListColumn<Entry>[] {
    return [
      { head: 'Message', cell: ({ message }) => message, csv: ({ message }) => message },
      { head: 'Level', cell: ({ level }) => badge(levelTone(level), inWords(level)), csv: ({ level }) => level },
      shopColumn(),
      { head: 'Event', cell: ({ event }) => html`<code>${event}</code>`, csv: ({ event }) => event, wide: true },
      { head: 'When', cell: ({ created_at: at }) => time(at), csv: ({ created_at: at }) => at },
    ]
  }

  override filterFields(): TemplateResult {
    return html`${this.select('Level', 'level', [
      ['error', 'Error'],
      ['warning', 'Warning'],
      ['info', 'Info'],
    ])}${this.sought('Words of an entry', 'q')}`
  }

  override nothingHere() {
    if (!this.isFiltered)
      return nothingYet(this.app, 'Nothing logged yet', 'What happens in connected shops is written down here.')
    return empty(
      'No entry fits',
      'Entries of a level, or with certain words, are looked for in the last seven days.',
      showAll({ level: null, q: null, integration: null, after: null }),
    )
  }
}
define('ep-page-logs', Logs)
