import { Refusal } from './ask.ts'

/** Why an order is not here, and what was looked at: the body of the 404 to whoever asks for an order by its number. */
export interface Missing {
  reason_code: string
  reason: string
  integrations: readonly MissingIn[]
}

export interface MissingIn {
  integration_id: number
  name: string
  shop: string
  status: string
  last_completed_sync: { run_id: number; finished_at: string } | null
  watermark: string | null
  /** Code and parameters are null for what was set aside before there were codes. */
  set_aside: { reason: string; code: string | null; parameters: unknown; at: string } | null
}

/** Null if the failure is another one. */
export function missingOf(failure: unknown): Missing | null {
  if (!(failure instanceof Refusal) || failure.status !== 404) return null
  const body = failure.body as Partial<Missing> | null
  if (typeof body?.reason !== 'string' || !Array.isArray(body.integrations)) return null
  return { reason_code: String(body.reason_code), reason: body.reason, integrations: body.integrations }
}
