import type { Db } from '../../runtime/db/connection.ts'
import { newEvent } from '../events/event.ts'
import { emitEvents } from '../events/event-store.ts'
import { failedRun } from './run.ts'
import { findRun } from './run-store.ts'

/** Emits how a run has ended, in the transaction that ended it. That somebody cancelled it is no news. */
export async function emitRun(trx: Db, { integrationId, id }: { integrationId: number; id: number }): Promise<void> {
  const { status, resource, finished_at } = await findRun(trx, integrationId, id)
  if ((status !== 'completed' && status !== 'failed') || finished_at === null) return
  const data = {
    id,
    integration_id: integrationId,
    resource,
    status,
    error: status === 'failed' ? failedRun.text : null,
    finished_at,
    href: `/api/2.0/app/integrations/${integrationId}/runs/${id}`,
  }
  await emitEvents(trx, [
    newEvent(`run.${status}`, { integrationId }, { subject: `integration:${integrationId}`, data }),
  ])
}
