import { setTimeout as sleep } from 'node:timers/promises'
import { invalidField, unauthenticated } from '../../../lib/fault.ts'
import { seal } from '../../../lib/secret-box.ts'
import type { Context } from '../../context.ts'
import type { EventType } from '../../events/event.ts'
import { emitTo } from '../../events/event-store.ts'
import { sampleOf } from '../../events/samples.ts'
import type { AppTenant } from '../../tenant.ts'
import { newSecret } from '../create-subscription.ts'
import { deleteSubscription } from '../delete-subscription.ts'
import { readEvents } from '../read-events.ts'
import { secretPlace } from '../subscription.ts'
import { insertSubscription, takeSubscriptionId } from '../subscription-store.ts'
import { countListeners, endedListeners, type Listener, markListening, renewListener } from './listener-store.ts'

/** At the same time, of one app. */
const maxListeners = 5

/** No address: what is written for a listener is never sent. */
const nowhere = 'entrepot:listener'

/** From now on the events of the app are kept for it. The secret signs what its holder hands on; we only show it. */
export async function openListener(
  context: Pick<Context, 'db' | 'transaction' | 'keys'>,
  tenant: AppTenant,
  events: readonly string[],
): Promise<{ listener: Listener; secret: string }> {
  if ((await countListeners(context.db, tenant, maxListeners)) >= maxListeners) {
    throw invalidField('events', `At most ${maxListeners} listeners of an app are allowed at the same time.`)
  }
  const secret = newSecret()
  const id = await takeSubscriptionId(context.db)
  const sealed = { secret: seal(context.keys, secret, secretPlace(id)), keyId: context.keys[0].id }
  const listener = await context.transaction(async (trx) => {
    await insertSubscription(trx, { appId: tenant.appId, integrationId: null }, { id, events, url: nowhere, ...sealed })
    return await markListening(trx, id)
  })
  return { listener, secret }
}

/** How often a listener that waits is looked after: within this time it learns of news, and that it is not welcome any more. */
const tickMs = 500
/** In one process; whoever comes then is answered at once, and asks again. */
const maxWaiting = 200
let waiting = 0

export interface Awaited {
  cursor: string | null
  limit: number
  waitSeconds: number
  /** Whether whoever asks may still do so. */
  isWelcome: () => Promise<boolean>
}

/** The events behind the cursor. Where there are none it waits for some, as long as was asked for. */
export async function awaitEvents(
  context: Pick<Context, 'db' | 'stopping'>,
  { id }: Listener,
  { cursor, limit, waitSeconds, isWelcome }: Awaited,
) {
  await renewListener(context.db, id)
  const until = performance.now() + waitSeconds * 1000
  const mayWait = waiting < maxWaiting
  waiting++
  try {
    for (;;) {
      const page = await readEvents(context, id, { cursor, limit })
      const isOver = !mayWait || performance.now() >= until || context.stopping?.aborted
      if (page.events.length > 0 || isOver) return page
      // A program that stops lets nobody wait for it.
      await sleep(tickMs, undefined, context.stopping ? { signal: context.stopping } : {}).catch(() => undefined)
      if (!(await isWelcome())) throw unauthenticated()
    }
  } finally {
    waiting--
  }
}

/** A sample of an event for this listener alone. */
export const sampleTo = (context: Pick<Context, 'transaction'>, listener: Listener, type: EventType): Promise<number> =>
  context.transaction((trx) => emitTo(trx, listener, { type, data: sampleOf(type) }, 'held'))

const batch = 500

/** Those that nobody has asked for an hour. */
export async function endListeners(context: Pick<Context, 'db' | 'transaction'>): Promise<void> {
  let ended: number[]
  do {
    ended = await endedListeners(context.db, batch)
    for (const id of ended) await deleteSubscription(context, id)
  } while (ended.length === batch)
}
