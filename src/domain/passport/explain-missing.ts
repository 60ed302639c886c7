import type { Db } from '../../runtime/db/connection.ts'
import type { Integration } from '../integrations/integration.ts'
import { orderSyncStates, type SetAsideRow, setAsideWith } from './missing-store.ts'

/** Why there is no order of this number, as far as anybody can know. */
export interface Missing {
  /** In plain words. */
  reason: string
  integrations: MissingIn[]
}

export interface MissingIn {
  integration_id: number
  status: string
  last_completed_sync: { run_id: number; finished_at: string } | null
  /** Up to which change of the shop its orders have been read. */
  watermark: string | null
  set_aside: { remote_id: string; run_id: number; reason: string; at: string } | null
}

export async function explainMissing(
  db: Db,
  integrations: readonly Pick<Integration, 'id' | 'status'>[],
  number: string,
): Promise<Missing> {
  const ids = integrations.map(({ id }) => id)
  const bare = number.replace(/^#/, '')
  const [states, candidates] = await Promise.all([orderSyncStates(db, ids), setAsideWith(db, ids, bare)])
  const stateOf = new Map(states.map((state) => [state.integration_id, state]))
  const found = candidates.filter((row) => namesNumber(row, bare))
  const known = integrations.map(({ id, status }): MissingIn => {
    const state = stateOf.get(id)
    const aside = found.find((row) => row.integration_id === id)
    const { last_run_id: runId = null, last_completed_at: at = null, watermark = null } = state ?? {}
    return {
      integration_id: id,
      status,
      last_completed_sync: runId === null || at === null ? null : { run_id: runId, finished_at: at },
      watermark,
      set_aside: aside
        ? { remote_id: aside.remote_id, run_id: aside.run_id, reason: aside.reason, at: aside.updated_at }
        : null,
    }
  })
  return { reason: reasonOf(known), integrations: known }
}

/** As a value of its own, and not as a part of another one. */
function namesNumber({ remote_id: remoteId, payload }: SetAsideRow, number: string): boolean {
  if (remoteId === number) return true
  const text = number.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`[":\\s]#?${text}["\\s,}\\]]`).test(payload ?? '')
}

function reasonOf(known: readonly MissingIn[]): string {
  const aside = known.find(({ set_aside: each }) => each !== null)?.set_aside
  if (aside) return `The shop has sent such an order, but it could not be stored: ${aside.reason}`
  if (known.length === 0) return 'There is no integration that could have it.'
  const [only] = known
  if (only && known.length === 1) {
    if (only.last_completed_sync === null) return 'No sync of orders has completed yet.'
    const { finished_at: at } = only.last_completed_sync
    const paused = only.status === 'ACTIVE' ? '' : ` The integration is ${only.status}, so nothing has come since.`
    return `The shop had not sent such an order when the last sync of orders completed, at ${at}.${paused}`
  }
  return 'None of the integrations has received such an order.'
}
