import type { Db } from '../../../runtime/db/connection.ts'
import { emitOf } from '../../events/emit-events.ts'
import { type EventType, newEvent } from '../../events/event.ts'
import type { HeldParcel } from './parcel.ts'

export interface ParcelChange {
  parcel: Omit<HeldParcel, 'tracking_url' | 'items' | 'shipped_at'> & {
    integration_id: number
    order_id: number
    updated_at: string
  }
  /** Its status before; null for a parcel that was not there. */
  was: string | null
}

const types = ['shipment.created', 'shipment.updated'] as const satisfies readonly EventType[]

/** Part of the transaction that writes the parcels down. Their events are in line with those of their orders. */
export const emitParcels = (trx: Db, integrationId: number, changes: readonly ParcelChange[]): Promise<void> =>
  emitOf(trx, integrationId, types, changes, ({ parcel, was }) => [
    newEvent(
      was === null ? 'shipment.created' : 'shipment.updated',
      { integrationId },
      {
        subject: `order:${integrationId}:${parcel.order_id}`,
        data: {
          id: parcel.id,
          integration_id: integrationId,
          order_id: parcel.order_id,
          remote_id: parcel.remote_id,
          tracking_number: parcel.tracking_number,
          carrier: parcel.carrier,
          status: parcel.status,
          previous_status: was,
          updated_at: parcel.updated_at,
          href: `/api/2.0/app/orders/${parcel.order_id}?integration_id=${integrationId}`,
        },
      },
    ),
  ])
