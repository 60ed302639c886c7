import { showsTags } from '../../../commerce/changes/order-change.ts'
import type { Orders } from '../../../commerce/connector/parts.ts'
import { arrayIn, bodyOf, fieldsOf } from '../../../commerce/reading.ts'
import {
  cancelShipmentOnce,
  captureOnce,
  changeOnce,
  holdOnce,
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
  capture: captureOnce(read, (shop, { order_remote_id: id }, operation) =>
    writeOnce(shop, `${pathOf(id)}/capture`, {}, operation),
  ),
}
