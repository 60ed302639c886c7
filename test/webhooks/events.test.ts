import { readFile } from 'node:fs/promises'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrderReturn } from '../../src/commerce/order.ts'
import type { Context } from '../../src/domain/context.ts'
import { type EventType, events, eventTypes } from '../../src/domain/events/event.ts'
import { activateIntegration } from '../../src/domain/install/activate-integration.ts'
import { announceConsents } from '../../src/domain/integrations/consent/announce-consents.ts'
import { lockIntegration } from '../../src/domain/integrations/integration-store.ts'
import { moveIntegration, reportFailure } from '../../src/domain/integrations/move-integration.ts'
import { recoverIntegration } from '../../src/domain/integrations/recover-integration.ts'
import { uninstallOfAccount } from '../../src/domain/integrations/uninstall-cascade.ts'
import { uninstallIntegration } from '../../src/domain/integrations/uninstall-integration.ts'
import { updateIntegration } from '../../src/domain/integrations/update-integration.ts'
import { setInventory } from '../../src/domain/inventory/set-inventory.ts'
import { removeVanishedLevels, upsertSyncedLevels } from '../../src/domain/levels/inventory-store.ts'
import { acknowledgeOrders } from '../../src/domain/orders/acknowledgement/acknowledge-orders.ts'
import { cancelOrder } from '../../src/domain/orders/cancel-order.ts'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { changeOrder, insertOrder, orderByRemoteId } from '../../src/domain/orders/order-store.ts'
import { removeVanishedOrders, upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import type { SyncedParcel } from '../../src/domain/orders/parcels/parcel.ts'
import { deleteOrder } from '../../src/domain/orders/privacy/delete-order-store.ts'
import { historyOfOrders } from '../../src/domain/orders/privacy/history-store.ts'
import { storeReturns } from '../../src/domain/orders/returns/return-store.ts'
import { exportProducts } from '../../src/domain/products/export-products.ts'
import { findProducts } from '../../src/domain/products/product-store.ts'
import { removeVanishedProducts, upsertProducts } from '../../src/domain/products/product-upsert-store.ts'
import { recordShipment } from '../../src/domain/shipments/record-shipment.ts'
import { shipmentsOfOrders } from '../../src/domain/shipments/shipment-list-store.ts'
import { createSubscription } from '../../src/domain/webhooks/create-subscription.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { makeIntegration } from '../support/gateway.ts'
import { makeAccount, makeApp } from '../support/identity.ts'
import { incomingOrder, orderInput } from '../support/orders.ts'
import { openWebhookLab, type WebhookLab } from '../support/webhook-lab.ts'

let lab: WebhookLab

beforeAll(async () => {
  lab = await openWebhookLab()
  await lab.subscribe('http://127.0.0.1:9/hook')
})
afterAll(() => lab.close())

interface Event {
  id: number
  type: EventType
  subject: string
  data: Record<string, unknown>
}

type Whose = { app_id: number } | { integration_id: number }

async function eventsSince(id: number, whose: Whose): Promise<Event[]> {
  const rows = await lab.context.db
    .selectFrom('webhook_events')
    .select(['id', 'type', 'subject', 'data'])
    .where((eb) => eb.and(whose))
    .where('id', '>', id)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, type: row.type as EventType, data: JSON.parse(row.data) }))
}

const lastEvent = async (whose: Whose) => (await eventsSince(0, whose)).at(-1)?.id ?? 0

/** What happened meanwhile to one tenant; every event is as the catalogue says. */
async function during(work: () => Promise<unknown>, whose: Whose = { app_id: lab.appId }): Promise<Event[]> {
  const before = await lastEvent(whose)
  await work()
  const made = await eventsSince(before, whose)
  for (const { type, data } of made) expect([type, [...Value.Errors(events[type].data, data)]]).toEqual([type, []])
  return made
}

const typesOf = (made: readonly Event[]) => made.map(({ type }) => type)

