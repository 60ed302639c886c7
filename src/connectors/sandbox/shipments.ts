import type { Shipments } from '../../commerce/connector.ts'
import { write } from './pages.ts'
import type { Credentials, Settings } from './settings.ts'
import { toShipment } from './translate-order.ts'

export const shipments: Shipments<Settings, Credentials> = {
  partial: true,
  create: {
    repeatable: true,
    send: async (shop, draft, operation) => {
      const path = `/orders/${encodeURIComponent(draft.order_remote_id)}/shipments`
      return toShipment(await write(shop, 'POST', path, draft, operation))
    },
  },
}
