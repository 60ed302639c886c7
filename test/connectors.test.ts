import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { actions, actionsOf } from '../src/commerce/action.ts'
import { capabilitiesOf } from '../src/commerce/capabilities.ts'
import type { Write } from '../src/commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../src/commerce/connector/reads.ts'
import { webhookTopics } from '../src/commerce/connector/webhooks.ts'
import type { Connector } from '../src/commerce/connector.ts'
import { type InventoryLevel, type InventorySetting, inventoryLevelSchema } from '../src/commerce/inventory.ts'
import { orderStatuses, orderStatusOf, type RemoteOrder, remoteOrderSchema } from '../src/commerce/order.ts'
import { productChoices, remoteProductSchema } from '../src/commerce/product.ts'
import { isCredentialsRefusal } from '../src/commerce/remote.ts'
import { unknownWords, wantedOrders } from '../src/commerce/rules/order-words.ts'
import { productErrors } from '../src/commerce/rules/product-draft.ts'
import { isRightsMissing } from '../src/commerce/rules/rights.ts'
import { remoteShipmentSchema } from '../src/commerce/shipment.ts'
import type { AnyFields, Shop, ShopFacts } from '../src/commerce/shop.ts'
import { openReceiver } from './simulator/receiver.ts'
import {
  anyLevel,
  type ConformanceShop,
  draftFor,
  headerlessShopOf,
  lackingShopsOf,
  openConformance,
} from './support/conformance-shops.ts'
import { givenStore, onRealStores } from './support/given-stores.ts'
import { listedReturns, told } from './support/listed-returns.ts'
import { whatDoesNotAddUp } from './support/totals.ts'
import { hasSpecifications, noSpecifications } from './support/vendor-specification.ts'

/** What every connector promises (`src/commerce/connector.ts`), on every shop that it is tried on. */

const all = await openConformance()
const tried = onRealStores ? all.filter(({ stands }) => Object.keys(stands).length > 0) : all