describe('orders', () => {
  test('that are made, changed, acknowledged, cancelled and deleted here are told', async () => {
    const { context, integration } = lab
    const made = await during(async () => {
      const order = await createOrder(context, integration, orderInput({ number: '#7' }))
      const change = { id: order.id, changes: { number: '#8' } }
      await context.transaction((trx) => changeOrder(trx, integration.id, change))
      await acknowledgeOrders(context, integration, [order.id])
      await cancelOrder(context, integration, { order, reason: null })
      await context.transaction((trx) => deleteOrder(trx, integration.id, order.id))
    })
    expect(typesOf(made)).toEqual([
      'order.created',
      'order.updated',
      'order.updated',
      'order.acknowledged',
      'order.updated',
      'order.cancelled',
      'order.deleted',
    ])
    expect(new Set(made.map(({ subject }) => subject)).size).toBe(1)
    expect(made[3]?.data).toMatchObject({ status: 'ACKNOWLEDGED', previous_status: 'PENDING', number: '#8' })
  })

  test('that a shop tells of are told, changes only if there are any', async () => {
    const { context, integration } = lab
    const sync = async (...orders: ReturnType<typeof incomingOrder>[]) => {
      const ids = await takeIds(context.db, 'orders', orders.length)
      await context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
    }
    const vanish = (id: string) => context.transaction((trx) => removeVanishedOrders(trx, integration.id, [id]))
    expect(typesOf(await during(() => sync(incomingOrder('a'), incomingOrder('b'))))).toEqual([
      'order.created',
      'order.created',
    ])
    expect(await during(() => sync(incomingOrder('a')))).toEqual([])
    const cancelled = incomingOrder('a', { status: 'CANCELLED', remote_version: '2' })
    const made = await during(() => sync(cancelled, incomingOrder('b')))
    expect(typesOf(made)).toEqual(['order.updated', 'order.cancelled'])
    expect(made[0]?.data).toMatchObject({ status: 'CANCELLED', previous_status: 'PENDING', remote_id: 'a' })
    expect(typesOf(await during(() => vanish('b')))).toEqual(['order.deleted'])
    expect(typesOf(await during(() => sync(incomingOrder('b'))))).toEqual(['order.created'])
  })

  test('that the buyer wants cancelled are told once for each wish, with a line in their history', async () => {
    const { context, integration } = lab
    const sync = async (more: Parameters<typeof incomingOrder>[1]) => {
      const ids = await takeIds(context.db, 'orders', 1)
      await context.transaction((trx) =>
        upsertOrders(trx, integration.id, { ids, orders: [incomingOrder('wish', more)] }),
      )
    }
    const told = async (version: string, more: Parameters<typeof incomingOrder>[1]) =>
      typesOf(await during(() => sync({ remote_version: version, ...more })))
    const wanted = { cancel_requested: true }
    expect(await told('1', {})).toEqual(['order.created'])
    expect(await told('2', wanted)).toEqual(['order.updated', 'order.cancel_requested'])
    expect(await told('2', wanted)).toEqual([])
    expect(await told('3', { ...wanted, total: '11.00' })).toEqual(['order.updated'])
    expect(await told('4', {})).toEqual(['order.updated'])
    expect(await told('5', wanted)).toEqual(['order.updated', 'order.cancel_requested'])
    expect(await told('6', { status: 'CANCELLED' })).toEqual(['order.updated', 'order.cancelled'])
    expect(await told('7', { status: 'CANCELLED', ...wanted })).toEqual(['order.updated'])
    const { id } = await orderByRemoteId(context.db, integration.id, 'wish')
    const made = 'The buyer asked for the order to be cancelled.'
    const withdrawn = 'The buyer no longer wants the order cancelled.'
    expect((await historyOfOrders(context.db, integration.id, [id])).map(({ note }) => note)).toEqual([
      null,
      made,
      withdrawn,
      made,
      null,
    ])
    const born = await during(async () => {
      const ids = await takeIds(context.db, 'orders', 1)
      await context.transaction((trx) =>
        upsertOrders(trx, integration.id, { ids, orders: [incomingOrder('born', wanted)] }),
      )
    })
    expect(typesOf(born)).toEqual(['order.created', 'order.cancel_requested'])
  })

  test('that come back are told once for each return, with a line in their history for each step', async () => {
    const { context, integration } = lab
    const back = (id: string, status: OrderReturn['status']): OrderReturn => ({
      ...{ remote_id: id, status, remote_status: status, requested_at: '2026-11-03T10:00:00.000000Z' },
      lines: [{ order_line_remote_id: 'L1', quantity: 1, reason: 'Too small' }],
    })
    const told = async (version: string, returns: OrderReturn[]) =>
      typesOf(
        await during(async () => {
          const ids = await takeIds(context.db, 'orders', 1)
          const orders = [incomingOrder('back', { remote_version: version, returns })]
          await context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
        }),
      )
    expect(await told('1', [])).toEqual(['order.created'])
    const [first, over] = [back('1', 'requested'), back('2', 'completed')]
    expect(await told('2', [first])).toEqual(['order.updated', 'order.return_requested'])
    expect(await told('2', [first])).toEqual([])
    expect(await told('3', [back('1', 'partially_received')])).toEqual(['order.updated'])
    // What is over before anybody hears of it asks for nothing.
    expect(await told('4', [back('1', 'received'), over])).toEqual(['order.updated'])
    expect(await told('5', [back('1', 'received'), over, back('3', 'approved')])).toContain('order.return_requested')
    const order = await orderByRemoteId(context.db, integration.id, 'back')
    expect((await historyOfOrders(context.db, integration.id, [order.id])).map(({ note }) => note)).toEqual([
      null,
      'A return was requested.',
      'A return is partially received.',
      'A return is received. A return is completed.',
      'A return was requested.',
    ])
    expect(order.returns).toMatchObject([{ status: 'received' }, { status: 'completed' }, { status: 'approved' }])
  })

  test('that come back as a list of returns tells are told once; what was there before anybody asked requests nothing', async () => {
    const { context, integration } = lab
    const ids = await takeIds(context.db, 'orders', 1)
    const orders = [incomingOrder('listed')]
    await context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
    const listed = async (id: string, isFirst: boolean) =>
      typesOf(
        await during(async () => {
          const back = {
            remote_id: id,
            status: 'requested' as const,
            remote_status: 'OPEN',
            requested_at: null,
            lines: [],
          }
          const returns = [{ order_remote_id: 'listed', updated_at: '2026-11-03T10:00:00.000000Z', told: back }]
          await context.transaction((trx) => storeReturns(trx, integration.id, { returns, isFirst }))
        }),
      )
    expect(await listed('1', true)).toEqual(['order.updated'])
    expect(await listed('2', false)).toEqual(['order.updated', 'order.return_requested'])
    expect(await listed('2', false)).toEqual([])
  })

  test('that are shipped are told with their parcel, once', async () => {
    const { context, integration } = lab
    const order = await createOrder(context, integration, orderInput())
    const parcel = { order_id: order.id, tracking_number: 'T1', carrier: 'DHL' }
    const made = await during(() => recordShipment(context, integration, parcel))
    expect(typesOf(made)).toEqual(['shipment.created', 'order.updated'])
    expect(new Set(made.map(({ subject }) => subject)).size).toBe(1)
    expect(typesOf(await during(() => recordShipment(context, integration, parcel)))).toEqual([])
    const arrived = await during(() => recordShipment(context, integration, { ...parcel, status: 'DELIVERED' }))
    expect(typesOf(arrived)).toEqual(['shipment.updated', 'order.updated'])
    expect(arrived[0]?.data).toMatchObject({ status: 'DELIVERED', previous_status: 'SHIPPED' })
  })
})

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

