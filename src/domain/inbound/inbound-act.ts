import type { PrivacySubject } from '../../commerce/connector/webhooks.ts'
import { blindWord } from '../../lib/sealing/record-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { keyForSealing } from '../../runtime/db/vault/vault.ts'
import type { Context } from '../context.ts'
import { beginErasure } from '../erasures/begin-erasure.ts'
import { saveStep } from '../erasures/erasure-store.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { eraseOrders } from '../orders/privacy/erase-orders-store.ts'
import { historyWords } from '../orders/privacy/history-sentences.ts'
import { askWhetherLeft } from '../uninstall/confirm-uninstall.ts'
import { scheduleErasure } from '../uninstall/erase-shop.ts'
import type { Message } from './inbound-message.ts'
import type { Held } from './inbound-settle.ts'
import { assertHeld, finishDeliveries, type Outcome, type Recipient } from './inbound-work-store.ts'
import { notifyApps } from './privacy/privacy-events.ts'
import { ordersOfCustomer } from './privacy/privacy-store.ts'

/** What a message about the integration as a whole asks for, and that it was done: one transaction. */
export const actOn = (
  context: Context,
  { integrationId, holder }: Held,
  recipient: Recipient,
  message: Message,
): Promise<void> =>
  context.transaction(async (trx) => {
    await assertHeld(trx, integrationId, holder)
    const outcome = await act(context, trx, recipient, message)
    // Messages about privacy name people: that they came is all that is kept of them.
    const forget = message.reading.topic !== 'app.uninstalled'
    await finishDeliveries(trx, integrationId, [{ id: message.delivery.id, outcome, forget }])
  })

async function act(context: Context, trx: Db, recipient: Recipient, { delivery, reading }: Message): Promise<Outcome> {
  const { topic } = reading
  const at = reading.at ?? delivery.received_at
  const told = { integrationId: recipient.id, at }
  const left = recipient.deleted || recipient.status === 'UNINSTALLED'
  // What destroys is not believed: whether we were removed, the shop is asked, and what is deleted is deleted later.
  if (topic === 'app.uninstalled') {
    if (left) return 'ignored'
    await askWhetherLeft(context, trx, told)
    return 'acted'
  }
  if (topic === 'privacy.shop_redact') {
    if (left) return (await scheduleErasure(context, trx, recipient.id, at)) ? 'acted' : 'ignored'
    await askWhetherLeft(context, trx, { ...told, erase: true })
    return 'acted'
  }
  const subject = reading.privacy
  if (!subject) return 'ignored'
  const orderIds = await ordersOfCustomer(trx, recipient.id, subject)
  if (topic === 'privacy.customer_redact') {
    await forgetCustomer(context, trx, recipient, { subject, orderIds })
    await appendLog(trx, recipient.id, {
      level: 'info',
      event: 'privacy.customer_redact',
      words: logWords('privacy.customer_redact', { orders: orderIds.length }),
      context: { orders: orderIds },
    })
    await notifyApps(trx, recipient.id, 'privacy.redacted', { orderIds, at: delivery.received_at })
    return 'acted'
  }
  await appendLog(trx, recipient.id, {
    level: 'warning',
    event: 'privacy.customer_data',
    words: logWords('privacy.customer_data', { orders: orderIds.length }),
    context: { orders: orderIds },
  })
  await notifyApps(trx, recipient.id, 'privacy.data_requested', { orderIds, at: delivery.received_at })
  return 'acted'
}

/** Orders at once; whatever else may name the customer is gone through by the erasure that begins here. */
async function forgetCustomer(
  context: Context,
  trx: Db,
  { id, app_id: appId, account_id: accountId }: Recipient,
  { subject, orderIds }: { subject: PrivacySubject; orderIds: number[] },
): Promise<void> {
  const { remoteId = null, email = null, phone = null } = subject.customer ?? {}
  const person = { remoteId, email, phone }
  const names = await eraseOrders(trx, id, {
    orderIds,
    remoteIds: subject.orderRemoteIds,
    why: { source: 'webhook', note: historyWords('history.redacted') },
  })
  const asked = { appId, accountId, requestedBy: 'platform', person, integrationIds: [id] } as const
  const erasure = await beginErasure(context, trx, asked)
  const key = await keyForSealing(trx, id)
  await saveStep(
    trx,
    { erasure_id: erasure.id, integration_id: id },
    {
      at: { at_table: null, after: null },
      touched: { orders: orderIds.length },
      phrases: names.map((name) => blindWord(key, name)),
    },
  )
}
