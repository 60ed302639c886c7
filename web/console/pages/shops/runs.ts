import { html } from 'lit'
import type { paths } from '../../../lib/api-types.gen.ts'
import { define } from '../../../parts/element.ts'
import { badge, runTone } from '../../../parts/status.ts'
import { empty } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { actionName } from '../../actions.ts'
import { api, asApp, ask } from '../../api.ts'
import { AcrossPage, type Bulk, type ListColumn, shopColumn } from '../../lists/across-page.ts'
import { inWords } from '../../order-state.ts'
import { href, withQuery } from '../../router.ts'
import { may } from '../../session.ts'
import { nothingYet } from '../../shops/no-integrations.ts'
import { showAll } from '../../show-all.ts'

type Run =
  paths['/api/2.0/user/apps/{appId}/runs']['get']['responses'][200]['content']['application/json']['data'][number]

const statuses = ['queued', 'running', 'completed', 'failed', 'cancelled']

/** What takes no more than its name: any of these is started again by that. */
const repeatable = ['sync_orders', 'sync_products', 'sync_inventory', 'reconcile', 'test_connection']

/** Every run of every shop, newest first, with its progress. */
class Runs extends AcrossPage<Run> {
  override refreshSeconds = 3
  override heading = 'Runs'
  override file = 'runs' as const
  override filters = ['status', 'found']
  /** The list is empty because it leaves out those that found nothing. */
  #onlyQuiet = false

  /** Of shops that are looked at every few seconds, what found nothing would hide all else. */
  override asked() {
    return { found: 'something', ...super.asked() }
  }

  override async load() {
    const shown = await super.load()
    const asked = this.asked()
    const leavesOut = shown.data.length === 0 && asked['found'] === 'something'
    this.#onlyQuiet = leavesOut && (await this.read({ ...asked, found: 'anything', limit: 1 })).data.length > 0
    return shown
  }

  override read(query: Readonly<Record<string, string | number>>) {
    const params = { path: { appId: this.app }, query: query as never }
    return ask(api.GET('/api/2.0/user/apps/{appId}/runs', { params }))
  }

  override link({ id, integration }: Run) {
    return href(`/apps/${this.app}/integrations/${integration.id}/runs/${id}`)
  }

  override columns(): readonly ListColumn<Run>[] {
    return [
      {
        head: 'Run',
        cell: ({ id, resource }) => `${actionName(resource)} ${id}`,
        csv: ({ id, resource }) => `${actionName(resource)} ${id}`,
      },
      {
        head: 'State',
        cell: ({ status }) => badge(runTone(status), inWords(status)),
        csv: ({ status }) => inWords(status),
      },
      shopColumn(),
      {
        head: 'Records',
        cell: ({ progress: { done, total } }) =>
          `${done.toLocaleString('en')}${total === null ? '' : ` of ${total.toLocaleString('en')}`}`,
        csv: ({ progress: { done } }) => done,
        number: true,
      },
      {
        head: 'Started',
        cell: (run) => time(run.started_at ?? run.created_at),
        csv: (run) => run.started_at ?? run.created_at,
      },
      { head: 'Error', cell: ({ error }) => error ?? '', csv: ({ error }) => error, wide: true },
    ]
  }

  override filterFields() {
    return html`${this.select(
      'State',
      'status',
      statuses.map((one) => [one, inWords(one)] as const),
    )}${this.select('Show', 'found', [['anything', 'All runs']], 'Runs that did something')}`
  }

  override bulks(): readonly Bulk<Run>[] {
    if (!may(this.me, 'run-action', this.app)) return []
    return [
      {
        label: 'Run again',
        able: ({ status, resource }) => status === 'failed' && repeatable.includes(resource),
        act: ({ integration, resource }) =>
          ask(
            asApp(this.app).POST('/api/2.0/app/integrations/{integrationId}/action', {
              params: { path: { integrationId: String(integration.id) } },
              body: { resource } as never,
            }),
          ),
        done: (n) => (n === 1 ? 'One run has been started again.' : `${n} runs have been started again.`),
      },
    ]
  }

  override nothingHere() {
    const starts = 'Runs start on a schedule, when a shop sends a message, or by hand on the page of a shop.'
    if (this.#onlyQuiet)
      return empty(
        'Only checks that found nothing new',
        'Entrepot checks shops often, and most of the time nothing has changed. This list leaves those runs out.',
        html`<a class="button" href=${withQuery({ found: 'anything', after: null })}>Show all runs</a>`,
      )
    const status = this.query.get('status')
    if (!status && !this.query.get('integration')) return nothingYet(this.app, 'No runs yet', starts)
    return empty(
      status ? `No run is “${inWords(status)}”` : 'No runs',
      starts,
      showAll({ status: null, integration: null, after: null }),
    )
  }
}
define('ep-page-runs', Runs)