describe('products', () => {
  const product = {
    remote_id: 'p',
    sku: 'p',
    name: 'Kettle',
    description: null,
    price: '1.00',
    currency: 'EUR',
    quantity: 3,
    active: true,
    images: [],
    variants: [],
    remote_status: null,
    remote_version: '1',
  }
  const sync = async (more: object) => {
    const { context, integration } = lab
    const ids = await takeIds(context.db, 'products', 1)
    const products = [{ ...product, ...more }]
    return await context.transaction((trx) => upsertProducts(trx, integration.id, { ids, products }))
  }

  test('of a shop are told when they come, change and go', async () => {
    const { context, integration } = lab
    const made = await during(async () => {
      await sync({})
      await sync({})
      await sync({ name: 'Pot', remote_version: '2' })
      await context.transaction((trx) => removeVanishedProducts(trx, integration.id, ['p']))
    })
    expect(typesOf(made)).toEqual(['product.created', 'product.updated', 'product.deleted'])
  })

  test('that we put into the shop are told, those that it refuses are not', async () => {
    const { context, integration } = lab
    const taken = await sync({ remote_id: 'taken', sku: 'taken' })
    const refused = await sync({ remote_id: 'refused', sku: 'refused', price: 'NaN' })
    const ids = [...taken.inserted, ...refused.inserted]
    const made = await during(() => exportProducts(context, integration, ids))
    expect(typesOf(made)).toEqual(['product.updated'])
    const [row] = await findProducts(context.db, integration.id, taken.inserted)
    expect(row?.exported_at).not.toBeNull()
    expect(made[0]?.data).toMatchObject({ id: row?.id, sku: 'taken', updated_at: row?.updated_at })
  })

  test('whose stock we set are told with the level, if they show another one', async () => {
    const { context, integration } = lab
    await sync({ remote_id: 'stocked', sku: 'SKU-00003-1', quantity: 3 })
    const made = await during(() => setInventory(context, integration, [{ sku: 'SKU-00003-1', quantity: 8 }]))
    expect(typesOf(made)).toEqual(['inventory.updated', 'product.updated'])
    expect(made[1]?.data).toMatchObject({ sku: 'SKU-00003-1', quantity: 8 })
  })
})

