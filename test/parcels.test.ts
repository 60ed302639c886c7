import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderStatusOf, type RemoteOrder } from '../src/commerce/order.ts'
import { leftToSend } from '../src/commerce/rules/left-to-send.ts'
import { contentErrors, whyNotCancel, whyNotShip } from '../src/commerce/rules/order-guards.ts'
import type { Shop } from '../src/commerce/shop.ts'
import { textsOf } from '../src/lib/fault.ts'
import { type ConformanceShop, openConformance } from './support/conformance-shops.ts'
import { hasSpecifications, noSpecifications } from './support/vendor-specification.ts'

/** Parcels and cancellations on every connector: what it promises, or says that its platform cannot do. */

const tried = await openConformance()

const reasons: Readonly<Record<string, unknown>> = {
  UNPAID: expect.stringMatching(/has not been paid|payment of the order has/),
  ON_HOLD: expect.stringContaining('on hold'),
  REFUNDED: expect.stringContaining('refunded'),
  CANCELLED: expect.stringContaining('cancelled'),
}

const unwanted = 'The buyer has asked for the order to be cancelled. Set force to do it anyway.'

describe.each(tried)('the connector $type', ({ connector, stands }) => {
  const { orders, shipments, acknowledgement } = connector
  if (!orders || !shipments) {
    test('tells of no parcels, and offers none', () => expect(shipments).toBeUndefined())
    return
  }

  describe.each(Object.entries(stands))('on %s', (_, build) => {
    let stand: ConformanceShop
    let shop: Shop
    beforeAll(async () => {
      stand = await build()
      shop = stand.shop
    })
    afterAll(() => stand.close())

    const read = async (id: string): Promise<RemoteOrder> => orders.translate(await orders.get(shop, id), shop)
    const piecesOf = ({ lines }: RemoteOrder) => lines.reduce((sum, { quantity }) => sum + quantity, 0)

    /** An order of several pieces that may be sent. */
    async function severalPieces(): Promise<RemoteOrder> {
      for (let tries = 0; tries < 30; tries++) {
        const id = await stand.openOrder()
        const order = await read(id)
        if (piecesOf(order) < 2) continue
        await acknowledgement?.send(shop, { remoteIds: [id] }, { id: `parcels-ack-${id}` })
        return order
      }
      throw new Error('No order has several pieces.')
    }

    const send = (order: RemoteOrder, number: string, lines?: { order_line_remote_id: string; quantity: number }[]) =>
      shipments.create.send(
        shop,
        { order_remote_id: order.remote_id, tracking_number: number, carrier: 'UPS', ...(lines && { lines }) },
        { id: `${order.remote_id} ${number}` },
      )
    const wanted = (lines?: { order_line_remote_id: string; quantity: number }[]) => ({
      tracking_number: 'NEW1',
      ...(lines && { lines }),
    })
    const about = { field: 'lines', partial: shipments.partial }

    test('an order is sent in parts, and the last part completes it; or only as a whole', async () => {
      const order = await severalPieces()
      expect([whyNotShip(order), whyNotCancel(order)]).toEqual([null, null])
      const part = [{ order_line_remote_id: order.lines[0]?.remote_id ?? '', quantity: 1 }]
      if (!shipments.partial) {
        expect(textsOf(contentErrors(order, wanted(part), about))).toEqual({
          lines: [expect.stringContaining('as a whole')],
        })
        return
      }
      expect(contentErrors(order, wanted(part), about)).toEqual({})
      await send(order, 'PART1', part)
      const half = await read(order.remote_id)
      // A service that is described need not report its parcels: there the status of the order is all that is known.
      if (half.shipments.length === 0) {
        expect(connector.type).toMatch(/^described-/)
        await send(order, 'PART2')
        return expect(orderStatusOf(await read(order.remote_id))).toBe('SHIPPED')
      }
      expect([orderStatusOf(half), half.fulfillment_status]).toEqual(['PENDING', 'partial'])
      expect(whyNotCancel(half)?.text).toContain('Part of the order')
      const left = leftToSend(
        half.lines,
        half.shipments.map((parcel) => parcel.lines),
      )
      const rest = left.flatMap(({ line, left: quantity }) =>
        quantity > 0 ? [{ order_line_remote_id: line.remote_id, quantity }] : [],
      )
      expect(rest.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(piecesOf(order) - 1)
      await send(order, 'PART2', rest)
      const whole = await read(order.remote_id)
      expect([orderStatusOf(whole), whole.fulfillment_status]).toEqual(['SHIPPED', 'fulfilled'])
      expect(textsOf(contentErrors(whole, wanted(), about))).toEqual({
        lines: ['Nothing in the order is left to ship.'],
      })
      expect(stand.doubles?.() ?? stand.simulator?.doubles() ?? []).toEqual([])
    })

    test('what the shop holds as unpaid, on hold, refunded or cancelled is not to be shipped, and nothing else is held back', async () => {
      const seen = new Set<string>()
      for (let cursor: string | null = null, pages = 0; pages < 100; pages++) {
        const page = await orders.list(shop, { updatedSince: null, statuses: [], cursor, limit: 20 })
        for (const raw of page.items) {
          const order = orders.translate(raw, shop)
          const status = orderStatusOf(order)
          seen.add(status)
          expect([order.remote_id, status, whyNotShip(order)?.text ?? null]).toEqual([
            order.remote_id,
            status,
            reasons[status] ?? (order.cancel_requested ? unwanted : null),
          ])
        }
        cursor = page.next
        if (cursor === null) break
      }
      expect([...seen]).toEqual(expect.arrayContaining(['PENDING', 'CANCELLED']))
    })

    test('lines that the order does not have, and more than is left, are found out', async () => {
      const order = await severalPieces()
      const [line] = order.lines
      const id = line?.remote_id ?? ''
      const unknown = contentErrors(order, wanted([{ order_line_remote_id: '999999', quantity: 1 }]), about)
      expect(Object.keys(unknown)).toEqual(['lines.0.order_line_remote_id'])
      const more = contentErrors(order, wanted([{ order_line_remote_id: id, quantity: 9999 }]), about)
      expect(Object.keys(more)).toEqual(['lines.0.quantity'])
    })

    test('an order that was cancelled or sent in the meantime is seen as such', async () => {
      if (orders.cancel) {
        const gone = await stand.openOrder('cancel')
        await orders.cancel.send(
          shop,
          { remoteId: gone, reason: null, notifyCustomer: false },
          { id: `cancel ${gone}` },
        )
        const cancelled = await read(gone)
        expect([whyNotShip(cancelled)?.text, whyNotCancel(cancelled)]).toEqual([
          expect.stringContaining('cancelled'),
          null,
        ])
      }
      const order = await severalPieces()
      await send(order, 'WHOLE1')
      expect(whyNotCancel(await read(order.remote_id))?.text).toContain('already been shipped')
    })

    test('number, carrier and link of a parcel can be corrected, or the platform cannot do it', async () => {
      if (!shipments.amend) return expect(connector.shipments).not.toHaveProperty('amend')
      const order = await severalPieces()
      const sent = await send(order, 'WRONG1')
      const amendment = {
        order_remote_id: order.remote_id,
        remote_id: sent.remote_id,
        previous_tracking_number: 'WRONG1',
        tracking_number: 'RIGHT1',
        carrier: 'DHL',
        tracking_url: 'https://dhl.example/RIGHT1',
        lines: sent.lines,
        notify_customer: false,
      }
      for (const _ of [1, 2]) {
        const amended = await shipments.amend.send(shop, amendment, { id: `amend ${order.remote_id}` })
        expect(amended).toMatchObject({ tracking_number: 'RIGHT1' })
      }
      const { shipments: parcels } = await read(order.remote_id)
      expect(new Set(parcels.map((parcel) => parcel.tracking_number))).toEqual(new Set(['RIGHT1']))
      expect(stand.doubles?.() ?? stand.simulator?.doubles() ?? []).toEqual([])
      await expect(
        shipments.amend.send(
          shop,
          { ...amendment, remote_id: null, previous_tracking_number: 'NONE1', tracking_number: 'NONE2', lines: [] },
          { id: 'none' },
        ),
      ).rejects.toMatchObject({ kind: 'upstream_refused' })
    })

    // The last one: it judges every exchange of those above.
    test('nothing was said that the official specification does not know', (context) => {
      if (!stand.platform) return
      if (!hasSpecifications) return context.skip(noSpecifications)
      expect([...new Set(stand.violations?.())]).toEqual([])
    })
  })
})
