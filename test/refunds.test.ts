import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capabilitiesOf } from '../src/commerce/capabilities.ts'
import { type OrderRefund, orderStatusOf, type RemoteOrder } from '../src/commerce/order.ts'
import { showsCancellation, showsRefund } from '../src/commerce/refund.ts'
import { leftToSend } from '../src/commerce/rules/left-to-send.ts'
import { whyNotShip } from '../src/commerce/rules/order-guards.ts'
import {
  reckonLineCancellation,
  reckonRefund,
  whyNotCancelLines,
  whyNotRefund,
} from '../src/commerce/rules/refund-guards.ts'
import type { Shop } from '../src/commerce/shop.ts'
import { textsOf } from '../src/lib/fault.ts'
import { type ConformanceShop, openConformance } from './support/conformance-shops.ts'
import { hasSpecifications, noSpecifications } from './support/vendor-specification.ts'

/** Money back and single lines called off, on every connector: what it promises, or says that its platform cannot do. */

const tried = await openConformance()

/** Who has no refunds by API, or no way to call off a line; whoever is not listed can. */
const cannotRefund = /^(amazon|etsy|prestashop|squarespace|tiktok_shop|described-.*)$/
const cannotCancelLines = /^(?!(sandbox|tiktok_shop|vendure|shopify|walmart)$)/

/** Whose platform tells for which lines money went back. Of Amazon's refunds nothing is told with its orders. */
const tellsLines =
  /^(sandbox|bigcommerce|ebay|magento|prestashop|shopify|vendure|walmart|wix|woocommerce|described-by-pages)$/

/** Whose orders show nothing of a refund by which it could be told from another one of the amount. */
const namesNoRefund = /^ebay$/
/** Where a line has one record for all of its refunds, and so only the latest shows whose it is; or nobody says that all do. */
const namesLastRefund = /^(walmart|wix)$/
/** Where the name stands in a field that no buyer reads, and is written after the refund. */
const marksRefund = /^woocommerce$/

