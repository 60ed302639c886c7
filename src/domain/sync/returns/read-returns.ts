import { Type } from 'typebox'
import type { ReturnList } from '../../../commerce/connector/parts.ts'
import type { Connector } from '../../../commerce/connector.ts'
import type { RemoteReturn } from '../../../commerce/order.ts'
import { isCredentialsRefusal } from '../../../commerce/remote.ts'
import type { AnyFields, Shop } from '../../../commerce/shop.ts'
import { chunks } from '../../../lib/chunks.ts'
import { because, Fault, whyOf } from '../../../lib/fault.ts'
import type { Wording } from '../../../lib/words/wording.ts'
import { databaseTime } from '../../../runtime/db/database-time.ts'
import { type Job, job } from '../../../runtime/jobs/job.ts'
import type { Context } from '../../context.ts'
import { isRunning } from '../../integrations/integration.ts'
import { readIntegration } from '../../integrations/integration-store.ts'
import type { LogEntry } from '../../logs/log.ts'
import { appendLog } from '../../logs/log-store.ts'
import { logWords } from '../../logs/log-words.ts'
import { storeReturns } from '../../orders/returns/return-store.ts'
import { connectorOf, type OpenShop, openShop } from '../../shop/open-remote.ts'
import { secondsAfter } from '../reading/seconds-after.ts'
import { earlier, later } from '../sync.ts'
import { readCursor } from '../sync-store.ts'
import { type ReturnsCursor, type ReturnsPass, readReturnsCursor, saveReturnsCursor } from './returns-cursor-store.ts'

interface Input {
  integrationId: number
}

/** Reads what changed in the list of returns, where a platform keeps one beside its orders, and puts it on the orders. */
export const readReturns: Job<Input, Context> = job({
  name: 'read-returns',
  input: Type.Object({ integrationId: Type.Integer() }),
  oneAtATime: ({ integrationId }) => `read-returns:${integrationId}`,
  run: async (context: Context, { integrationId }, { signal }) => {
    const seconds = await readSome(context, integrationId, signal)
    if (seconds !== null) await enqueue(context, integrationId, seconds)
  },
})

const enqueue = (context: Pick<Context, 'transaction' | 'enqueue'>, integrationId: number, startAfterSeconds: number) =>
  context.transaction((trx) =>
    context.enqueue(trx, readReturns, { integrationId }, { key: `${integrationId}`, startAfterSeconds }),
  )

type AnyReturns = ReturnList<AnyFields, AnyFields>

/** The list that the platform keeps beside its orders; null where orders tell, or nobody does. */
const listOf = ({ orders }: Connector): AnyReturns | null =>
  typeof orders?.returns === 'object' ? orders.returns : null

const everyMinutes = 60
/** A list that is refused is asked for once a day: somebody may have granted the right. */
const refusedMinutes = 24 * 60

/** After orders have been read: the next look at the list of returns, if it is time. `anew` begins from the start. */
export async function queueReturns(
  context: Context,
  integrationId: number,
  { connector, anew }: { connector: Connector; anew: boolean },
): Promise<void> {
  const list = listOf(connector)
  if (!list) return
  if (anew) await saveReturnsCursor(context.db, integrationId, null)
  const { readAt, isRefused } = await readReturnsCursor(context.db, integrationId)
  const pause = (isRefused ? refusedMinutes : (list.everyMinutes ?? everyMinutes)) * 60_000
  const isDue = readAt === null || Date.parse(await databaseTime(context.db)) - Date.parse(readAt) >= pause
  if (isDue) await enqueue(context, integrationId, 0)
}

const pagesInATurn = 20
const pageSize = 100
/** Some platforms give files in the place of pages. */
const storedAtOnce = 500
const hourMs = 3_600_000
/** Clocks and late commits in the shop. */
const overlapMs = hourMs
/** So long the order of a return may be on its way. */
const waitMs = 24 * hourMs

/** When it should go on, in seconds; null when it has been read to its end, or cannot be. */
async function readSome(context: Context, integrationId: number, signal: AbortSignal): Promise<number | null> {
  const integration = await readIntegration(context.db, integrationId)
  const list = listOf(connectorOf(context, integration))
  if (!list || !isRunning(integration)) return null
  const orders = await readCursor(context.db, integrationId, { kind: 'orders', slot: 'pass' })
  // Orders come first: returns of those that nobody has read yet would be of no use.
  if (orders.watermark === null || orders.historyDue) return null
  let cursor = await readReturnsCursor(context.db, integrationId)
  const lane = cursor.watermark === null ? 'catalogue' : 'inventory'
  const open = await openShop(context, integration, { lane, maxWaitSeconds: 0 })
  for (let page = 0; page < pagesInATurn; page++) {
    if (signal.aborted) return 0
    const pass = cursor.pass ?? beginPass(cursor, await databaseTime(context.db))
    try {
      cursor = await readPage(context, open, { list, cursor, pass })
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return await afterFailure(context, integrationId, { cursor, error })
    }
    if (cursor.pass === null) return null
  }
  return 0
}

