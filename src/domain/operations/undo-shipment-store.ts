import { sql } from 'kysely'
import type { ShipmentAmendment } from '../../commerce/shipment.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { shipmentPlan } from './operation.ts'

interface Undone {
  order_remote_id: string
  /** The shop’s id of the parcel, where it is known. */
  remote_id?: string | null | undefined
  /** What it was called before. */
  numbers: readonly string[]
  /** Numbers under which the shop has a parcel of the order all the same. */
  standing: readonly string[]
}

/**
 * A parcel is sent to the shop once, until it is taken back or gets another number there: then whoever sends one under the
 * number that it had means another. Part of the transaction that settles the change.
 */
export async function undoShipment(
  trx: Db,
  integrationId: number,
  { order_remote_id, remote_id = null, numbers, standing }: Undone,
): Promise<void> {
  const keys = (of: readonly string[]) =>
    sql`any(${of.map((tracking_number) => shipmentPlan({ order_remote_id, tracking_number }).key)}::text[])`
  await sql`
    update operations set undone_generation = case when key = ${keys(standing)} then null else generation end
    where integration_id = ${integrationId} and kind = 'create_shipment' and status = 'confirmed'
      and input ->> 'order_remote_id' = ${order_remote_id}
      and (key = ${keys(numbers)} or result ->> 'remote_id' = ${remote_id})`.execute(trx)
}

/** The shop has the parcel under its new number only. */
export const settleAmendment = (
  trx: Db,
  integrationId: number,
  { order_remote_id, remote_id, previous_tracking_number: previous, tracking_number }: ShipmentAmendment,
): Promise<void> =>
  undoShipment(trx, integrationId, {
    ...{ order_remote_id, remote_id },
    numbers: previous == null ? [] : [previous],
    standing: [tracking_number],
  })
