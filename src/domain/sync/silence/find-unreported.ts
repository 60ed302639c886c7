import type { Db } from '../../../runtime/db/connection.ts'
import { readMessages, readWithin } from '../../integrations/messages-store.ts'
import type { Stored, SyncRecord } from '../kind.ts'
import type { Pass } from '../sync.ts'
import type { Work } from '../work.ts'
import { countUnreported, graceMinutes, type Unreported } from './unreported-store.ts'

/**
 * What a read for news has met so far that no message had told, with this page. Only of what the platform would have
 * told: new orders where it reports those, changed ones where it reports changes.
 */
export async function findUnreported(
  trx: Db,
  { claim: { integrationId }, open: { connector } }: Pick<Work, 'claim' | 'open'>,
  { pass, records, changed }: { pass: Pass; records: readonly SyncRecord[]; changed: NonNullable<Stored['changed']> },
): Promise<Pick<Pass, 'unreported' | 'undecided'>> {
  const topics = connector.webhooks?.topics
  if (pass.mode !== 'incremental' || !topics) return {}
  const told = changed.filter(({ isNew }) => topics[isNew ? 'order.created' : 'order.updated'] !== undefined)
  if (told.length === 0) return {}
  const { state, since } = await readMessages(trx, integrationId)
  if (state === 'none' || since === null) return {}
  const times = new Map(records.map(({ key, updatedAt }) => [key, updatedAt]))
  const orders = told.flatMap(({ remoteId }) => {
    const at = times.get(remoteId) ?? null
    return at === null || Number.isNaN(Date.parse(at)) ? [] : [{ key: remoteId, at }]
  })
  const { found, undecided } = await countUnreported(trx, integrationId, { orders, since })
  // Whether messages come at all is not to be known only an hour later, but then: by a read that finds some old enough.
  if (undecided) await readWithin(trx, integrationId, graceMinutes + 2)
  return { ...(found && { unreported: together(pass.unreported, found) }), ...(undecided && { undecided }) }
}

const together = (before: Unreported | undefined, found: Unreported): Unreported =>
  before === undefined
    ? found
    : {
        count: before.count + found.count,
        since: Date.parse(before.since) < Date.parse(found.since) ? before.since : found.since,
      }