test('stock levels are told when they change here or in the shop, and when they go', async () => {
  const { context, integration } = lab
  const level = { sku: 's', location: 'here', quantity: 4, remote_id: 'l', remote_version: '1' }
  const made = await during(async () => {
    await setInventory(context, integration, [{ sku: 'SKU-00001-1', quantity: 5 }])
    await context.transaction((trx) => upsertSyncedLevels(trx, integration.id, [level]))
    await context.transaction((trx) => upsertSyncedLevels(trx, integration.id, [level]))
    await context.transaction((trx) => removeVanishedLevels(trx, integration.id, [level]))
  })
  expect(typesOf(made)).toEqual(['inventory.updated', 'inventory.updated', 'inventory.deleted'])
  expect(made.map(({ data }) => data['location'])).toEqual([null, 'here', 'here'])
})

test('an integration is told of through all its life', async () => {
  const { context, appId } = lab
  const accountId = await makeAccount(context, appId, 'merchant')
  const { integration } = await makeIntegration(context, { appId, accountId }, { status: 'PENDING' })
  const { id } = integration
  const granted = { credentials: { api_key: 'k' }, expiresAt: null, granted: null }
  const made = await during(async () => {
    await activateIntegration(context, id, granted)
    await updateIntegration(context, integration, { name: 'Another name' })
    await reportFailure(context, id, { reason: 'credentials_rejected', message: 'No.' })
    await context.transaction(async (trx) => recoverIntegration(context, trx, await lockIntegration(trx, id)))
    await moveIntegration(context, { id, status: 'INACTIVE' })
    await uninstallIntegration(context, id)
    await activateIntegration(context, id, granted)
    await context.transaction((trx) => uninstallOfAccount(trx, accountId))
  })
  const changed = 'integration.status_changed'
  expect(typesOf(made)).toEqual([
    'integration.installed',
    changed,
    'integration.updated',
    'integration.error',
    changed,
    'integration.recovered',
    changed,
    changed,
    'integration.uninstalled',
    changed,
    'integration.installed',
    changed,
    'integration.uninstalled',
    changed,
  ])
  expect(made[3]?.data).toMatchObject({
    status: 'ERROR',
    previous_status: 'ACTIVE',
    status_reason: 'credentials_rejected',
  })
})

