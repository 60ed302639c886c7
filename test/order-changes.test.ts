import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capabilitiesOf } from '../src/commerce/capabilities.ts'
import {
  annotationErrors,
  cancelledParcels,
  isCaptured,
  partErrors,
  shipmentCancellationErrors,
  whyNotCapture,
  whyNotHold,
} from '../src/commerce/changes/order-change.ts'
import type { Write } from '../src/commerce/connector/parts.ts'
import type { RawPage } from '../src/commerce/connector/reads.ts'
import { minus, sum, times } from '../src/commerce/decimal.ts'
import { digitsOf } from '../src/commerce/money.ts'
import type { RemoteOrder } from '../src/commerce/order.ts'
import { isOff, leftToSend } from '../src/commerce/rules/left-to-send.ts'
import { whyNotShip } from '../src/commerce/rules/order-guards.ts'
import type { AnyFields, Shop } from '../src/commerce/shop.ts'
import { textsOf } from '../src/lib/fault.ts'
import { type ConformanceShop, openConformance } from './support/conformance-shops.ts'
import { onRealStores } from './support/given-stores.ts'
import { hasSpecifications, noSpecifications } from './support/vendor-specification.ts'

/** What is done to orders besides parcels and refunds, on every connector: what it promises, or says that its platform cannot do. */

const tried = await openConformance()

/** Who can; whoever is not listed cannot. */
const can = {
  cancel_shipment: /^(bigcommerce|sandbox|shopify|vendure|wix|woocommerce)$/,
  annotate_order: /^(bigcommerce|magento|sandbox|shopify|vendure|woocommerce)$/,
  hold_order: /^(bigcommerce|magento|sandbox|shopify|woocommerce)$/,
  release_order: /^(bigcommerce|magento|sandbox|shopify|woocommerce)$/,
  capture_payment: /^(bigcommerce|magento|medusa|sandbox|shopify|vendure)$/,
} as const
const tags = /^(sandbox|shopify)$/
const parts = /^(medusa|sandbox|shopify)$/

