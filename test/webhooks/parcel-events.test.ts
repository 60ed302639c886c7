import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '../../src/domain/context.ts'
import { upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import type { SyncedParcel } from '../../src/domain/orders/parcels/parcel.ts'
import { recordShipment } from '../../src/domain/shipments/record-shipment.ts'
import { shipmentsOfOrders } from '../../src/domain/shipments/shipment-list-store.ts'
import { createSubscription } from '../../src/domain/webhooks/create-subscription.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { eventsDuring, typesOf } from '../support/event-watch.ts'
import { makeIntegration } from '../support/gateway.ts'
import { makeApp } from '../support/identity.ts'
import { incomingOrder } from '../support/orders.ts'
import { openWebhookLab, type WebhookLab } from '../support/webhook-lab.ts'

let lab: WebhookLab

beforeAll(async () => {
  lab = await openWebhookLab()
  await lab.subscribe('http://127.0.0.1:9/hook')
})
afterAll(() => lab.close())

const during = (work: () => Promise<unknown>, whose?: Parameters<typeof eventsDuring>[2]) =>
  eventsDuring(lab, work, whose)

describe('parcels that a shop tells with its orders', () => {
  const incoming = (changes: Partial<SyncedParcel> = {}): SyncedParcel => ({
    remote_id: 'F1',
    tracking_number: 'T1',
    carrier: 'Post',
    tracking_url: null,
    status: 'SHIPPED',
    items: [],
    shipped_at: null,
    ...changes,
  })
  const noParcel = {
    status: 'shipped' as const,
    carrier_code: null,
    carrier_name: null,
    service: null,
    tracking_number: null,
    tracking_url: null,
    shipped_at: null,
    delivered_at: null,
    location_remote_id: null,
    lines: [],
  }
  let version = 100
  const tell = async (remoteId: string, ...parcels: SyncedParcel[]) => {
    const { context, integration } = lab
    const ids = await takeIds(context.db, 'orders', 1)
    const order = incomingOrder(remoteId, { remote_version: String(++version), parcels })
    await context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders: [order] }))
  }

  test('are told behind their order: when they come, when they change, and not otherwise', async () => {
    const second = incoming({ remote_id: 'F2', tracking_number: null })
    const made = await during(() => tell('parcels', incoming(), second))
    expect(typesOf(made)).toEqual(['order.created', 'shipment.created', 'shipment.created'])
    expect(new Set(made.map(({ subject }) => subject)).size).toBe(1)
    expect(made[2]?.data).toMatchObject({ remote_id: 'F2', tracking_number: null, previous_status: null })
    expect(typesOf(await during(() => tell('parcels', incoming(), second)))).toEqual(['order.updated'])
    const arrived = await during(() => tell('parcels', incoming({ status: 'DELIVERED' }), second))
    expect(typesOf(arrived)).toEqual(['order.updated', 'shipment.updated'])
    expect(arrived[1]?.data).toMatchObject({ status: 'DELIVERED', previous_status: 'SHIPPED', tracking_number: 'T1' })
  })

  /** A shop that takes our parcels and calls them so. */
  function takenAs(remoteId: string): Context {
    const { context } = lab
    const known = context.connectors.get('sandbox')
    if (!known?.shipments) throw new Error('The sandbox takes parcels.')
    const answer = { ...noParcel, remote_id: remoteId }
    const create = { repeatable: true as const, send: async () => answer }
    const shipments = { ...known.shipments, create }
    const { orders: _unread, ...others } = known
    return { ...context, connectors: new Map(context.connectors).set('sandbox', { ...others, shipments }) }
  }

  const orderId = async (remoteId: string) => {
    const { id } = await lab.context.db
      .selectFrom('orders')
      .select('id')
      .where('integration_id', '=', lab.integration.id)
      .where('remote_id', '=', remoteId)
      .executeTakeFirstOrThrow()
    return id
  }

  test('are told once where we have told the shop of them', async () => {
    await tell('ours')
    const parcel = { order_id: await orderId('ours'), tracking_number: 'T9', carrier: 'Post' }
    const made = await during(() => recordShipment(takenAs('F9'), lab.integration, parcel))
    expect(typesOf(made)).toEqual(['shipment.created', 'order.updated'])
    expect(made[0]?.data).toMatchObject({ remote_id: 'F9', tracking_number: 'T9' })
    const back = await during(() => tell('ours', incoming({ remote_id: 'F9', tracking_number: 'T9' })))
    expect(typesOf(back)).toEqual(['order.updated'])
  })

  test('that had no number and get ours stay one', async () => {
    await tell('numberless', incoming({ remote_id: 'F5', tracking_number: null }))
    const order_id = await orderId('numberless')
    const parcel = { order_id, tracking_number: 'T5', carrier: 'Post' }
    const made = await during(() => recordShipment(takenAs('F5'), lab.integration, parcel))
    expect(typesOf(made)).toEqual(['shipment.updated', 'order.updated'])
    const back = await during(() => tell('numberless', incoming({ remote_id: 'F5', tracking_number: 'T5' })))
    expect(typesOf(back)).toEqual(['order.updated'])
    const rows = await shipmentsOfOrders(lab.context.db, lab.integration.id, [order_id])
    expect(rows).toMatchObject([{ remote_id: 'F5', tracking_number: 'T5' }])
  })

  test('are not told if nobody listens to parcels', async () => {
    const { context } = lab
    const appId = await makeApp(context, {})
    const { integration } = await makeIntegration(context, { appId })
    await createSubscription(
      context,
      { appId, integrationId: null },
      { url: 'http://127.0.0.1:9/', events: ['order.created'] },
    )
    const ids = await takeIds(context.db, 'orders', 1)
    const orders = [incomingOrder('1', { parcels: [incoming()] })]
    const work = () => context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
    const made = await during(work, { app_id: appId })
    expect(typesOf(made)).toEqual(['order.created'])
  })
})
