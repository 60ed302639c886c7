import { sql } from 'kysely'
import type { Context } from '../../src/domain/context.ts'
import { until } from './until.ts'

/** So many wait for what others hold. */
export async function waitingForLocks({ db }: Pick<Context, 'db'>): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

/** `first` has done all that it does, but has not committed when `second` comes along, and either waits for it or is through. */
export async function justBefore<First, Second>(
  context: Context,
  first: (held: Context) => Promise<First>,
  second: () => Promise<Second>,
): Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
  let coming: Promise<Second> | undefined
  const transaction: Context['transaction'] = (work) =>
    context.transaction(async (trx) => {
      const result = await work(trx)
      let isOver = false
      coming ??= second().finally(() => {
        isOver = true
      })
      // Looked at below, whatever comes of it.
      coming.catch(() => undefined)
      await until(async () => isOver || (await waitingForLocks(context)) > 0)
      return result
    })
  const [one] = await Promise.allSettled([first({ ...context, transaction })])
  if (!coming) throw new Error('The first one never came so far.')
  const [other] = await Promise.allSettled([coming])
  return [one, other]
}
