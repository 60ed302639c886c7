import { actionsOf } from '../../commerce/action.ts'
import type { Connector } from '../../commerce/connector.ts'
import { nextRun } from '../../lib/cron.ts'
import type { FieldWordings } from '../../lib/fault.ts'
import { complaint } from '../../lib/validation/complaints.ts'
import type { JsonValue } from '../../runtime/db/tables.gen.ts'

/** A recurring run of an action on one integration. */
export interface Schedule {
  id: number
  integration_id: number
  name: string | null
  resource: string
  cron: string
  timezone: string
  payload: JsonValue
  active: boolean
  last_run_at: string | null
  next_run_at: string | null
  created_at: string
  updated_at: string
}

export interface ScheduleInput {
  name?: string | null | undefined
  resource: string
  cron: string
  timezone?: string | undefined
  payload?: Record<string, unknown> | undefined
  active?: boolean | undefined
}

/** What decides when it runs next. */
export type Timing = Pick<Schedule, 'cron' | 'timezone' | 'active'>

/** Null while it rests. */
export const nextRunAt = ({ cron, timezone, active }: Timing, now: Date): string | null =>
  active ? nextRun(cron, timezone, now) : null

/** Where in the body a schedule stands: alone, or the nth of many. */
export const fieldIn = (index: number | null, field: string): string =>
  index === null ? field : `schedules.${index}.${field}`

/** What is wrong with a schedule on this service, for a 422. */
export function problemsOf(
  connector: Connector | undefined,
  { resource, cron, timezone }: Pick<Schedule, 'resource' | 'cron' | 'timezone'>,
  { now, index }: { now: Date; index: number | null },
): FieldWordings {
  const errors: FieldWordings = {}
  const offered: readonly string[] = connector ? actionsOf(connector) : []
  const at = (field: string) => fieldIn(index, field)
  if (!offered.includes(resource)) errors[at('resource')] = [complaint('field_selected', { field: at('resource') })]
  if (nextRun(cron, timezone, now) === null) errors[at('cron')] = [complaint('field_format', { field: at('cron') })]
  return errors
}
