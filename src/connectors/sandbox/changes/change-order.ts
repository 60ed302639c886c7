import { type CaptureStanding, showsTags } from '../../../commerce/changes/order-change.ts'
import type { Orders } from '../../../commerce/connector/parts.ts'
import { fromMinorUnits, toMinorUnits } from '../../../commerce/money.ts'
import { arrayIn, bodyOf, type Fields, fieldsOf, numberIn, textIn } from '../../../commerce/reading.ts'
import {
  cancelShipmentOnce,
  captureOnce,
  changeOnce,
  holdOnce,
  readOrder,
  releaseOnce,
} from '../../../commerce/wire/change-once.ts'
import { readOne, writeOnce } from '../pages.ts'
import type { Credentials, SandboxShop, Settings } from '../settings.ts'
import { toOrder } from '../translate-order.ts'

const read = { get: readOne('/orders'), translate: toOrder }

const pathOf = (id: string) => `/orders/${encodeURIComponent(id)}`

export const cancelShipment = cancelShipmentOnce(read, async ({ remote }: SandboxShop, parcel, order) =>
  bodyOf(await remote.request({ method: 'DELETE', path: `${pathOf(order.remote_id)}/shipments/${parcel.remote_id}` })),
)

function standingOf(order: Fields): CaptureStanding {
  const currency = textIn(order, 'currency')
  const captured = numberIn({ captured: 0, ...order }, 'captured')
  const [left, taken] = [numberIn(order, 'total') - captured, captured].map(
    (units) => fromMinorUnits(units, currency).amount,
  )
  return { reserved: left ?? '0', captured: taken ?? '0', currency }
}

type Changes = Pick<Orders<Settings, Credentials>, 'annotate' | 'hold' | 'release' | 'capture'>

export const orderChanges: Changes = {
  annotate: {
    notes: true,
    tags: true,
    ...changeOnce(read, {
      send: (shop, { order_remote_id: id, ...body }, operation) =>
        writeOnce(shop, `${pathOf(id)}/annotate`, body, operation),
      shows: (order, wanted) =>
        showsTags(order, wanted) && (!wanted.note || arrayIn(fieldsOf(order.raw), 'staff_notes').includes(wanted.note)),
    }),
  },
  hold: holdOnce(read, (shop, { order_remote_id: id, reason = null }, operation) =>
    writeOnce(shop, `${pathOf(id)}/hold`, { reason }, operation),
  ),
  release: releaseOnce(read, (shop, { order_remote_id: id }, operation) =>
    writeOnce(shop, `${pathOf(id)}/release`, {}, operation),
  ),
  capture: captureOnce(
    read,
    async (shop, { order_remote_id: id, amount }, operation) => {
      const { currency } = await readOrder(read, shop, id)
      const body = amount == null ? {} : { amount: toMinorUnits({ amount, currency }) }
      return await writeOnce(shop, `${pathOf(id)}/capture`, body, operation)
    },
    async (shop, id) => standingOf(fieldsOf((await readOrder(read, shop, id)).raw)),
  ),
}
