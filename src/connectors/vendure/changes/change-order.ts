import type { Orders } from '../../../commerce/connector/parts.ts'
import { type Fields, fieldsIn, fieldsOf, idIn, isFields, maybeFields, recordsIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { cancelShipmentOnce, captureOnce, changeOnce } from '../../../commerce/wire/change-once.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask, change } from '../ask.ts'
import { moveMutation, noteMutation, notesQuery, settleMutation } from '../documents/orders.ts'
import { getOrder } from '../orders.ts'
import type { Credentials, Settings, VendureShop } from '../settings.ts'
import { toOrder } from '../translate-order.ts'

const read = { get: getOrder, translate: toOrder }

export const cancelShipment = cancelShipmentOnce(read, (shop: VendureShop, { remote_id: id }) =>
  change(shop, 'transitionFulfillmentToState', moveMutation, { id, state: 'Cancelled' }),
)

/** Nothing holds an order back there but a state of the shop's own making. */
export const orderChanges: Pick<Orders<Settings, Credentials>, 'annotate' | 'capture'> = {
  annotate: {
    notes: true,
    tags: false,
    ...changeOnce(read, {
      async send(shop, { order_remote_id: id, note }) {
        if (!note || (await notesOf(shop, id)).includes(note)) return
        await change(shop, 'addNoteToOrder', noteMutation, { input: { id, note, isPublic: false } })
      },
      shows: async ({ remote_id: id }, { note }, shop) => !note || (await notesOf(shop, id)).includes(note),
    }),
  },
  capture: captureOnce(read, async (shop, { order_remote_id: id }) => {
    const order = await getOrder(shop, id)
    const payments = recordsIn({ rows: order?.['payments'] ?? [] }, 'rows').filter(
      ({ state }) => state === 'Authorized',
    )
    if (payments.length === 0) throw refused(say('no_payment_authorised'))
    for (const payment of payments) await change(shop, 'settlePayment', settleMutation, { id: idIn(payment, 'id') })
  }),
}

async function notesOf(shop: VendureShop, id: string): Promise<string[]> {
  const order = maybeFields(await ask(shop, notesQuery, { id }), 'order')
  const items: readonly Fields[] = order ? recordsIn(fieldsIn(order, 'history'), 'items') : []
  return items.flatMap(({ data }) => (isFields(data) ? [String(fieldsOf(data)['note'])] : []))
}
