import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { defaultRequestDays } from './api-request.ts'
import { daysAhead, deleteOldRows, dropDay, makeDay, oldDays } from './request-days-store.ts'

const ahead = 2

/** Makes the next days of the request log before they begin, and drops those that are over. */
export const keepRequestDays = job({
  name: 'keep-request-days',
  input: Type.Object({}),
  run: async ({ db, requestLogDays = defaultRequestDays }: Pick<Context, 'db' | 'requestLogDays'>) => {
    for (const day of await daysAhead(db, ahead)) await makeDay(db, day)
    for (const name of await oldDays(db, requestLogDays)) await dropDay(db, name)
    while (await deleteOldRows(db, requestLogDays));
  },
})
