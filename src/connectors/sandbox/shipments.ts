import type { Shipments } from '../../commerce/connector/parts.ts'
import { bodyOf } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { isAmended } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { write } from './pages.ts'
import type { Credentials, Settings } from './settings.ts'
import { toOrder, toShipment } from './translate-order.ts'

export const shipments: Shipments<Settings, Credentials> = {
  partial: true,
  create: {
    repeatable: true,
    send: async (shop, draft, operation) => {
      const path = `/orders/${encodeURIComponent(draft.order_remote_id)}/shipments`
      return toShipment(await write(shop, 'POST', path, draft, operation))
    },
  },
  amend: {
    repeatable: true,
    send: async (shop, amendment, operation) => {
      const path = `/orders/${encodeURIComponent(amendment.order_remote_id)}`
      const parcel = toOrder(bodyOf(await shop.remote.request({ method: 'GET', path }))).shipments.find((one) =>
        isAmended(amendment, one),
      )
      if (!parcel?.remote_id) throw refused(say('no_such_shipment'))
      const { tracking_number, carrier, tracking_url } = amendment
      const body = { tracking_number, carrier, tracking_url }
      return toShipment(await write(shop, 'PUT', `${path}/shipments/${parcel.remote_id}`, body, operation))
    },
  },
}
