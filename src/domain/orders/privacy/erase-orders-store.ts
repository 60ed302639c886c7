import { phrasesOf } from '../../../lib/sealing/person-text.ts'
import { wordsOfPerson } from '../../../lib/sealing/person-words.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { forgetAnswersAbout } from '../../webhooks/delivery-texts-store.ts'
import type { Order } from '../order.ts'
import { subjectOf } from '../order-events.ts'
import { anyOrdersByIds } from '../order-store.ts'
import type { HistoryEntry } from './history-store.ts'
import { redactOrders } from './redact-store.ts'
import { buryOrders } from './tombstone-store.ts'

/**
 * Who bought these is forgotten for good: here, and in whatever the shop says of them later. The answer is what other texts may
 * name the person by.
 */
export async function eraseOrders(
  trx: Db,
  integrationId: number,
  input: { orderIds: readonly number[]; remoteIds: readonly string[]; why: Pick<HistoryEntry, 'source' | 'note'> },
): Promise<string[]> {
  const orders = await anyOrdersByIds(trx, integrationId, input.orderIds)
  await redactOrders(trx, integrationId, input)
  await buryOrders(trx, integrationId, [...input.remoteIds, ...orders.map(({ remote_id: id }) => id)])
  await forgetAnswersAbout(trx, orders.map(subjectOf))
  return [...new Set(orders.flatMap(namesIn))]
}

function namesIn({ customer, billing_address: billing, shipping_address: shipping }: Order): string[] {
  const text = (of: unknown, field: string): string => {
    const value: unknown = Object(of)[field]
    return typeof value === 'string' ? value : ''
  }
  const known = wordsOfPerson({ email: text(customer, 'email'), phone: text(customer, 'phone') })
  const phrases = [customer, billing, shipping].flatMap((who) => {
    const [first, last] = [text(who, 'first_name'), text(who, 'last_name')]
    return [`${first} ${last}`, `${last} ${first}`, text(who, 'name'), text(who, 'line1')].flatMap(phrasesOf)
  })
  return [...known, ...phrases]
}