const beginPass = ({ watermark }: ReturnsCursor, startedAt: string): ReturnsPass => ({
  since: watermark === null ? null : earlier(watermark, overlapMs),
  ...{ startedAt, next: null, newest: null, waitsFrom: null, dropped: 0 },
})

async function readPage(
  context: Context,
  { integrationId, shop }: OpenShop,
  { list, cursor, pass }: { list: AnyReturns; cursor: ReturnsCursor; pass: ReturnsPass },
): Promise<ReturnsCursor> {
  const { since: updatedSince, next: cursorOfShop, startedAt: now } = pass
  const { items, next } = await list.list(shop, { updatedSince, cursor: cursorOfShop, limit: pageSize, now })
  const { returns, unreadable } = translateAll(list, items, shop)
  return await context.transaction(async (trx) => {
    const unknown: RemoteReturn[] = []
    for (const some of chunks(returns, storedAtOnce)) {
      const stored = await storeReturns(trx, integrationId, { returns: some, isFirst: cursor.watermark === null })
      unknown.push(...stored.unknown)
    }
    const waiting = unknown.filter(({ updated_at: at }) => isRecent(at, pass)).map(({ updated_at: at }) => at)
    const newest = returns.reduce<string | null>((latest, { updated_at: at }) => later(latest, at), pass.newest)
    const after: ReturnsPass = {
      ...{ ...pass, next, newest },
      waitsFrom: earliest([...waiting, pass.waitsFrom]),
      dropped: pass.dropped + unknown.filter(({ updated_at: at }) => isNews(at, pass) && !isRecent(at, pass)).length,
    }
    const moved: ReturnsCursor = next === null ? endPass(cursor, after) : { ...cursor, pass: after }
    await saveReturnsCursor(trx, integrationId, moved)
    if (unreadable) {
      await say(trx, integrationId, {
        event: 'returns.unreadable',
        words: logWords('returns.unreadable'),
        said: { words: logWords('returns.unreadable_because', { reason: unreadable }) },
      })
    }
    if (next === null && after.dropped > 0)
      await say(trx, integrationId, {
        event: 'returns.unknown_orders',
        words: logWords('returns.unknown_orders', { returns: after.dropped }),
      })
    return moved
  })
}

const isRecent = (at: string, { startedAt }: ReturnsPass): boolean => Date.parse(at) > Date.parse(startedAt) - waitMs

/** What a list tells again and again has been reported once. */
const isNews = (at: string, { since }: ReturnsPass): boolean => since === null || Date.parse(at) >= Date.parse(since)

function translateAll(list: AnyReturns, items: readonly unknown[], shop: Shop) {
  const returns: RemoteReturn[] = []
  let unreadable: string | Wording | null = null
  for (const raw of items) {
    try {
      returns.push(...list.translate(raw, shop))
    } catch (error) {
      unreadable ??= whyOf(error)
    }
  }
  return { returns, unreadable }
}

/** As far as the list was read, but no further than our own start, nor past a return whose order may still come. */
function endPass({ watermark }: ReturnsCursor, { newest, startedAt, waitsFrom }: ReturnsPass): ReturnsCursor {
  return { watermark: earliest([newest ?? watermark, startedAt, waitsFrom]), readAt: startedAt, pass: null }
}

const earliest = (times: readonly (string | null)[]): string | null =>
  times.filter((time) => time !== null).sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null

const say = (trx: Context['db'], integrationId: number, entry: Pick<LogEntry, 'event' | 'words' | 'said'>) =>
  appendLog(trx, integrationId, { level: 'warning', ...entry })

async function afterFailure(
  context: Context,
  integrationId: number,
  { cursor, error }: { cursor: ReturnsCursor; error: Fault },
): Promise<number | null> {
  const seconds = secondsAfter(error)
  if (seconds !== null || isCredentialsRefusal(error)) return seconds
  await context.transaction(async (trx) => {
    const readAt = await databaseTime(trx)
    await saveReturnsCursor(trx, integrationId, { ...cursor, readAt, isRefused: true, pass: null })
    if (cursor.isRefused) return
    await say(trx, integrationId, {
      event: 'returns.refused',
      words: logWords('returns.refused'),
      said: { words: logWords('returns.refused_because', { reason: because(error) }) },
    })
  })
  return null
}