describe.each(tried)('the connector $type', ({ type, connector, stands }) => {
  const { orders, shipments } = connector
  const capabilities = capabilitiesOf(connector)

  test.each(Object.entries(can))('says whether it offers %s', (name, who) => {
    expect(capabilities.actions.some((action) => action === name)).toBe(who.test(type))
  })

  test('says in its capabilities what the platform keeps', () => {
    const { cancel_shipments: cancels, order_notes: notes, order_tags: tagged, capture_parts: inParts } = capabilities
    expect([cancels, notes, tagged, inParts]).toEqual([
      can.cancel_shipment.test(type),
      can.annotate_order.test(type),
      tags.test(type),
      parts.test(type),
    ])
  })
  if (!orders || onRealStores || !Object.values(can).some((who) => who.test(type))) return
  const reading = orders

  describe.each(Object.entries(stands))('on %s', (_, build) => {
    let stand: ConformanceShop
    let shop: Shop
    beforeAll(async () => {
      stand = await build()
      shop = stand.shop
    })
    afterAll(() => stand.close())

    const read = async (id: string): Promise<RemoteOrder> => orders.translate(await orders.get(shop, id), shop)
    const doubles = () => stand.doubles?.() ?? stand.simulator?.doubles() ?? []
    /** What a test did twice on purpose. */
    let meant: readonly unknown[] = []
    const noDoubles = () => expect(doubles()).toEqual(meant)

    async function orderWith(fits: (order: RemoteOrder) => boolean): Promise<RemoteOrder> {
      for (let cursor: string | null = null, pages = 0; pages < 100; pages++) {
        const page: RawPage = await reading.list(shop, { updatedSince: null, statuses: [], cursor, limit: 50 })
        const found = page.items.map((raw) => reading.translate(raw, shop)).find(fits)
        if (found) return await read(found.remote_id)
        cursor = page.next
        if (cursor === null) break
      }
      throw new Error('There is no such order.')
    }

    /** Sent once, found again afterwards, and not before. */
    async function once<Wanted>(
      write: Write<AnyFields, AnyFields, Wanted, RemoteOrder>,
      wanted: Wanted,
    ): Promise<RemoteOrder> {
      const operation = { id: `change ${crypto.randomUUID()}` }
      if (write.repeatable) throw new Error('After a lost answer the shop is asked.')
      expect(await write.confirm(shop, wanted, operation)).toBeNull()
      const after = await write.send(shop, wanted, operation)
      const found = await write.confirm(shop, wanted, operation)
      expect(found).toMatchObject({ remote_id: after.remote_id, status: after.status, tags: after.tags })
      return after
    }

    if (shipments?.cancel) {
      const { create, cancel } = shipments

      test('a shipment is taken back: its goods are to be sent again, under another number', async () => {
        const id = await stand.openOrder()
        const draft = { order_remote_id: id, tracking_number: `BACK-${id}`.slice(-40), carrier: 'UPS' }
        await create.send(shop, draft, { id: `send ${id}` })
        const sent = await read(id)
        const wanted = { order_remote_id: id, tracking_number: draft.tracking_number }
        const asking = { force: false, field: 'order_remote_id' }
        expect(shipmentCancellationErrors(sent, wanted, asking)).toEqual({})
        expect(cancelledParcels(sent, wanted).length).toBeGreaterThan(0)
        const after = await once(cancel, wanted)
        expect(cancelledParcels(after, wanted)).toEqual([])
        expect(Object.keys(shipmentCancellationErrors(after, wanted, asking))).toEqual(['tracking_number'])
        const left = (order: RemoteOrder) =>
          leftToSend(
            order.lines,
            order.shipments.filter((one) => !isOff(one)).map((one) => one.lines),
          ).reduce((sum, line) => sum + line.left, 0)
        expect([left(sent), left(after) > 0]).toEqual([0, true])
        expect([after.status, whyNotShip(after)]).toEqual(['open', null])
        noDoubles()
        await create.send(shop, { ...draft, tracking_number: `AGAIN-${id}`.slice(-40) }, { id: `again ${id}` })
        expect(await read(id)).toMatchObject({ status: 'completed' })
        meant = doubles()
      })
    }

    if (orders.annotate) {
      const { annotate } = orders

      test('a note for the people at the shop is written once, and what was there stays', async () => {
        const before = await read(await stand.openOrder())
        const wanted = { order_remote_id: before.remote_id, note: 'Customer called: ring twice.' }
        const other = { order_remote_id: before.remote_id, note: 'And leave it with the neighbour.' }
        expect(annotationErrors(wanted, annotate)).toEqual({})
        await once(annotate, wanted)
        await once(annotate, other)
        if (annotate.repeatable) return
        expect(await annotate.confirm(shop, wanted, { id: 'still there' })).not.toBeNull()
        await annotate.send(shop, wanted, { id: 'again' })
        const after = await read(before.remote_id)
        expect([after.status, after.lines, after.total]).toEqual([before.status, before.lines, before.total])
        if (before.note) expect(after.note).toContain(before.note)
        noDoubles()
      })

      test('tags are added and removed, where the platform has them', async () => {
        const before = await read(await stand.openOrder())
        const wanted = { order_remote_id: before.remote_id, add_tags: ['gift', 'vip'] }
        if (!annotate.tags) {
          const refusal = textsOf(annotationErrors(wanted, annotate))
          return expect(refusal).toEqual({ add_tags: ['This platform keeps no tags of orders.'] })
        }
        const tagged = await once(annotate, wanted)
        expect(tagged.tags).toEqual(expect.arrayContaining([...before.tags, 'gift', 'vip']))
        const after = await once(annotate, { order_remote_id: before.remote_id, remove_tags: ['vip'] })
        expect(after.tags.toSorted()).toEqual([...before.tags, 'gift'].sort())
        noDoubles()
      })
    }

    if (orders.hold && orders.release) {
      const { hold, release } = orders

      test('an order is put on hold and let go again', async () => {
        const before = await read(await stand.openOrder())
        const wanted = { order_remote_id: before.remote_id, reason: 'Address to be checked' }
        expect([before.status, whyNotHold(before)]).toEqual(['open', null])
        const held = await once(hold, wanted)
        expect([held.status, whyNotShip(held)?.text]).toEqual(['on_hold', expect.stringContaining('on hold')])
        const released = await once(release, { order_remote_id: before.remote_id })
        expect([released.status, whyNotShip(released)]).toEqual(['open', null])
        noDoubles()
      })
    }

    if (orders.capture) {
      const { capture } = orders
      const { standing } = capture

      test('a part of what is reserved is taken, then another, then the rest; or the platform takes all or nothing', async () => {
        const before = await orderWith((order) => order.payment_status === 'authorized' && order.status !== 'cancelled')
        const { remote_id: id, currency, total } = before
        if (!standing) return expect(Object.keys(partErrors(before, '1', null))).toEqual(['amount'])
        const amount = times('1', 1, digitsOf(currency))
        const first = await standing(shop, id)
        expect(first).toEqual({ reserved: total.amount, captured: minus('0', '0', digitsOf(currency)), currency })
        expect(partErrors(before, total.amount, first)).toEqual({})
        expect(Object.keys(partErrors(before, sum([total.amount, amount]), first))).toEqual(['amount'])
        for (const taken of ['0', amount]) {
          const after = await once(capture, { order_remote_id: id, amount, before: taken })
          expect([after.payment_status, whyNotCapture(after, { inParts: true })]).toEqual(['partially_paid', null])
        }
        const left = minus(total.amount, sum([amount, amount]), digitsOf(currency))
        expect(await standing(shop, id)).toMatchObject({
          reserved: left,
          captured: sum([amount, amount], digitsOf(currency)),
        })
        const more = {
          order_remote_id: id,
          amount: sum([left, amount], digitsOf(currency)),
          before: sum([amount, amount]),
        }
        expect(await capture.send(shop, more, { id: 'too much' }).catch((error: unknown) => error)).toMatchObject({
          kind: 'upstream_refused',
        })
        const paid = await once(capture, { order_remote_id: id })
        expect([paid.payment_status, whyNotCapture(paid)]).toEqual(['paid', null])
        noDoubles()
      })

      test('money that is only reserved is taken', async () => {
        const reserved = (order: RemoteOrder) => order.payment_status === 'authorized' && order.status !== 'cancelled'
        const before = await orderWith(reserved)
        expect(whyNotCapture(before)).toBeNull()
        const after = await once(capture, { order_remote_id: before.remote_id })
        expect([isCaptured(after), after.payment_status]).toEqual([true, 'paid'])
        noDoubles()
        const refusal = await capture
          .send(shop, { order_remote_id: before.remote_id }, { id: 'twice' })
          .catch((error: unknown) => error)
        expect(refusal).toMatchObject({ kind: 'upstream_refused' })
      })
    }

    // The last one: it judges every exchange of those above.
    test('nothing was said that the official specification does not know', (context) => {
      if (!stand.platform) return
      if (!hasSpecifications) return context.skip(noSpecifications)
      expect([...new Set(stand.violations?.())]).toEqual([])
    })
  })
})
