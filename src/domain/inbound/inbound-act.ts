import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { lockIntegration } from '../integrations/integration-store.ts'
import { uninstall } from '../integrations/uninstall-integration.ts'
import { appendLog } from '../logs/log-store.ts'
import { leftByMerchant } from '../uninstall/left-by-merchant.ts'
import { purgeIntegration } from '../uninstall/purge-integrations.ts'
import { purgeAtOnce } from '../uninstall/purge-store.ts'
import { dropUninstallCleanup } from '../uninstall/uninstall-cleanup-store.ts'
import type { Message } from './inbound-message.ts'
import type { Held } from './inbound-settle.ts'
import { assertHeld, finishDeliveries, type Outcome, type Recipient } from './inbound-work-store.ts'
import { notifyApps } from './privacy-events.ts'
import { ordersOfCustomer, redactOrders } from './privacy-store.ts'

/** What a message about the integration as a whole asks for, and that it was done: one transaction. */
export async function actOn(
  context: Context,
  { integrationId, holder }: Held,
  recipient: Recipient,
  message: Message,
): Promise<void> {
  const { topic } = message.reading
  const outcome = await context.transaction(async (trx) => {
    await assertHeld(trx, integrationId, holder)
    const outcome = await act(trx, recipient, message)
    // Messages about privacy name people: that they came is all that is kept of them.
    const forget = topic !== 'app.uninstalled'
    await finishDeliveries(trx, integrationId, [{ id: message.delivery.id, outcome, forget }])
    return outcome
  })
  // What is not done here, because the worker dies, is overdue for the next purge.
  if (topic === 'privacy.shop_redact' && outcome === 'acted') await purgeIntegration(context, integrationId)
}

async function act(trx: Db, recipient: Recipient, { delivery, reading }: Message): Promise<Outcome> {
  const { topic } = reading
  if (topic === 'app.uninstalled') {
    const left = !recipient.deleted && (await leftByMerchant(trx, recipient.id, reading.at ?? delivery.received_at))
    return left ? 'acted' : 'ignored'
  }
  if (topic === 'privacy.shop_redact') return await forgetShop(trx, recipient, reading.at ?? delivery.received_at)
  const subject = reading.privacy
  if (!subject) return 'ignored'
  const orderIds = await ordersOfCustomer(trx, recipient.id, subject)
  if (topic === 'privacy.customer_redact') {
    await redactOrders(trx, recipient.id, { orderIds, remoteIds: subject.orderRemoteIds })
    await appendLog(trx, recipient.id, {
      level: 'info',
      event: 'privacy.customer_redact',
      message: `Customer data redacted in ${orderIds.length} orders (platform request).`,
      context: { orders: orderIds },
    })
    await notifyApps(trx, recipient.id, 'privacy.redacted', { orderIds, at: delivery.received_at })
    return 'acted'
  }
  await appendLog(trx, recipient.id, {
    level: 'warning',
    event: 'privacy.customer_data',
    message: `A customer requested their data through the platform; ${orderIds.length} orders are affected.`,
    context: { orders: orderIds },
  })
  await notifyApps(trx, recipient.id, 'privacy.data_requested', { orderIds, at: delivery.received_at })
  return 'acted'
}

/** Platforms ask for it so long after we were removed: who has come back since is not meant. */
const redactAfterHours = 48

/** All that the shop has ever given us goes, at once. */
async function forgetShop(trx: Db, recipient: Recipient, at: string): Promise<Outcome> {
  if (!recipient.deleted) {
    const integration = await lockIntegration(trx, recipient.id)
    const since = integration.status === 'UNINSTALLED' ? null : integration.installed_at
    if (since !== null && Date.parse(at) < Date.parse(since) + redactAfterHours * 3_600_000) return 'ignored'
    await uninstall(trx, integration)
    await dropUninstallCleanup(trx, recipient.id)
  }
  await purgeAtOnce(trx, recipient.id)
  await appendLog(trx, recipient.id, {
    level: 'info',
    event: 'privacy.shop_redact',
    message: 'All data of the shop is deleted (platform request).',
  })
  return 'acted'
}
