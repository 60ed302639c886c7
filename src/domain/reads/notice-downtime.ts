import type { Context } from '../context.ts'
import { giveBackRefused, takeRefused } from '../shop-webhooks/refused-messages.ts'
import {
  askAfterDowntime,
  askAfterRefusals,
  beat,
  beginMakingUp,
  endMakingUp,
  goOnMakingUp,
  readSilence,
} from './downtime-store.ts'

/** Seconds from one beat to the next, and after how many without any nobody can have been there. */
const beatSeconds = 5
const downSeconds = 20

type Needs = Pick<Context, 'db' | 'log'>

const name = 'inbound'

export interface Heart {
  stop(): void
}

/**
 * Whoever takes messages of shops says that he is there. If nobody was for a while, messages were lost, and platforms may
 * have switched their webhooks off: then every shop that sends us any is asked what is new, and whether it still does. So is each whose
 * message could not be kept, however short that was.
 */
export async function startHeart(context: Needs): Promise<Heart> {
  const look = () =>
    noticeDowntime(context).catch((error: unknown) => context.log.warn({ err: error }, 'no sign of life could be left'))
  await look()
  const timer = setInterval(() => void look(), beatSeconds * 1000).unref()
  return { stop: () => clearInterval(timer) }
}

/** How many integrations are asked because of it. */
export async function noticeDowntime(context: Needs): Promise<number> {
  const silence = await readSilence(context.db, name)
  if (silence !== null && silence.seconds >= downSeconds) return await makeUpFor(context)
  await beat(context.db, name)
  return await noticeRefusals(context, silence?.since ?? null)
}

/** The silence ends once all are to be asked: if that fails, or its process dies, the next one finds it as it was. */
async function makeUpFor({ db, log }: Needs): Promise<number> {
  if (!(await beginMakingUp(db, name))) return 0
  try {
    const silence = await readSilence(db, name)
    if (silence === null || silence.seconds < downSeconds) return 0
    const { since, seconds } = silence
    let count = 0
    let after: number | null = 0
    while (after !== null) {
      const done = await askAfterDowntime(db, { after, since })
      count += done.count
      after = done.last
      await goOnMakingUp(db, name)
    }
    await beat(db, name)
    if (count > 0) {
      log.warn(
        { since, seconds, integrations: count },
        'nobody was there to take messages of shops: they are asked what they sent',
      )
    }
    return count
  } finally {
    // Else it is free in half a minute.
    await endMakingUp(db, name).catch(() => undefined)
  }
}

/** A moment without database is no downtime, but some shops were refused in it, and their platforms count that. */
async function noticeRefusals({ db, log }: Pick<Context, 'db' | 'log'>, since: string | null): Promise<number> {
  const ids = takeRefused(db)
  if (ids.length === 0 || since === null) return 0
  try {
    await askAfterRefusals(db, { ids, since })
  } catch (error) {
    giveBackRefused(db, ids)
    throw error
  }
  log.warn({ integrations: ids.length }, 'messages of shops could not be kept: they are asked what they sent')
  return ids.length
}
