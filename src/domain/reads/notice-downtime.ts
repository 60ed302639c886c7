import type { Context } from '../context.ts'
import { giveBackRefused, takeRefused } from '../shop-webhooks/refused-messages.ts'
import { askAfterDowntime, askAfterRefusals, beat } from './downtime-store.ts'

/** Seconds from one beat to the next, and after how many without any nobody can have been there. */
const beatSeconds = 5
const downSeconds = 20

export interface Heart {
  stop(): void
}

/**
 * Whoever takes messages of shops says that he is there. If nobody was for a while, messages were lost, and platforms may
 * have switched their webhooks off: then every shop that sends us any is asked what is new, and whether it still does. So is each whose
 * message could not be kept, however short that was.
 */
export async function startHeart(context: Pick<Context, 'db' | 'log'>): Promise<Heart> {
  const look = () =>
    noticeDowntime(context).catch((error: unknown) => context.log.warn({ err: error }, 'no sign of life could be left'))
  await look()
  const timer = setInterval(() => void look(), beatSeconds * 1000).unref()
  return { stop: () => clearInterval(timer) }
}

/** How many integrations are asked because of it. */
export async function noticeDowntime(context: Pick<Context, 'db' | 'log'>): Promise<number> {
  const gap = await beat(context.db, 'inbound')
  if (gap === null || gap.seconds < downSeconds) return await noticeRefusals(context, gap?.since ?? null)
  let count = 0
  let after: number | null = 0
  while (after !== null) {
    const done = await askAfterDowntime(context.db, { after, since: gap.since })
    count += done.count
    after = done.last
  }
  if (count > 0) {
    context.log.warn(
      { since: gap.since, seconds: gap.seconds, integrations: count },
      'nobody was there to take messages of shops: they are asked what they sent',
    )
  }
  return count
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
