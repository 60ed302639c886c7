import type { Context } from '../../context.ts'
import { ageOf, beginEra, carryWaiting, dropEra, readEras } from './era-store.ts'

/**
 * So few days that what is kept too long is not, and so many that there are few eras: whoever looks for a message looks into each. Within as many
 * the programs from before there were eras have to be gone.
 */
const daysInEra = 5
/** One that can be dropped in so many days is left until then: row by row, deleting costs as much as writing did. */
const patienceDays = 7

type Needs = Pick<Context, 'db' | 'transaction'>

/**
 * Begins the next era when the present one is some days old, and drops those whose last message came more than `keptDays` ago. From which
 * era on messages are left to be deleted singly.
 */
export async function keepEras(context: Needs, keptDays: number): Promise<number> {
  const { eras, current, begun, today } = await readEras(context.db)
  // Another than the last after a backup was restored: eras came along, and the default did not.
  const isDue = current !== eras.at(-1) || today - begun >= daysInEra
  const into = isDue ? Math.max(today, (eras.at(-1) ?? 0) + 1) : current
  if (isDue) await context.transaction((trx) => beginEra(trx, into))
  let from = 0
  for (const era of eras.filter((each) => each !== into)) {
    const days = await ageOf(context.db, era)
    if (days !== null && days <= keptDays - patienceDays) break
    if (days === null || days > keptDays) {
      // Most of them before anybody has to wait for it.
      await carryWaiting(context.db, { from: era, into })
      await context.transaction((trx) => dropEra(trx, { era, into }))
    }
    from = era + 1
  }
  return from
}
