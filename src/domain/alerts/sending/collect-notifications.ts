import type { Db } from '../../../runtime/db/connection.ts'
import type { Alert } from '../alert.ts'
import { dueAt, wants } from '../channels/channel.ts'
import { listeningChannels } from '../channels/channel-store.ts'
import { dropUntold, holdCollecting, type Item, putItems, toldOf } from './notification-store.ts'

/**
 * Puts what was opened and closed to the messages that channels are going to get, in the transaction that opens and closes
 * it. What is over before it was told is not told at all; what was told is said to be over, once: also what was muted since,
 * to a pager, where it would stay open for ever.
 */
export async function collectFor(
  trx: Db,
  { opened, closed, now }: { opened: readonly Alert[]; closed: readonly Alert[]; now: Date },
): Promise<void> {
  const appIds = [...new Set([...opened, ...closed].map(({ app_id: appId }) => appId))]
  const channels = appIds.length === 0 ? [] : await listeningChannels(trx, appIds)
  if (channels.length === 0) return
  const over = closed.map(({ id }) => id)
  await holdCollecting(trx, channels)
  await dropUntold(trx, over)
  const muted = new Set(closed.flatMap((alert) => (alert.muted_until === null ? [] : [alert.id])))
  const told = await toldOf(trx, over)
  for (const channel of channels) {
    const fresh = opened.filter(
      (alert) => alert.app_id === channel.app_id && alert.muted_until === null && wants(channel, alert),
    )
    const items: Item[] = [
      ...fresh.map(({ id }) => ({ attentionId: id, what: 'opened' as const })),
      ...(told.get(channel.id) ?? [])
        .filter((id) => channel.type === 'pagerduty' || !muted.has(id))
        .map((id) => ({ attentionId: id, what: 'closed' as const })),
    ]
    if (items.length > 0) await putItems(trx, channel, { items, dueAt: dueAt(channel, now, isCritical(fresh)) })
  }
}

const isCritical = (alerts: readonly Alert[]): boolean => alerts.some(({ severity }) => severity === 'critical')
