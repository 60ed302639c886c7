import { html, nothing, type TemplateResult } from 'lit'
import { copy } from '../../../parts/copy.ts'
import { icon } from '../../../parts/icons.ts'
import { time } from '../../../parts/time.ts'
import { duration } from '../../../parts/timeline.ts'
import { asApp, ask } from '../../api.ts'
import { awayOf, readLog } from '../../frame/away.ts'

/** What is known of one integration: read, and put into words. */

export type Data = Awaited<ReturnType<typeof read>>
export type Integration = Data['integration']

export async function read(app: string, id: string) {
  const client = asApp(app)
  const [integration, runs] = await Promise.all([
    ask(
      client.GET('/api/2.0/app/integrations/{integration}', {
        params: { path: { integration: id }, query: { include: 'service,account' } as never },
      }),
    ),
    ask(
      client.GET('/api/2.0/app/integrations/{integrationId}/runs', {
        params: { path: { integrationId: id }, query: { per_page: 5 } },
      }),
    ),
  ])
  const waiting = runs.data.find(({ waits, finished_at: ended }) => waits > 0 && ended === null)
  const place = waiting && { integration: id, run: waiting.id }
  const log = place ? await readLog(app, integration.data.account_id, place) : []
  return { integration: integration.data, runs: runs.data, away: waiting ? awayOf(waiting, log) : null }
}

/** Switched off by its owner it is connected, but nothing runs. */
export const shownStatus = ({ status, active }: Integration) => (status === 'ACTIVE' && !active ? 'INACTIVE' : status)

type Share = NonNullable<Integration['read_share']>

interface ShopHooks {
  registered_at: string | null
  topics: string[]
  error: string | null
}

const isEmpty = (settings: object | null): boolean => Object.keys(settings ?? {}).length === 0

export function factsOf(integration: Integration): TemplateResult {
  const rows: [string, unknown][] = [
    ['Shop', integration.shop],
    ['Service', integration.service?.name ?? integration.type],
    ['Id', copy(String(integration.id))],
    ['Key', copy(integration.integrationKey)],
    ['Account', integration.account?.remote_id ?? 'none'],
    ['Connected', time(integration.installed_at)],
    ['Last run', time(integration.last_run_at)],
    ['Next read', nextRead(integration)],
    ['Shop’s webhooks', shopHooks(integration.webhooks as ShopHooks | null)],
    ['Shop’s messages', messagesOf(integration)],
    ['Granted by the platform', integration.granted?.join(', ') ?? 'not told'],
    ...(isEmpty(integration.settings)
      ? []
      : [['Settings', html`<code>${JSON.stringify(integration.settings)}</code>`] as [string, unknown]]),
  ]
  return html`<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

const reasons: Readonly<Record<Integration['read_reason'], string>> = {
  no_messages: 'often: the shop sends no messages',
  messages_missing: 'often: messages of the shop are missing',
  messages_arrive: 'rarely: its messages arrive',
  platform: 'as often as the platform allows',
  service: 'as the service says',
  chosen: 'as chosen',
  off: 'switched off',
}

const nextRead = ({ next_read_at: at, read_reason: reason, read_share: share }: Integration) => {
  if (at === null) return reasons[reason]
  return html`${time(at)}, ${reasons[reason]}${share === null ? '' : `; ${sharedPace(share)}`}`
}

/** Whoever wonders why a shop is read so rarely learns with how many it shares what the platform allows. */
function sharedPace({ every_seconds: every, selling_seconds: selling, shops, calls_per_day: calls }: Share): string {
  const span = (seconds: number) => duration(seconds * 1000, 'en')
  const among = shops === 1 ? 'one shop' : `${shops.toLocaleString('en')} shops`
  return `no more often than every ${span(every)}, or ${span(selling)} while it sells from a shared stock, since the platform allows the app ${calls.toLocaleString('en')} calls a day for ${among}`
}

const messagesOf = ({ messages: { state, since } }: Integration) =>
  html`${state.replaceAll('_', ' ')}${since === null ? '' : html` since ${time(since)}`}`

function shopHooks(hooks: ShopHooks | null): unknown {
  if (!hooks || (hooks.topics.length === 0 && !hooks.error)) return 'none: Entrepot checks the shop itself'
  if (hooks.error) return hooks.error
  return hooks.registered_at ? html`${hooks.topics.length} topics, ${time(hooks.registered_at)}` : 'not registered yet'
}

type Run = Data['runs'][number]
const isOpen = ({ status }: Run) => status === 'running' || status === 'queued'

/** While a shop is read for the first time: how long that takes, by what its limits allow and how much there is. */
export function forecastOf({ completeness }: Integration, runs: readonly Run[]): TemplateResult | typeof nothing {
  if (completeness) return nothing
  const open = runs.filter((run) => isOpen(run) && run.resource.startsWith('sync_'))
  const known = open.flatMap(({ estimated_seconds: left }) => left ?? [])
  if (open.length === 0 || known.length === 0) return nothing
  const left = duration(known.reduce((sum, seconds) => sum + seconds, 0) * 1000, 'en')
  const records = open.flatMap(({ progress: { done, total } }) => (total === null ? [] : [{ done, total }]))
  const sum = (of: 'done' | 'total') => records.reduce((all, one) => all + one[of], 0).toLocaleString('en')
  return html`<p class="notice" role="status">${icon('clock')}<span>The first sync takes about ${left} more${records.length === 0 ? '' : `: ${sum('done')} of ${sum('total')} records are here`}.</span></p>`
}

export const provenAt = ({ completeness }: Integration): string => String(Object(completeness)['proven_at'] ?? '')

export function completenessOf({ completeness }: Integration, runs: readonly Run[]): TemplateResult {
  const proof = completeness as Record<string, unknown> | null
  if (!proof) {
    const isUnderWay = runs.some((run) => isOpen(run) && run.resource === 'reconcile')
    return html`<p class="muted">${
      isUnderWay
        ? 'It is being compared with the shop for the first time.'
        : 'Not compared with the shop yet. That begins by itself, some minutes after the first sync.'
    }</p>`
  }
  const figure = (name: string) => `${Number(proof[name] ?? 0).toLocaleString('en')} records`
  return html`<dl>
    <dt>Proven</dt><dd>${time(String(proof['proven_at']))}</dd>
    <dt>Compared</dt><dd>${figure('compared')}</dd>
    <dt>Missing</dt><dd>${figure('missing')}</dd>
    <dt>Outdated</dt><dd>${figure('stale')}</dd>
    <dt>Healed</dt><dd>${figure('healed')}</dd>
    <dt>Set aside</dt><dd>${figure('set_aside')}</dd>
  </dl>`
}