describe.each(tried)('the connector $type', ({ type, connector, stands }) => {
  const { orders, refunds, shipments, acknowledgement } = connector
  const capabilities = capabilitiesOf(connector)

  test('says in its capabilities what the platform can do', () => {
    expect(capabilities.refund_by.length === 0).toBe(cannotRefund.test(type))
    expect(capabilities.cancel_lines).toBe(!cannotCancelLines.test(type))
    expect(capabilities.actions.includes('create_refund')).toBe(!cannotRefund.test(type))
    expect(capabilities.actions.includes('cancel_order_lines')).toBe(capabilities.cancel_lines)
  })

  test.each(Object.entries(stands))(
    'on %s, refunds of the shop itself are read, with lines where they are told',
    async (_, build) => {
      if (!orders) return
      const stand = await build()
      const lines: OrderRefund['lines'] = []
      for (let cursor: string | null = null, pages = 0; pages < 100; pages++) {
        const page = await orders.list(stand.shop, { updatedSince: null, statuses: [], cursor, limit: 20 })
        for (const raw of page.items) {
          const order = orders.translate(raw, stand.shop)
          const known = new Set(order.lines.map((line) => line.remote_id))
          const told = order.refunds.flatMap((refund) => refund.lines)
          expect(told.filter((line) => !known.has(line.order_line_remote_id))).toEqual([])
          lines.push(...told)
        }
        cursor = page.next
        if (cursor === null) break
      }
      expect(lines.length > 0).toBe(tellsLines.test(type))
      await stand.close()
    },
  )
  if (!orders || (!refunds && !orders.cancelLines)) return

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

    /** A paid order of several pieces; where goods have to leave before money goes back, they have. */
    async function paidOrder(purpose: 'refund' | 'cancel' = 'refund'): Promise<RemoteOrder> {
      for (let tries = 0; tries < 30; tries++) {
        const order = await read(await stand.openOrder())
        if (order.lines.reduce((sum, { quantity }) => sum + quantity, 0) < 2) continue
        // Magento takes amounts in the currency of the shop only.
        if (type === 'magento' && order.currency !== 'EUR') continue
        await acknowledgement?.send(shop, { remoteIds: [order.remote_id] }, { id: `ack ${order.remote_id}` })
        if (purpose === 'refund' && type === 'walmart') {
          const draft = { order_remote_id: order.remote_id, tracking_number: `R${order.remote_id}`, carrier: 'UPS' }
          await shipments?.create.send(shop, draft, { id: `ship ${order.remote_id}` })
        }
        return await read(order.remote_id)
      }
      throw new Error('No order has several pieces.')
    }

    if (refunds) {
      const pay = async (order: RemoteOrder, draft: Parameters<typeof reckonRefund>[1]) => {
        const { wanted, errors } = reckonRefund(order, draft, refunds)
        expect([errors, whyNotRefund(order, refunds, { force: false })]).toEqual([{}, null])
        const operation = { id: `refund ${order.remote_id} ${order.refunds.length}` }
        if (refunds.create.repeatable) throw new Error('Paying back twice is paying twice.')
        expect(await refunds.create.confirm(shop, wanted, operation)).toBeNull()
        const after = await refunds.create.send(shop, wanted, operation)
        expect(showsRefund(after, wanted)).toBe(true)
        const found = refunds.create.confirm(shop, wanted, operation)
        if (namesNoRefund.test(type))
          await expect(found).rejects.toMatchObject({ errors: { force: [expect.any(String)] } })
        else expect((await found)?.refunded_total).toEqual(after.refunded_total)
        return { wanted, after }
      }

      test('an amount goes back, is found again, and can be followed by another', async () => {
        if (!refunds.by.includes('amount')) {
          const { errors } = reckonRefund(await paidOrder(), { order_remote_id: '1', amount: '1.00' }, refunds)
          return expect(textsOf(errors)).toEqual({ amount: [expect.stringContaining('lines')] })
        }
        const order = await paidOrder()
        const draft = { order_remote_id: order.remote_id, amount: '1', reason: 'Goodwill', notify_customer: false }
        const first = await pay(order, draft)
        expect(first.after).toMatchObject({ payment_status: 'partially_refunded' })
        expect(Number(first.after.refunded_total?.amount)).toBeCloseTo(1, 2)
        const second = await pay(first.after, { ...draft, amount: '2' })
        expect(Number(second.after.refunded_total?.amount)).toBeCloseTo(3, 2)
        expect((await read(order.remote_id)).refunded_total).toEqual(second.after.refunded_total)
        expect(doubles()).toEqual([])
      })

      test('a refund of the same amount that somebody else made is never taken for ours', async () => {
        if (refunds.create.repeatable) throw new Error('Paying back twice is paying twice.')
        const order = await paidOrder()
        const [line] = order.lines
        const lines = [{ order_line_remote_id: line?.remote_id ?? '', quantity: 1 }]
        const what = refunds.by.includes('amount') ? { amount: '1' } : { lines }
        const { wanted } = reckonRefund(order, { order_remote_id: order.remote_id, ...what }, refunds)
        const foreign = { ...wanted, reason: 'Goodwill' }
        await refunds.create.send(shop, foreign, { id: `foreign ${order.remote_id}` })
        const found = refunds.create.confirm(shop, wanted, { id: `create-refund-${'0'.repeat(32)}` })
        if (namesNoRefund.test(type) || namesLastRefund.test(type) || marksRefund.test(type))
          await expect(found).rejects.toMatchObject({ errors: { force: [expect.stringContaining('set force')] } })
        else expect(await found).toBeNull()
      })

      test('an order that was refunded in full before it left is seen as such', async () => {
        // Walmart refunds only what has been sent.
        if (!refunds.by.includes('amount')) return expect(type).toBe('walmart')
        const order = await paidOrder()
        const { after } = await pay(order, { order_remote_id: order.remote_id, amount: order.total.amount })
        expect([after.payment_status, orderStatusOf(after)]).toEqual(['refunded', 'REFUNDED'])
        expect([whyNotShip(after)?.text, whyNotRefund(after, refunds, { force: true })?.text]).toEqual([
          expect.stringContaining('refunded'),
          expect.stringContaining('in full'),
        ])
      })

      test('pieces of a line go back with what was paid for them', async () => {
        if (!refunds.by.includes('lines')) {
          const order = await paidOrder()
          const lines = [{ order_line_remote_id: order.lines[0]?.remote_id ?? '', quantity: 1 }]
          const { errors } = reckonRefund(order, { order_remote_id: order.remote_id, lines }, refunds)
          return expect(textsOf(errors)).toEqual({ lines: [expect.stringContaining('amounts')] })
        }
        const order = await paidOrder()
        const [line] = order.lines
        const lines = [{ order_line_remote_id: line?.remote_id ?? '', quantity: 1 }]
        const draft = { order_remote_id: order.remote_id, lines, reason: 'Damaged', restock: refunds.restock }
        const { wanted, after } = await pay(order, draft)
        expect(Number(after.refunded_total?.amount)).toBeCloseTo(Number(wanted.amount), 2)
        const [refund] = after.refunds
        if (refund && refund.lines.length > 0)
          expect(refund.lines).toMatchObject([{ order_line_remote_id: line?.remote_id }])
        expect(doubles()).toEqual([])
      })

      test('what is not there, is not left or was never paid is found out', async () => {
        const order = await paidOrder()
        const id = order.remote_id
        const [line] = order.lines
        const by = refunds.by.includes('lines')
        const errorsOf = (draft: object) =>
          Object.keys(reckonRefund(order, { order_remote_id: id, ...draft }, refunds).errors)
        const part = (part: object) => ({
          lines: [{ order_line_remote_id: line?.remote_id ?? '', quantity: 1, ...part }],
        })
        expect(errorsOf({})).toEqual(['amount'])
        expect(errorsOf({ amount: '1', ...part({}) })).toEqual(['amount'])
        if (refunds.by.includes('amount')) {
          expect(errorsOf({ amount: '9999999' })).toEqual(['amount'])
          expect(errorsOf({ amount: '0' })).toEqual(['amount'])
          expect(errorsOf({ amount: '1', restock: true })).toEqual(['restock'])
        }
        expect(errorsOf(part({ order_line_remote_id: 'no-such-line' }))[0]).toBe(
          by ? 'lines.0.order_line_remote_id' : 'lines',
        )
        expect(errorsOf(part({ quantity: 9999 }))[0]).toBe(by ? 'lines.0.quantity' : 'lines')
        if (by && !refunds.restock) expect(errorsOf({ ...part({}), restock: true })).toEqual(['restock'])
        const unpaid: RemoteOrder = { ...order, payment_status: 'pending' }
        expect(whyNotRefund(unpaid, refunds, { force: false })?.text).toContain('not been paid')
        expect(whyNotRefund(unpaid, refunds, { force: true })).toBeNull()
        expect(whyNotRefund({ ...order, payment_status: 'refunded' }, refunds, { force: true })?.text).toContain(
          'in full',
        )
      })
    }

    if (orders.cancelLines) {
      const { cancelLines } = orders

      test('a piece of a line is called off, and the rest can be sent', async () => {
        const order = await paidOrder('cancel')
        const line = order.lines.find(({ quantity }) => quantity > 1) ?? order.lines[0]
        const lines = [{ order_line_remote_id: line?.remote_id ?? '', quantity: 1 }]
        const draft = { order_remote_id: order.remote_id, lines, reason: 'Out of stock', notify_customer: false }
        const { wanted, errors } = reckonLineCancellation(order, draft)
        expect([errors, whyNotCancelLines(order)]).toEqual([{}, null])
        if (cancelLines.repeatable) throw new Error('Calling off twice is calling off two.')
        const operation = { id: `call off ${order.remote_id}` }
        expect(await cancelLines.confirm(shop, wanted, operation)).toBeNull()
        const after = await cancelLines.send(shop, wanted, operation)
        expect(showsCancellation(after, wanted)).toBe(true)
        expect(await cancelLines.confirm(shop, wanted, operation)).not.toBeNull()
        expect(after.status).not.toBe('cancelled')
        expect(whyNotShip(after)).toBeNull()
        const left = (one: RemoteOrder) => leftToSend(one.lines, []).reduce((sum, { left: count }) => sum + count, 0)
        expect(left(after)).toBe(left(order) - 1)
        expect(doubles()).toEqual([])
      })

      test('more than is left of a line, or a line that is not there, is found out', async () => {
        const order = await paidOrder('cancel')
        const errorsOf = (part: { order_line_remote_id: string; quantity: number }) =>
          Object.keys(reckonLineCancellation(order, { order_remote_id: order.remote_id, lines: [part] }).errors)
        const id = order.lines[0]?.remote_id ?? ''
        expect(errorsOf({ order_line_remote_id: id, quantity: 9999 })).toEqual(['lines.0.quantity'])
        expect(errorsOf({ order_line_remote_id: 'none', quantity: 1 })).toEqual(['lines.0.order_line_remote_id'])
        expect(whyNotCancelLines({ ...order, status: 'cancelled' })?.text).toContain('cancelled')
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
