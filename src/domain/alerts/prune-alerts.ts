import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { pruneSome } from './alert-store.ts'

const atOnce = 1000

/** Alerts that were closed three months ago, what was sent of them, and mutes that have ended. */
export const pruneAlerts = job({
  name: 'prune-alerts',
  input: Type.Object({}),
  maxRunSeconds: 3600,
  run: async (context: Pick<Context, 'db'>, _input, { signal }) => {
    while ((await pruneSome(context.db, atOnce)) > 0) signal.throwIfAborted()
  },
})
