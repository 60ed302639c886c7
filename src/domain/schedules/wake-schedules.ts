import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { keepAppointments, sleeping } from './due-store.ts'
import { nextRunAt } from './schedule.ts'
import { readClock } from './schedule-store.ts'

/** The shop has let us in again: what slept since it was left gets its next appointment. */
export const wakeSchedules = job({
  name: 'wake-schedules',
  input: Type.Object({ integrationId: Type.Integer() }),
  run: (context: Pick<Context, 'transaction'>, { integrationId }) =>
    context.transaction(async (trx) => {
      const now = await readClock(trx)
      const schedules = await sleeping(trx, integrationId)
      const appointments = schedules.map((schedule) => ({
        id: schedule.id,
        nextRunAt: nextRunAt(schedule, now),
        spreadSeconds: null,
        ran: false,
      }))
      await keepAppointments(trx, appointments)
    }),
})