test('the end of a consent is told once, a month before, and anew after another one', async () => {
  const { context, appId } = lab
  const accountId = await makeAccount(context, appId, 'agreed')
  const { integration } = await makeIntegration(context, { appId, accountId }, { status: 'PENDING' })
  const { id } = integration
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const agree = (days: number | null) =>
    activateIntegration(context, id, {
      ...{ credentials: { api_key: 'k' }, expiresAt: null, granted: null },
      consentEndsAt: days === null ? null : inDays(days),
    })
  const look = async () => {
    const made = await during(async () => {
      for (const _ of [1, 2])
        await announceConsents.run(context, {}, { signal: new AbortController().signal, attempt: 1 })
    })
    return made.filter(({ type, data }) => type === 'integration.consent_ending' && data['id'] === id)
  }
  for (const [days, times] of [
    [31, 0],
    [29, 1],
    [29, 1],
    [null, 0],
  ] as const) {
    await agree(days)
    const made = await look()
    expect(made).toHaveLength(times)
    for (const { data } of made) {
      expect([...Value.Errors(events['integration.consent_ending'].data, data)]).toEqual([])
    }
  }
  await agree(29)
  await uninstallIntegration(context, id)
  expect(await look()).toEqual([])
})

describe('an event', () => {
  test('exists if, and only if, the transaction that caused it does', async () => {
    const { context, integration } = lab
    const input = orderInput()
    const undone = new Error('taken back')
    const made = await during(() =>
      context
        .transaction(async (trx) => {
          const [id = 0] = await takeIds(context.db, 'orders', 1)
          await insertOrder(trx, integration.id, { ...input, id, remote_id: 'undone', sandbox: false })
          throw undone
        })
        .catch((error: unknown) => expect(error).toBe(undone)),
    )
    expect(made).toEqual([])
  })

  test('that nobody listens to is not written', async () => {
    const { context } = lab
    const { integration } = await makeIntegration(context, { appId: null })
    const work = () => createOrder(context, integration, orderInput())
    expect(await during(work, { integration_id: integration.id })).toEqual([])
  })

  test('goes to the webhooks of its app and of its integration that asked for its type', async () => {
    const { context, appId, integration } = lab
    const url = 'http://127.0.0.1:9/hook'
    const other = await makeIntegration(context, { appId })
    const owner = { appId, integrationId: integration.id }
    const mine = await createSubscription(context, owner, { url, event: 'order.created' })
    const deaf = await createSubscription(context, owner, { url, event: 'order.deleted' })
    const elsewhere = await createSubscription(
      context,
      { appId, integrationId: other.integration.id },
      { url, event: 'order.created' },
    )
    const { webhook: some } = await lab.subscribe(url, ['run.failed', 'order.created'])
    const { webhook: none } = await lab.subscribe(url, ['run.failed'])
    const [event] = await during(() => createOrder(context, integration, orderInput()))
    const deliveries = await context.db
      .selectFrom('webhook_deliveries')
      .select('webhook_id')
      .where('event_id', '=', event?.id ?? 0)
      .execute()
    const ids = deliveries.map(({ webhook_id }) => webhook_id)
    expect(ids).toEqual(expect.arrayContaining([mine.subscription.id, some.id]))
    for (const { id } of [deaf.subscription, elsewhere.subscription, none]) expect(ids).not.toContain(id)
  })
})

test('the guide names every event there is, in the words of the catalogue', async () => {
  const guide = await readFile('docs/guides/webhooks.md', 'utf8')
  const missing = eventTypes.filter((type) => !guide.includes(`| \`${type}\` | ${events[type].words} |`))
  expect(missing).toEqual([])
})
