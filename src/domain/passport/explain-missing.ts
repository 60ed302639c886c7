import type { Reason } from '../../lib/words/wording.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Integration } from '../integrations/integration.ts'
import { newestQuarantined, type QuarantinedRow } from '../sync/quarantine/quarantine-store.ts'
import { orderSyncStates } from './missing-store.ts'

/** Why there is no order of this number, as far as anybody can know. */
export interface Missing {
  /** For programs, and for pages in other languages. */
  reason_code: MissingCode
  /** In plain words. */
  reason: string
  integrations: MissingIn[]
}

export type MissingCode = 'quarantined' | 'no_integration' | 'never_synced' | 'not_in_shop' | 'not_received'

export interface MissingIn {
  integration_id: number
  name: string
  shop: string
  status: string
  last_completed_sync: { run_id: number; finished_at: string } | null
  /** Up to which change of the shop its orders have been read. */
  watermark: string | null
  /** `code` and `parameters` are what the reason follows from: for pages in other languages. Null for what was set aside before there were codes. */
  set_aside: {
    remote_id: string
    run_id: number
    reason: string
    code: string | null
    parameters: Reason['parameters'] | null
    at: string
  } | null
}

export async function explainMissing(
  db: Db,
  integrations: readonly Pick<Integration, 'id' | 'name' | 'shop' | 'status'>[],
  number: string,
): Promise<Missing> {
  const ids = integrations.map(({ id }) => id)
  const bare = number.replace(/^#/, '')
  const [states, candidates] = await Promise.all([orderSyncStates(db, ids), newestQuarantined(db, ids)])
  const stateOf = new Map(states.map((state) => [state.integration_id, state]))
  const found = candidates.filter((row) => namesNumber(row, bare))
  const known = integrations.map(({ id, name, shop, status }): MissingIn => {
    const state = stateOf.get(id)
    const quarantined = found.find((row) => row.integration_id === id)
    const { last_run_id: runId = null, last_completed_at: at = null, watermark = null } = state ?? {}
    return {
      integration_id: id,
      name,
      shop,
      status,
      last_completed_sync: runId === null || at === null ? null : { run_id: runId, finished_at: at },
      watermark,
      set_aside: quarantined
        ? {
            remote_id: quarantined.remote_id,
            run_id: quarantined.run_id,
            reason: quarantined.reason,
            code: quarantined.why?.code ?? null,
            parameters: quarantined.why?.parameters ?? null,
            at: quarantined.updated_at,
          }
        : null,
    }
  })
  return { ...reasonOf(known), integrations: known }
}

/** As a value of its own, and not as a part of another one. */
function namesNumber({ remote_id: remoteId, payload }: QuarantinedRow, number: string): boolean {
  if (remoteId === number) return true
  const text = number.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`[":\\s]#?${text}["\\s,}\\]]`).test(payload ?? '')
}

function reasonOf(known: readonly MissingIn[]): Pick<Missing, 'reason' | 'reason_code'> {
  const quarantined = known.find(({ set_aside: each }) => each !== null)?.set_aside
  if (quarantined) {
    const reason = `The shop sent the order, but it was quarantined: ${quarantined.reason}`
    return { reason_code: 'quarantined', reason }
  }
  if (known.length === 0) return { reason_code: 'no_integration', reason: 'There is no integration to search.' }
  const [only] = known
  if (only && known.length === 1) {
    if (only.last_completed_sync === null) {
      return { reason_code: 'never_synced', reason: 'No order sync has completed yet.' }
    }
    const { finished_at: at } = only.last_completed_sync
    const paused =
      only.status === 'ACTIVE' ? '' : ` The integration is ${only.status}, so nothing has been synced since.`
    const reason = `The shop had no such order when the last order sync completed, at ${at}.${paused}`
    return { reason_code: 'not_in_shop', reason }
  }
  return { reason_code: 'not_received', reason: 'None of the integrations has received such an order.' }
}
