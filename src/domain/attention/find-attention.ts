import type { Connectors } from '../../commerce/connectors.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { type Found, ofCount, ofRun, ofUser, ofWebhook } from './attention.ts'
import {
  acknowledgementsDue,
  failedMessagesIn,
  failedRuns,
  ordersDue,
  quarantinedIn,
  signInTrouble,
  type TroubledRun,
  undelivered,
  type Waiting,
  waitingMessagesIn,
  waitingRuns,
  webhooksIn,
} from './attention-store.ts'

/**
 * What somebody should look at: the one definition, for the first page of the console, for alerts and for the events that
 * webhooks get. What of it counts for an app, its rules say.
 */

export interface Shop {
  id: number
  /** Which service it is on: some of them wait for acknowledgements. */
  type: string
}

interface Look {
  db: Db
  connectors: Connectors
}

/** Runs and messages of these shops. At most `limit` runs that wait or have failed. */
export async function workTrouble({ db }: Look, shops: readonly Shop[], limit: number): Promise<Found[]> {
  const ids = shops.map(({ id }) => id)
  const [waiting, failed, failedMessages, waitingMessages] = [
    await waitingRuns(db, ids, limit),
    await failedRuns(db, ids, limit),
    await failedMessagesIn(db, ids),
    await waitingMessagesIn(db, ids),
  ]
  return [
    ...eachOnce(waiting).map((run) => ofRun('shop_unavailable', { ...run, n: null })),
    ...eachOnce(failed).map((run) => ofRun('run_failed', run)),
    ...failedMessages.map((counted) => ofCount('messages_failed', counted)),
    ...waitingMessages.map((counted) => ofCount('messages_waiting', counted)),
  ]
}

/** What lies with these shops: records that could not be stored, and orders that somebody waits for. */
export async function stockTrouble({ db, connectors }: Look, shops: readonly Shop[]): Promise<Found[]> {
  const ids = shops.map(({ id }) => id)
  const quarantined = await quarantinedIn(db, ids)
  const due = await ordersDue(db, ids)
  const found = [
    ...quarantined.map((counted) => ofCount('records_quarantined', counted)),
    ...due.map((counted) => ofCount('orders_due', counted)),
  ]
  for (const [type, ofType] of Map.groupBy(shops, (shop) => shop.type)) {
    const clock = connectors.get(type)?.acknowledgement?.clock
    if (!clock) continue
    const waiting = await acknowledgementsDue(
      db,
      ofType.map(({ id }) => id),
      clock,
    )
    found.push(...waiting.map((counted) => ofCount('acknowledgements_due', counted)))
  }
  return found
}

/** A shop that is away, or a run that fails again and again, is one thing to look at. */
const eachOnce = (runs: readonly TroubledRun[]): TroubledRun[] =>
  [...new Map(runs.toReversed().map((run) => [run.integration_id, run])).values()].reverse()

/** Webhooks of these apps; with what they have not received yet. */
export async function webhookTrouble(
  db: Db,
  appIds: readonly number[],
): Promise<{ ids: number[]; undelivered: Waiting[]; found: (Found & { appId: number })[] }> {
  const webhooks = await webhooksIn(db, appIds)
  const ids = webhooks.map(({ id }) => id)
  const waiting = await undelivered(db, ids)
  const found = webhooks.flatMap((webhook) =>
    ofWebhook(webhook, waiting).map((each) => ({ ...each, appId: webhook.app_id })),
  )
  return { ids, undelivered: waiting, found }
}

/** How members of companies sign in. */
export async function accessTrouble(
  db: Db,
  companyIds: readonly number[] | 'all',
): Promise<(Found & { companyId: number })[]> {
  const rows = await signInTrouble(db, companyIds)
  return rows.map((row) => ({ ...ofUser(row), companyId: row.company_id }))
}
