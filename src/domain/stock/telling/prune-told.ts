import { Type } from 'typebox'
import { job } from '../../../runtime/jobs/job.ts'
import type { Context } from '../../context.ts'
import { deleteOldTold } from '../passport-store.ts'

/** Movements are kept for ever; what shops were told and seen to show, for a year and a bit. */
const keptDays = 400
const atOnce = 10_000

export const pruneTold = job({
  name: 'prune-stock-told',
  input: Type.Object({}),
  maxRunSeconds: 3600,
  run: async ({ db }: Pick<Context, 'db'>, _input, { signal }) => {
    while (!signal.aborted && (await deleteOldTold(db, keptDays, atOnce)) === atOnce);
  },
})
