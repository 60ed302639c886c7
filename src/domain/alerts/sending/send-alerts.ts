import { Type } from 'typebox'
import { Fault } from '../../../lib/fault.ts'
import { job } from '../../../runtime/jobs/job.ts'
import { appsById } from '../../apps/app-store.ts'
import type { Context } from '../../context.ts'
import type { Alert } from '../alert.ts'
import { alertsByIds } from '../alert-store.ts'
import { channelById, noteOutcome } from '../channels/channel-store.ts'
import { readAddress } from '../channels/write-channel.ts'
import { deliver, wordsFor } from './deliver.ts'
import { linkFor } from './link.ts'
import type { Group } from './message.ts'
import {
  findNotification,
  hasDueNotifications,
  itemsOf,
  type Notification,
  resolvedKeys,
  settleNotification,
  takeDue,
  toldOver,
} from './notification-store.ts'

const attempts = 8

/**
 * Sends what a channel is to be told. Tried again until the other side has taken it; under the same name each time, by which
 * a mailbox or a pager that got it already can tell, should a worker die between the two.
 */
export const sendAlert = job({
  name: 'send-alert',
  input: Type.Object({ channelId: Type.Integer(), notificationId: Type.Integer() }),
  oneAtATime: ({ channelId }) => `channel:${channelId}`,
  retry: { attempts, delaySeconds: 10, maxDelaySeconds: 1800 },
  maxRunSeconds: 120,
  run: async (context: Context, { notificationId }, { attempt }) => {
    const notification = await findNotification(context.db, notificationId)
    if (notification?.state !== 'sending') return
    const channel = await channelById(context.db, notification.channel_id)
    if (!channel?.active || channel.confirmed_at === null) {
      await settleNotification(context.db, notificationId, { state: 'failed', error: 'The channel is switched off.' })
      return
    }
    const address = await readAddress(context, channel.id)
    try {
      const content = await contentOf(context, notification, channel.app_id)
      if (content === null) return await settleNotification(context.db, notificationId, { state: 'sent', error: null })
      await deliver(context, { channel, address }, content)
    } catch (error) {
      const words = wordsFor(error)
      const isOver = attempt >= attempts || (error instanceof Fault && error.kind === 'upstream_refused')
      await settleNotification(context.db, notificationId, { state: isOver ? 'failed' : 'sending', error: words })
      await noteOutcome(context.db, channel.id, words)
      if (isOver) return
      throw error
    }
    await settleNotification(context.db, notificationId, { state: 'sent', error: null })
    await noteOutcome(context.db, channel.id, null)
  },
})

/** Null: there is nothing left to say. */
async function contentOf(
  context: Context,
  notification: Notification,
  appId: number,
): Promise<{ group: Group; resolved: string[] } | null> {
  const items = await itemsOf(context.db, notification.id)
  const alerts = new Map(
    (await alertsByIds(context.db, [...new Set(items.map((item) => item.attentionId))])).map((alert) => [
      alert.id,
      alert,
    ]),
  )
  const of = (what: 'opened' | 'closed'): Alert[] =>
    items.flatMap((item) => {
      const alert = item.what === what ? alerts.get(item.attentionId) : undefined
      return alert ? [alert] : []
    })
  const over = await toldOver(context.db, notification)
  const [opened, closed] = [of('opened').filter(({ id }) => !over.has(id)), of('closed')]
  if (opened.length + closed.length === 0) return null
  const resolved = await resolvedKeys(
    context.db,
    notification.channel_id,
    closed.map(({ id }) => id),
  )
  const app = (await appsById(context.db, [appId])).get(appId)
  return {
    group: {
      key: notification.key,
      app: { id: appId, name: app?.name ?? '' },
      opened,
      closed,
      url: `${context.publicUrl}/console/apps/${appId}/alerts`,
      muteUrl: linkFor(context, { does: 'mute', notification: notification.id }),
    },
    resolved,
  }
}

const atOnce = 200

/** Whose time to collect is over is sent. */
export const dispatchAlerts = job({
  name: 'dispatch-alerts',
  input: Type.Object({}),
  oneAtATime: () => 'dispatch-alerts',
  retry: { attempts: 1 },
  hasWork: ({ db }: Context) => hasDueNotifications(db),
  run: async (context: Context, _input, { signal }) => {
    let taken = atOnce
    while (taken === atOnce && !signal.aborted) {
      taken = await context.transaction(async (trx) => {
        const due = await takeDue(trx, atOnce)
        for (const { id, channel_id: channelId } of due) {
          await context.enqueue(trx, sendAlert, { channelId, notificationId: id })
        }
        return due.length
      })
    }
  },
})