describe.each(tried)('the connector $type', ({ connector, stands }) => {
  /** In a real store only where its owner has said that it may be changed. */
  const writing = test.runIf(!onRealStores || givenStore(connector)?.writes)

  test('describes itself', () => {
    expect(connector.settings.type).toBe('object')
    expect(connector.auth.credentials.type).toBe('object')
    expect(Object.keys(stands)).not.toEqual([])
    for (const { capacity, perSecond } of Object.values(connector.remote.budgets)) {
      expect(Math.min(capacity, perSecond)).toBeGreaterThan(0)
    }
    for (const prefix of connector.proxy?.prefixes ?? []) expect(prefix).toMatch(/^\/[^/]/)
    for (const name of actionsOf(connector)) expect(actions[name].offeredBy(connector)).toBe(true)
  })

  test('credentials reach a shop whose host drops the header where the platform has another way; else that is said', async () => {
    const headerless = await headerlessShopOf(connector)
    if (!headerless) return
    const opened = await headerless.install().catch((error: unknown) => error)
    if (headerless.learns !== 'said') return expect(opened).toMatchObject({ settings: headerless.learns })
    expect([isCredentialsRefusal(opened), opened]).toMatchObject([true, { errors: expect.anything() }])
    expect(JSON.stringify(opened)).toContain('drops the Authorization header')
  })

  test('credentials that lack rights are not let in, and are not called wrong, then or later', async () => {
    const lacking = await lackingShopsOf(connector)
    expect(lacking.length).toBeGreaterThan(0)
    for (const { right, shop, install } of lacking) {
      const failure = await install().catch((error: unknown) => error)
      expect([isRightsMissing(failure), isCredentialsRefusal(failure)]).toEqual([true, false])
      expect(failure).toMatchObject({ message: expect.stringMatching(right) })
      for (const { reads } of readsOf(connector)) {
        const later = await reads.list(shop, query).catch((error: unknown) => error)
        expect(isCredentialsRefusal(later)).toBe(false)
      }
    }
  })

  describe.each(Object.entries(stands))('on %s', (_, build) => {
    let stand: ConformanceShop
    let shop: Shop
    beforeAll(async () => {
      stand = await build()
      shop = stand.shop
    })
    afterAll(() => stand.close())

    /** What the shop lists stays as it is until the first test that writes: those before it read the same list once. */
    const lists = new Map<string, Promise<unknown[]>>()
    const listed = (orders: AnyReads, asked: Partial<ReadQuery>): Promise<unknown[]> => {
      const key = JSON.stringify({ ...query, ...asked })
      const list = lists.get(key) ?? readAll(orders, shop, asked)
      lists.set(key, list)
      return list
    }
    /** The same in our model. Translating is pure, as a test below holds: what was read once is translated once. */
    const ours = new Map<string, Promise<RemoteOrder[]>>()
    const translated = (orders: AnyReads, asked: Partial<ReadQuery>): Promise<RemoteOrder[]> => {
      const key = JSON.stringify({ ...query, ...asked })
      const list =
        ours.get(key) ??
        listed(orders, asked).then((raws) => raws.map((raw) => orders.translate(raw, shop) as RemoteOrder))
      ours.set(key, list)
      return list
    }

    test('takes the right credentials, refuses others, and has one origin', async () => {
      await connector.auth.checkAccess(shop)
      const refusal = await stand.openWith(stand.wrong).catch((error: unknown) => error)
      expect(isCredentialsRefusal(refusal)).toBe(true)
      const origin = new URL(connector.remote.origin(shop))
      expect([origin.username, origin.search, origin.hash]).toEqual(['', '', ''])
    })

    describe.each(readsOf(connector))('$name', ({ name, reads, schema }) => {
      let all: readonly unknown[] = []
      const isPartial = (raw: unknown): boolean =>
        name === 'orders' && connector.orders?.translate(raw, shop).incomplete === true
      beforeAll(async () => {
        all = await readAll(reads, shop, stand.reads)
      })

      test('are listed page by page, each once', () => {
        const keys = all.map((raw) => keyOf(reads.translate(raw, shop)))
        expect(new Set(keys).size).toBe(keys.length)
        if (stand.counts) expect(keys).toHaveLength(stand.counts[name] ?? Number.NaN)
      })

      test('are translated into the model, purely', () => {
        const problems = problemsBy(schema)
        for (const raw of all) {
          const frozen = deepFreeze(structuredClone(raw))
          const item = reads.translate(frozen, shop)
          expect(problems(item)).toEqual([])
          expect(reads.translate(frozen, shop)).toEqual(item)
        }
        for (const raw of [null, [], {}, 'text', { id: '1' }])
          expect(() => reads.translate(raw, shop)).toThrow(TypeError)
      })

      test('are the same when nothing has changed, in whatever order their fields come', async () => {
        const bare = (raw: unknown) => ({ ...reads.translate(raw, shop), raw: null })
        const before = new Map(all.map((raw) => [keyOf(reads.translate(raw, shop)), bare(raw)]))
        for (const raw of await readAll(reads, shop, stand.reads)) {
          expect(bare(raw)).toEqual(before.get(keyOf(reads.translate(raw, shop))))
          expect(bare(shuffled(raw))).toEqual(bare(raw))
        }
      })

      test('are listed from a time on', async () => {
        const times = all.map((raw) => timeOf(reads.translate(raw, shop))).sort()
        // A platform that tells no times lists everything, always.
        if (times.every((time) => time === ''))
          return expect(await readAll(reads, shop, { updatedSince: '2099-01-01T00:00:00.000000Z' })).toHaveLength(
            all.length,
          )
        const since = times[Math.floor(times.length * 0.6)] ?? ''
        const some = await readAll(reads, shop, { ...stand.reads, updatedSince: since })
        expect(some).toHaveLength(times.filter((time) => time >= since).length)
        expect(await readAll(reads, shop, { updatedSince: '2099-01-01T00:00:00.000000Z' })).toEqual([])
      })

      test('are found one by one', async () => {
        if (!reads.get) return expect(name).not.toBe('orders')
        const first = all.find((raw) => !isPartial(raw))
        const item = reads.translate(first, shop)
        const found = reads.translate(await reads.get(shop, keyOf(item)), shop)
        // Shops add what is another each time, such as what to buy besides.
        expect({ ...found, raw: null }).toEqual({ ...item, raw: null })
        expect(await reads.get(shop, 'no-such-id')).toBeNull()
      })

      test('that a list shows in part are whole when they are asked for, and the same otherwise', async () => {
        const part = all.find(isPartial)
        if (part === undefined) return
        const item = reads.translate(part, shop)
        const raw = await reads.get?.(shop, keyOf(item))
        const { id, version } = { id: keyOf(item), version: timeOf(item) }
        const found = reads.translate(raw, shop)
        expect({ partial: isPartial(raw), id: keyOf(found), version: timeOf(found) }).toEqual({
          partial: false,
          id,
          version,
        })
      })

      test('failures of the shop are distinguished', async () => {
        const ask = (status: number, headers = {}) =>
          reads
            .list(stand.answering({ status, headers, body: { message: 'No.' } }), { ...query, limit: 5 })
            .catch((error: unknown) => error)
        const meanings = stand.platform?.statuses ?? {}
        const usual = (statuses: readonly number[]) => statuses.filter((status) => meanings[status] === undefined)
        expect(isCredentialsRefusal(await ask(401))).toBe(true)
        for (const [status, meaning] of Object.entries(meanings)) {
          const failure = await ask(Number(status))
          if (meaning === 'unauthorized') expect(isCredentialsRefusal(failure)).toBe(true)
          else expect(failure).toMatchObject({ kind: 'upstream_retryable' })
        }
        expect(await ask(429, { 'retry-after': '7' })).toMatchObject({
          kind: 'upstream_retryable',
          retryAfterSeconds: 7,
        })
        for (const status of [429, 500, 502, 503])
          expect(await ask(status)).toMatchObject({ kind: 'upstream_retryable' })
        for (const status of usual([400, 403, 404, 409, 422]))
          expect(await ask(status)).toMatchObject({ kind: 'upstream_refused' })
      })
    })

    test('orders are listed by status, in our words or theirs', async () => {
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
      const { orders } = connector
      if (!orders) return expect(actionsOf(connector)).not.toContain('get_orders')
      const all = await translated(orders, stand.reads)
      // Of services that are described only what their definition names is known.
      if (connector.type.startsWith('described')) return expect(all.length).toBeGreaterThan(0)
      expect(all.flatMap(whatDoesNotAddUp)).toEqual([])
    })

    test('money that went back is visible, and refunds add up to it', async () => {
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
          if (id !== null)
            expect(lines.find((line) => line.remote_id === id)?.quantity).toBeGreaterThanOrEqual(quantity)
    })

    writing('orders are made, and found again', async () => {
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

    writing('stock is set and read back', async () => {
      const { inventory } = connector
      const level = await anyLevel(connector, shop)
      if (!inventory?.set || !level) return expect(actionsOf(connector)).not.toContain('set_inventory')
      putBack(connector, stand, level)
      const items = [
        { sku: level.sku, quantity: 7777, location: level.location_remote_id },
        { sku: 'no such sku', quantity: 1, location: level.location_remote_id },
      ]
      for (const _ of [1, 2]) {
        const results = await inventory.set.send(shop, items, { id: 'conformance-stock' })
        expect(results.map(({ ok, error }) => [ok, error === null])).toEqual([
          [true, true],
          [false, false],
        ])
      }
      const now = (await readAll(inventory, shop, {})).map((raw) => inventory.translate(raw, shop))
      const same = now.find((one) => one.sku === level.sku && one.location_remote_id === level.location_remote_id)
      expect(same?.available).toBe(7777)
      expect(doublesIn(stand)).toEqual([])
    })

    writing(
      'levels are read as they are now, and changed only from what is expected where the platform compares',
      async () => {
        const { inventory } = connector
        const level = await anyLevel(connector, shop)
        if (!inventory?.set || !level) return expect(inventory?.levelsNow ?? null).toBeNull()
        putBack(connector, stand, level)
        const { sku, location_remote_id: location } = level
        const now = async () => {
          const raw = await inventory.levelsNow?.(shop, [{ sku, location }])
          const levels = raw?.map((one) => inventory.translate(one, shop)) ?? []
          return levels.find((one) => one.sku === sku && one.location_remote_id === location)?.available ?? null
        }
        const set = async (setting: { quantity: number; expected?: number }) =>
          (
            await inventory.set?.send(shop, [{ sku, location, ...setting }], { id: `conformance ${setting.quantity}` })
          )?.[0]
        expect((await set({ quantity: 5550 }))?.ok).toBe(true)
        if (inventory.levelsNow) expect(await now()).toBe(5550)
        if (!inventory.compares) return
        expect(await set({ quantity: 5552, expected: 5551 })).toMatchObject({ ok: false, found: 5550 })
        expect(await now()).toBe(5550)
        expect(await set({ quantity: 5552, expected: 5550 })).toMatchObject({ ok: true, error: null })
        expect(await now()).toBe(5552)
      },
    )

    writing('stock is set by the id of the variant as well', async () => {
      const { inventory } = connector
      const level = await anyLevel(connector, shop)
      const id = level?.variant_remote_id
      if (!inventory?.set || !level || id == null) return expect(level?.variant_remote_id ?? null).toBeNull()
      putBack(connector, stand, level)
      const named = { variant_remote_id: id, quantity: 7776, location: level.location_remote_id }
      const set = async (setting: InventorySetting) =>
        (await inventory.set?.send(shop, [setting], { id: 'conformance-variant' }))?.[0]
      const first = await set(named)
      // Ids of products and of variants may be the same numbers.
      const result = first?.error?.endsWith('name the SKU as well.') ? await set({ ...named, sku: level.sku }) : first
      if (result?.ok === false) return expect(result.error).toBe('This service knows articles by their SKU.')
      const now = (await readAll(inventory, shop, {})).map((raw) => inventory.translate(raw, shop))
      const same = now.find((one) => one.sku === level.sku && one.location_remote_id === level.location_remote_id)
      expect([result?.variant_remote_id, same?.available]).toEqual([id, 7776])
    })

    writing('messages are asked for once, distinguished from forged ones, and understood', async () => {
      const { webhooks } = connector
      if (webhooks?.registration.kind !== 'api' || !stand.change) return cannotRegister(connector, stand)
      const { registration, topics } = webhooks
      const receiver = await openReceiver()
      // Some platforms make the secret themselves, and tell it once.
      let secret = 'ours'
      const keepSecret = async (theirs: string) => {
        secret = theirs
      }
      const known = webhookTopics.filter((topic) => topics[topic])
      const wanted = { url: receiver.url, topics: known, secret, keepSecret }
      const made = await registration.register(shop, wanted)
      expect(made.length).toBeGreaterThan(0)
      expect(await registration.register(shop, wanted)).toEqual(made)
      expect(await registration.list(shop)).toHaveLength(made.length)
      stand.change()
      await stand.simulator?.delivered()
      const deliveries = receiver.received.map(({ headers, body }) => ({
        method: 'POST',
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        query: {},
        raw: Buffer.from(body),
      }))
      const secrets = { registration: [secret], client: stand.client ?? {} }
      const real = deliveries.filter((delivery) => !webhooks.handshake?.(delivery, secrets))
      expect(real.length).toBeGreaterThan(0)
      for (const delivery of real) {
        expect(webhooks.verify(delivery, secrets)).toBe(true)
        expect(webhooks.verify(delivery, { ...secrets, registration: ['before', secret] })).toBe(true)
        expect(webhooks.verify(delivery, { registration: ['other', ''], client: {} })).toBe(false)
        expect(webhooks.verify(delivery, { registration: [], client: {} })).toBe(false)
        expect(webhooks.verify({ ...delivery, headers: {} }, secrets)).toBe(false)
        expect(webhooks.verify({ ...delivery, raw: Buffer.concat([delivery.raw, Buffer.from(' ')]) }, secrets)).toBe(
          false,
        )
        const reading = webhooks.read(delivery, shop)
        expect(webhooks.read(delivery, shop)).toEqual(reading)
        expect(reading.deliveryId).not.toBe('')
        for (const { kind, remoteId, raw } of reading.changes) {
          // Also of one of its variations: what is sold under it is a product that can be read.
          if (kind === 'product' && connector.products?.get)
            expect(await connector.products.get(shop, remoteId)).not.toBeNull()
          if (kind !== 'order') continue
          const order = connector.orders?.translate(await connector.orders.get(shop, remoteId), shop)
          expect(order?.remote_id).toBe(remoteId)
          if (raw !== null) expect(connector.orders?.translate(raw, shop).remote_id).toBe(remoteId)
        }
      }
      for (const { remoteId } of made) await registration.remove(shop, remoteId)
      for (const { remoteId } of made) await registration.remove(shop, remoteId)
      expect(await registration.list(shop)).toEqual([])
      await receiver.close()
    })

    test('genuine messages are distinguished from forged ones, and understood', async () => {
      const { webhooks } = connector
      if (!webhooks || !stand.platform?.messages) return cannotRegister(connector, stand)
      const { messages, secrets: secretsOf, unsigned, signsInBody } = stand.platform
      const secrets = secretsOf?.('ours') ?? { registration: ['ours'], client: {} }
      const others = secretsOf?.('theirs') ?? { registration: ['theirs'], client: {} }
      const genuine = messages('ours')
      expect(genuine.length).toBeGreaterThan(0)
      for (const delivery of genuine) {
        expect(webhooks.verify(delivery, secrets)).toBe(true)
        expect(webhooks.verify(delivery, others)).toBe(false)
        expect(webhooks.verify(delivery, { registration: [], client: {} })).toBe(false)
        expect(webhooks.verify({ ...delivery, headers: {} }, secrets)).toBe(signsInBody === true)
        const reading = webhooks.read(delivery, shop)
        const longer = { ...delivery, raw: Buffer.concat([delivery.raw, Buffer.from(' ')]) }
        // What no signature covers may name a record, and nothing of it is believed.
        if (unsigned) expect(reading.changes.map(({ raw }) => raw)).toEqual(reading.changes.map(() => null))
        else expect(webhooks.verify(longer, secrets)).toBe(false)
        expect(webhooks.read(delivery, shop)).toEqual(reading)
        expect(reading.deliveryId).not.toBe('')
      }
    })

    writing('what is registered for messages is there, once, and can be removed', async () => {
      const { webhooks } = connector
      if (webhooks?.registration.kind !== 'api' || !stand.platform) return cannotRegister(connector, stand)
      const { registration, topics } = webhooks
      const url = 'https://entrepot.example/api/1.0/webhook_callback/type/1/shop'
      const wanted = { url, topics: webhookTopics.filter((topic) => topics[topic]), secret: 'ours' }
      const made = await registration.register(shop, wanted)
      expect(made.length).toBeGreaterThan(0)
      expect(await registration.register(shop, wanted)).toEqual(made)
      expect((await registration.list(shop)).filter((one) => one.url === url)).toHaveLength(made.length)
      for (const { remoteId } of made) await registration.remove(shop, remoteId)
      for (const { remoteId } of made) await registration.remove(shop, remoteId)
      expect((await registration.list(shop)).filter((one) => one.url === url)).toEqual([])
    })

    writing('those of two integrations are kept apart, and one that is switched off is still shown', async () => {
      const { webhooks } = connector
      if (webhooks?.registration.kind !== 'api' || !stand.platform) return cannotRegister(connector, stand)
      const { registration, topics } = webhooks
      const plain = 'https://entrepot.example/api/1.0/webhook_callback/type/1/two'
      const own = async (url: string) => (await registration.list(shop)).filter((one) => one.url === url)
      const wanted = { topics: webhookTopics.filter((topic) => topics[topic]), secret: 'ours' }
      const [first] = await registration.register(shop, { ...wanted, url: plain })
      const others = await registration.register(shop, { ...wanted, url: `${plain}?integration=2` })
      if (stand.platform.switchOff && first) {
        await shop.remote.request(stand.platform.switchOff(first.remoteId))
        expect((await own(plain)).filter(({ active }) => !active)).toEqual([{ ...first, active: false }])
      }
      for (const { remoteId } of await own(plain)) await registration.remove(shop, remoteId)
      expect(await own(plain)).toEqual([])
      const left = await own(`${plain}?integration=2`)
      expect(left.map(({ remoteId }) => remoteId).sort()).toEqual(others.map(({ remoteId }) => remoteId).sort())
      const ids = left.map(({ remoteId }) => remoteId)
      if (registration.removeAll) for (const _ of [1, 2]) await registration.removeAll(shop, ids)
      for (const id of registration.removeAll ? [] : ids) await registration.remove(shop, id)
      expect(await own(`${plain}?integration=2`)).toEqual([])
    })

    writing('products are made, then changed', async () => {
      const { products } = connector
      if (!products?.export) return expect(actionsOf(connector)).not.toContain('export_products')
      const draft = { sku: 'CONFORM-SKU', title: 'First', price: '9.90', currency: 'EUR', quantity: 5 }
      const made = await products.export.send(shop, draft, { id: 'conformance-new' })
      onTestFinished(() => stand.remove('product', made.remote_id))
      expect(made).toMatchObject({ title: 'First', variants: [{ sku: 'CONFORM-SKU', price: { amount: '9.90' } }] })
      for (const _ of [1, 2]) {
        const changed = await products.export.send(shop, { ...draft, title: 'Second' }, { id: 'conformance-change' })
        expect(changed).toMatchObject({ remote_id: made.remote_id, title: 'Second' })
      }
      expect(doublesIn(stand)).toEqual([])
    })

    writing('a product of several variants is made whole and changed, or refused at its field', async () => {
      const { products } = connector
      if (!products?.export) return expect(capabilitiesOf(connector).product_choices).toEqual([])
      const { export: exported, takes = [] } = products
      const options = (size: string, colour: string) => [
        { name: 'Size', value: size },
        { name: 'Colour', value: colour },
      ]
      const large = { sku: 'CONFORM-SET-L', options: options('Large', 'Green'), price: '12.50', quantity: 4 }
      const draft = {
        ...{ sku: 'CONFORM-SET', title: 'A set', price: '9.90', currency: 'EUR' },
        images: [{ url: 'https://img.shop.example/set.jpg', alt: 'The set' }],
        variants: [{ sku: 'CONFORM-SET-S', options: options('Small', 'Red'), quantity: 3 }, large],
      }
      const prohibited = productChoices.filter((choice) => !takes.includes(choice))
      expect(Object.keys(productErrors(connector, draft))).toEqual(prohibited)
      if (!takes.includes('variants')) return
      // Real shops fetch pictures, and this one is nowhere.
      const images = takes.includes('images') && stand.simulator ? draft.images : []
      const made = await exported.send(shop, { ...draft, images }, { id: 'conformance-set' })
      onTestFinished(() => stand.remove('product', made.remote_id))
      const soldAs = (product: typeof made) =>
        product.variants
          .map(({ sku, price, options: chosen }) => [sku, price?.amount, chosen.map(({ value }) => value).sort()])
          .sort()
      const small = ['CONFORM-SET-S', '9.90', ['Red', 'Small']]
      expect(soldAs(made)).toEqual([['CONFORM-SET-L', '12.50', ['Green', 'Large']], small])
      expect(made.images).toHaveLength(images.length)
      const cheaper = { ...draft, images, variants: [draft.variants[0] ?? large, { ...large, price: '11.00' }] }
      for (const _ of [1, 2]) {
        const changed = await exported.send(shop, cheaper, { id: 'conformance-set-change' })
        expect(changed.remote_id).toBe(made.remote_id)
        expect(soldAs(changed)).toEqual([['CONFORM-SET-L', '11.00', ['Green', 'Large']], small])
      }
      expect(doublesIn(stand)).toEqual([])
    })

    // The last one: it judges every exchange of those above.
    test('nothing was said that the official specification does not know', (context) => {
      if (!stand.violations) return
      if (!hasSpecifications) return context.skip(noSpecifications)
      expect([...new Set(stand.violations())]).toEqual([])
    })
  })
})

/** Nobody is promised messages of a platform that cannot be asked for them: where it can, only the shop at hand cannot. */
function cannotRegister(connector: Connector, { change, platform }: ConformanceShop): void {
  const { webhooks } = connector
  if (webhooks === undefined) expect(capabilitiesOf(connector).webhooks).toEqual([])
  else if (webhooks.registration.kind !== 'api') expect(capabilitiesOf(connector).webhooks).not.toEqual([])
  else expect([change ?? null, platform ?? null]).toContain(null)
}

const doublesIn = ({ simulator, doubles }: ConformanceShop): readonly unknown[] =>
  doubles?.() ?? simulator?.doubles() ?? []

type Name = 'orders' | 'products' | 'inventory'

interface AnyReads {
  list(shop: Shop, query: ReadQuery): Promise<RawPage>
  get?(shop: Shop, remoteId: string): Promise<unknown>
  translate(raw: unknown, facts: ShopFacts): object
}

function readsOf({ orders, products, inventory }: Connector) {
  const parts: readonly { name: Name; reads: AnyReads | undefined; schema: typeof remoteOrderSchema }[] = [
    { name: 'orders', reads: orders, schema: remoteOrderSchema },
    { name: 'products', reads: products, schema: remoteProductSchema as never },
    { name: 'inventory', reads: inventory, schema: inventoryLevelSchema as never },
  ]
  return parts.flatMap(({ reads, ...part }) => (reads ? [{ ...part, reads }] : []))
}

/** What a schema has against a value. It is compiled, because thousands are asked about. */
function problemsBy(schema: TSchema): (value: unknown) => unknown[] {
  const compiled = Compile(schema)
  return (value) => (compiled.Check(value) ? [] : ['It does not fit.', ...compiled.Errors(value)])
}

const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

async function readAll(reads: AnyReads, shop: Shop, asked: Partial<ReadQuery>): Promise<unknown[]> {
  const all: unknown[] = []
  for (let cursor: string | null = null, pages = 0; pages < 500; pages++) {
    const page: RawPage = await reads.list(shop, { ...query, ...asked, cursor })
    all.push(...page.items)
    cursor = page.next
    if (cursor === null) return all
  }
  throw new Error('The list has no end.')
}

const field = (item: object, name: string): string => String((item as AnyFields)[name] ?? '')
const keyOf = (item: object): string =>
  'remote_id' in item
    ? field(item, 'remote_id')
    : // Real shops have articles with the same SKU.
      ['sku', 'variant_remote_id', 'location_remote_id'].map((name) => field(item, name)).join(' ')
const timeOf = (item: object): string => field(item, 'remote_updated_at') || field(item, 'updated_at')

/** A store that goes on has what it had, when the test is over; an imitation is over as well. */
function putBack(
  { inventory }: Connector,
  { shop, simulator }: ConformanceShop,
  { sku, available, location_remote_id: location }: InventoryLevel,
) {
  if (simulator || available < 0) return
  const before = [{ sku, quantity: available, location }]
  onTestFinished(async () => void (await inventory?.set?.send(shop, before, { id: 'conformance-stock-back' })))
}

const confirmed = async <Input, Result>(
  write: Write<AnyFields, AnyFields, Input, Result>,
  shop: Shop,
  input: Input,
  operation: { id: string },
): Promise<Result | null> => (write.repeatable ? null : await write.confirm(shop, input, operation))

const reread = (one: { remote_id: string; number: string }, other: { remote_id: string; number: string }) =>
  one.remote_id === other.remote_id && one.number === other.number

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

/** The same record, its fields in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, shuffled(inner)])
      .reverse(),
  )
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}
