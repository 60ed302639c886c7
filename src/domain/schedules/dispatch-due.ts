import { Type } from 'typebox'
import { because, Fault } from '../../lib/fault.ts'
import { type Node, onEachNode } from '../../runtime/db/citus/nodes.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { isRunning } from '../integrations/integration.ts'
import type { LogEntry } from '../logs/log.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { type Appointment, claimDue, type Due, hasDue, keepAppointments, putOff } from './due-store.ts'
import { nextRunAt } from './schedule.ts'
import { readClock } from './schedule-store.ts'
import { readRush, spreadOf } from './spread.ts'
import { startStep } from './start-step.ts'
import { type UnfinishedRun, unfinishedRuns } from './step-store.ts'

type Needs = Pick<Context, 'db' | 'transaction' | 'connectors' | 'record' | 'enqueue' | 'log'>

const atOnce = 50
const putOffSeconds = 60

/** Starts what is due. Any number of workers may do so at the same time. */
export const dispatchDue = job({
  name: 'dispatch-due',
  input: Type.Object({}),
  retry: { attempts: 1 },
  maxRunSeconds: 120,
  hasWork: ({ db }: Needs) => hasDue(db),
  run: async (context: Needs, _input, { signal }) => {
    await onEachNode(context, async (node) => {
      while (!signal.aborted && (await dispatchBatch(context, atOnce, node)) === atOnce);
    })
  },
})

/**
 * If a batch fails, its schedules have their turn one by one, and those that fail again are put off: where a part of the
 * database is away, or one of them cannot be started for whatever reason, the others do not wait for it.
 */
export async function dispatchBatch(context: Needs, limit = atOnce, node: Node = 'all'): Promise<number> {
  const batch = await dispatch(context, limit, node)
  if (!('error' in batch)) return batch.started
  for (let n = 0; n < limit; n++) {
    const one = await dispatch(context, 1, node)
    if ('error' in one) {
      const [id] = one.claimed
      // Not even claimed: it is not about this one.
      if (id === undefined) throw one.error
      context.log.warn({ err: one.error, schedule: id }, 'a schedule could not be started, and is put off')
      await putOff(context.db, id, putOffSeconds)
    } else if (one.started === 0) {
      return n
    }
  }
  return limit
}

/**
 * Claim, run and next appointment in one transaction: a crash repeats all or nothing. The next appointment is the first
 * one from now, by the database's clock, so that those missed while nobody was there come to one run.
 */
async function dispatch(
  context: Needs,
  limit: number,
  node: Node,
): Promise<{ started: number } | { error: unknown; claimed: number[] }> {
  let claimed: number[] = []
  try {
    const rush = await readRush(context)
    const started = await context.transaction(async (trx) => {
      const due = await claimDue(trx, limit, node)
      claimed = due.map(({ id }) => id)
      if (due.length === 0) return 0
      const now = await readClock(trx)
      const unfinished = await unfinishedRuns(trx, [...new Set(due.map((schedule) => schedule.integration_id))])
      const appointments: Appointment[] = []
      for (const schedule of due) {
        const { nextRunAt: at, ran } = await keep(context, trx, { schedule, now, unfinished })
        appointments.push({ id: schedule.id, nextRunAt: at, ran, spreadSeconds: spreadOf(schedule, at, rush) })
      }
      await keepAppointments(trx, appointments)
      return due.length
    })
    return { started }
  } catch (error) {
    return { error, claimed }
  }
}

type Kept = Pick<Appointment, 'nextRunAt' | 'ran'>

async function keep(
  context: Needs,
  trx: Db,
  { schedule, now, unfinished }: { schedule: Due; now: Date; unfinished: UnfinishedRun[] },
): Promise<Kept> {
  const { id, integration } = schedule
  // Sleeps until the shop lets us in again.
  if (integration.deleted || integration.status === 'UNINSTALLED') return { nextRunAt: null, ran: false }
  const next = nextRunAt({ ...schedule, active: true }, now)
  if (!isRunning(integration)) return { nextRunAt: next, ran: false }
  if (isBusy(schedule, unfinished)) {
    await logSchedule(trx, schedule, { level: 'warning', event: 'schedule.skipped', words: logWords('skipped') })
    return { nextRunAt: next, ran: false }
  }
  try {
    await startStep(context, trx, integration, {
      action: schedule.resource,
      fields: fieldsOf(schedule.payload),
      scheduleId: id,
    })
  } catch (error) {
    // Refused before anything was written: by a connector that has lost an action, or a payload that no longer fits.
    if (!(error instanceof Fault)) throw error
    const words = logWords('schedule.failed', { reason: because(error) })
    await logSchedule(trx, schedule, { level: 'error', event: 'schedule.failed', words })
    return { nextRunAt: next, ran: false }
  }
  unfinished.push({ integration_id: integration.id, resource: schedule.resource, schedule_id: id, status: 'queued' })
  return { nextRunAt: next, ran: true }
}

/** Whether a run of the schedule, or another one that does the same, is still under way. */
export const isBusy = (
  { id, integration_id, resource }: Pick<Due, 'id' | 'integration_id' | 'resource'>,
  unfinished: readonly UnfinishedRun[],
): boolean =>
  unfinished.some(
    (run) => run.integration_id === integration_id && (run.schedule_id === id || run.resource === resource),
  )

export const fieldsOf = (payload: unknown): Record<string, unknown> =>
  typeof payload === 'object' && payload !== null ? { ...payload } : {}

const logSchedule = (
  trx: Db,
  { id, integration_id, resource }: Due,
  entry: Pick<LogEntry, 'level' | 'event' | 'words'>,
): Promise<void> => appendLog(trx, integration_id, { ...entry, context: { schedule_id: id, resource } })
