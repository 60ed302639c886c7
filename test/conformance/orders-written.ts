import { Value } from 'typebox/value'
import { expect, onTestFinished } from 'vitest'
import { actionsOf } from '../../src/commerce/action.ts'
import { capabilitiesOf } from '../../src/commerce/capabilities.ts'
import { remoteOrderSchema } from '../../src/commerce/order.ts'
import { remoteShipmentSchema } from '../../src/commerce/shipment.ts'
import { draftFor } from '../support/conformance-shops.ts'
import { confirmed, doublesIn, type Tried } from './tried.ts'

/** Orders that we make, acknowledge, cancel and send. */
export function ordersAreChanged({ connector, at, writing }: Tried): void {
  writing('orders are made, and found again', async () => {
    const { shop, stand } = at()
    const { orders } = connector
    if (!orders?.create) return expect(actionsOf(connector)).not.toContain('create_order')
    const operation = { id: `conformance-create ${crypto.randomUUID()}` }
    const draft = await draftFor(connector, shop)
    expect(await confirmed(orders.create, shop, draft, operation)).toBeNull()
    const made = await orders.create.send(shop, draft, operation).catch((error: unknown) => error)
    if (made instanceof Error) return expect(made).toMatchObject({ kind: 'upstream_refused' })
    const order = Value.Parse(remoteOrderSchema, made)
    onTestFinished(() => stand.remove('order', order.remote_id))
    expect(order).toMatchObject({ currency: draft.currency, note: 'Ring twice.' })
    expect(Number(order.total.amount) - Number(order.tax_total.amount)).toBeCloseTo(24, 2)
    expect(reread(order, orders.translate(await orders.get(shop, order.remote_id), shop))).toBe(true)
    const found = await confirmed(orders.create, shop, draft, operation)
    if (found) expect(found).toMatchObject({ remote_id: order.remote_id })
    // What cannot be repeated is asked after instead, and never sent again.
    if (orders.create.repeatable)
      expect(await orders.create.send(shop, draft, operation)).toMatchObject({ remote_id: order.remote_id })
  })

  writing('what is said of shipping, tax and payment is in the order that was made', async () => {
    const { shop, stand } = at()
    const { orders } = connector
    if (!orders?.create || !orders.takes) return expect(capabilitiesOf(connector).order_choices).toEqual([])
    const draft = await draftFor(connector, shop)
    const all = {
      shipping_method: 'By boat',
      shipping_total: '7.50',
      tax_total: '3.33',
      prices_include_tax: false,
      paid: false,
    }
    const wanted = Object.fromEntries(orders.takes.map((field) => [field, all[field]]))
    const operation = { id: `conformance-choices ${crypto.randomUUID()}` }
    const order = await orders.create.send(shop, { ...draft, ...wanted }, operation)
    onTestFinished(() => stand.remove('order', order.remote_id))
    const told = {
      ...order,
      paid: order.payment_status !== 'pending',
      shipping_total: order.shipping_total.amount,
      tax_total: order.tax_total.amount,
    }
    expect(told).toMatchObject(wanted)
    expect(Number(order.total.amount)).toBeCloseTo(
      24 + Number(wanted['shipping_total'] ?? 0) + Number(order.tax_total.amount),
      2,
    )
  })

  writing('orders are acknowledged, cancelled and sent, and twice does no harm', async () => {
    const { shop, stand } = at()
    const { orders, shipments, acknowledgement } = connector
    const [sent, gone] = [await stand.openOrder(), await stand.openOrder('cancel')]
    const acknowledged = await acknowledgement?.send(shop, { remoteIds: [sent] }, { id: 'conformance-ack' })
    if (acknowledged) expect(acknowledged).toEqual([{ remoteId: sent, ok: true, error: null }])
    const cancel = () => orders?.cancel?.send(shop, { remoteId: gone, reason: null }, { id: 'conformance-cancel' })
    for (const _ of orders?.cancel ? [1, 2] : [])
      expect(await cancel()).toMatchObject({ remote_id: gone, status: 'cancelled' })
    if (!shipments || !orders) return expect(actionsOf(connector)).not.toContain('create_shipment')
    const draft = { order_remote_id: sent, tracking_number: 'CONFORM-1', carrier: 'DHL' }
    const operation = { id: 'conformance-ship' }
    expect(await confirmed(shipments.create, shop, draft, operation)).toBeNull()
    const parcel = await shipments.create.send(shop, draft, operation)
    expect([...Value.Errors(remoteShipmentSchema, parcel)]).toEqual([])
    const found = await confirmed(shipments.create, shop, draft, operation)
    if (found) expect(found).toEqual(parcel)
    expect(orders.translate(await orders.get(shop, sent), shop)).toMatchObject({ status: 'completed' })
    await expect(
      shipments.create.send(shop, { ...draft, order_remote_id: 'no-such-id' }, { id: 'none' }),
    ).rejects.toMatchObject({ kind: 'upstream_refused' })
    expect(doublesIn(stand)).toEqual([])
  })

  if (connector.acknowledgement?.clock) {
    const { orders, acknowledgement } = connector
    const { hours, runsIn } = connector.acknowledgement.clock

    writing('the clock runs until an order is acknowledged', async () => {
      const { shop, stand } = at()
      const remoteId = await stand.openOrder()
      const runs = async () => {
        const word = orders?.translate(await orders.get(shop, remoteId), shop).remote_status
        return runsIn.some((running) => running === word)
      }
      expect([Number.isInteger(hours) && hours > 0, await runs()]).toEqual([true, true])
      await acknowledgement.send(shop, { remoteIds: [remoteId] }, { id: 'conformance-clock' })
      expect(await runs()).toBe(false)
    })
  }
}

const reread = (one: { remote_id: string; number: string }, other: { remote_id: string; number: string }) =>
  one.remote_id === other.remote_id && one.number === other.number
