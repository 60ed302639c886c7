import { expect, test } from 'vitest'
import { actionsOf } from '../../src/commerce/action.ts'
import { capabilitiesOf } from '../../src/commerce/capabilities.ts'
import { orderStatuses, orderStatusOf, type RemoteOrder } from '../../src/commerce/order.ts'
import { unknownWords, wantedOrders } from '../../src/commerce/rules/order-words.ts'
import { onRealStores } from '../support/given-stores.ts'
import { listedReturns, told } from '../support/listed-returns.ts'
import { whatDoesNotAddUp } from '../support/totals.ts'
import { readAll } from './reads.ts'
import type { Tried } from './tried.ts'

/** What orders say: how they stand, what they cost, what came back. */
export function ordersAreUnderstood({ connector, at, listed, translated }: Tried): void {
  test('orders are listed by status, in our words or theirs', async () => {
    const { shop, stand } = at()
    const { orders } = connector
    if (!orders) return expect(actionsOf(connector)).not.toContain('get_orders')
    const recent = await stand.recent()
    const all = await translated(orders, recent)
    const theirs = await orders.statuses(shop)
    for (const one of all) expect(unknownWords([one.remote_status], theirs)).toEqual([])
    const ids = (some: readonly RemoteOrder[]) => some.map(({ remote_id: id }) => id).sort()
    for (const word of new Set([...orderStatuses, ...all.map(({ remote_status: own }) => own)])) {
      const wanted = wantedOrders([word.toLowerCase()], theirs)
      // Several words may be one question to the platform.
      const read = await translated(orders, { ...recent, statuses: wanted.narrowing })
      const found = read.filter(wanted.matches)
      expect(ids(found)).toEqual(ids(all.filter(wanted.matches)))
    }
    expect(unknownWords(['no such word'], theirs)).toEqual(['no such word'])
  })

  test('an order in a status that nobody has explained is held, and never set aside', async () => {
    const { shop, stand } = at()
    const { orders } = connector
    if (!orders) return expect(actionsOf(connector)).not.toContain('get_orders')
    const { order_statuses: _, custom_states: __, ...settings } = shop.settings
    const raws = await listed(orders, await stand.recent())
    for (const raw of raws) {
      const [known, bare] = [shop, { ...shop, settings }].map((facts) => orders.translate(raw, facts))
      if (bare?.status === known?.status) continue
      expect(bare).toMatchObject({ status: 'on_hold', hold_reason: expect.stringContaining('unknown status: ') })
    }
    // The same orders, in a status that came with the next version of the shop.
    const theirs = (await orders.statuses(shop)).flatMap(({ word, name }) => [word, name])
    const renamed = raws.map((raw) => orders.translate(withUnknownWord(raw, theirs), shop))
    const held = renamed.filter(({ hold_reason: reason }) => reason?.includes('unknown status: '))
    expect(held.length).toBeGreaterThan(0)
    for (const { status } of held) expect(status).toBe('on_hold')
  })

  test('an order that the shop takes up again after it was cancelled is open here as well', async () => {
    const { shop, stand } = at()
    const { orders } = connector
    const { simulator } = stand
    if (!orders) return expect(actionsOf(connector)).not.toContain('get_orders')
    if (!simulator) return expect([onRealStores, connector.type === 'sandbox']).toContain(true)
    const id = await stand.openOrder('cancel')
    const read = async () => orderStatusOf(orders.translate(await orders.get(shop, id), shop))
    simulator.moveOrder(id, 'cancelled')
    expect(await read()).toBe('CANCELLED')
    simulator.moveOrder(id, 'paid')
    expect(await read()).toBe('PENDING')
  })

  test('what an order costs adds up, to the cent', async () => {
    const { stand } = at()
    const { orders } = connector
    if (!orders) return expect(actionsOf(connector)).not.toContain('get_orders')
    const all = await translated(orders, stand.reads)
    // Of services that are described only what their definition names is known.
    if (connector.type.startsWith('described')) return expect(all.length).toBeGreaterThan(0)
    expect(all.flatMap(whatDoesNotAddUp)).toEqual([])
  })

  test('money that went back is visible, and refunds add up to it', async () => {
    const { stand } = at()
    const { orders } = connector
    if (!orders) return expect(actionsOf(connector)).not.toContain('get_orders')
    const all = await translated(orders, stand.reads)
    for (const { refunds, refunded_total: total } of all.filter((order) => order.refunds.length > 0)) {
      expect(Number(total?.amount)).toBeGreaterThan(0)
      const parts = refunds.reduce((sum, { amount }) => sum + Number(amount.amount), 0)
      expect(parts).toBeCloseTo(Number(total?.amount), 2)
    }
    // What was paid back is said in one way or the other.
    const paidBack = all.filter(({ payment_status: paid }) => /refunded$/.test(paid))
    for (const { refunds, refunded_total: total } of paidBack)
      expect([refunds.length > 0, total !== null && total !== undefined]).toContain(true)
  })

  test('what buyers send back is told with its lines, or the capabilities say that the platform keeps no record', async () => {
    const { shop, stand } = at()
    const { orders } = connector
    if (!orders) return expect(actionsOf(connector)).not.toContain('get_orders')
    // Some ask for a right of its own.
    const asked = { ...shop, granted: (await connector.auth.readGranted?.(shop)) ?? null }
    const all = (await readAll(orders, asked, stand.reads)).map((raw) => orders.translate(raw, asked))
    expect(capabilitiesOf(connector).returns).toBe(orders.returns !== undefined)
    if (orders.returns !== true) expect(all.flatMap(({ returns }) => returns ?? [])).toEqual([])
    const returning = orders.returns === true ? told(all) : await listedReturns(orders, asked, all)
    if (!orders.returns) return expect(returning).toEqual([])
    if (!onRealStores) expect(returning.length).toBeGreaterThan(0)
    for (const { returns, lines } of returning)
      for (const { order_line_remote_id: id, quantity } of returns.flatMap((one) => one.lines))
        if (id !== null) expect(lines.find((line) => line.remote_id === id)?.quantity).toBeGreaterThanOrEqual(quantity)
  })
}

/** Every text of an order that is a status, and the number of one, is one that nobody knows; parcels are as they were. */
function withUnknownWord(raw: unknown, words: readonly string[]): unknown {
  const parts = new Set(words.flatMap((word) => [word, ...word.split('/')]).map((word) => word.toLowerCase()))
  const renamed = (name: string, value: unknown): unknown => {
    if (/^(fulfillments|shipments|packages|parcels|payments)$/.test(name)) return value
    if (/^(status_id|current_state|state)$/.test(name) && typeof value === 'number') return 987
    if (typeof value === 'string') return parts.has(value.toLowerCase()) ? 'quite-new' : value
    if (Array.isArray(value)) return value.map((one) => renamed('', one))
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.entries(value).map(([key, inner]) => [key, renamed(key, inner)])
    // What the number of a state stands for is beside it, unless the shop has deleted it.
    return Object.fromEntries(fields.filter(([key]) => !('current_state' in value && key === 'state')))
  }
  return renamed('', raw)
}
