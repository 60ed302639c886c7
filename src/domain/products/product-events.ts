import type { Db } from '../../runtime/db/connection.ts'
import { emitOf } from '../events/emit-events.ts'
import { type EventType, newEvent } from '../events/event.ts'

export interface ProductChange {
  type: 'product.created' | 'product.updated' | 'product.deleted'
  product: {
    id: number
    remote_id: string | null
    sku: string
    name: string
    price: string
    currency: string
    quantity: number | null
    active: boolean
    updated_at: string
  }
}

const types = ['product.created', 'product.updated', 'product.deleted'] as const satisfies readonly EventType[]

/** Emits events of products in the transaction that changed them; `changeOf` is asked only if anybody listens. */
export const emitProducts = <Row>(
  trx: Db,
  integrationId: number,
  rows: readonly Row[],
  changeOf: (row: Row) => ProductChange | null,
): Promise<void> =>
  emitOf(trx, integrationId, types, rows, (row) => {
    const change = changeOf(row)
    if (!change) return []
    const { type, product } = change
    return [
      newEvent(
        type,
        { integrationId },
        {
          subject: `product:${integrationId}:${product.id}`,
          data: {
            id: product.id,
            integration_id: integrationId,
            remote_id: product.remote_id,
            sku: product.sku,
            name: product.name,
            price: product.price,
            currency: product.currency,
            quantity: product.quantity,
            active: product.active,
            updated_at: product.updated_at,
            href: `/api/2.0/app/products/${product.id}?integration_id=${integrationId}`,
          },
        },
      ),
    ]
  })
