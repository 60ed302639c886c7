import { describe, expect, test } from 'vitest'
import { openShopify } from '../../../test/support/shopify-shop.ts'
import type { ReadQuery } from '../../commerce/connector/reads.ts'
import type { Fields } from '../../commerce/reading.ts'
import { orders } from './orders.ts'
import { toOrder } from './translate-order.ts'
import { webhooks } from './webhooks.ts'

const shop = 'coffee-stand.myshopify.com'
const facts = { shop, settings: {} }
const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 50 }

describe('messages', () => {
  const headers = (topic: string) => ({
    'x-shopify-topic': topic,
    'x-shopify-shop-domain': shop,
    'x-shopify-webhook-id': 'm1',
    'x-shopify-triggered-at': '2026-11-01T09:00:01.123456789Z',
  })
  const read = (topic: string, body: unknown, more = {}) =>
    webhooks.read(
      { method: 'POST', headers: { ...headers(topic), ...more }, query: {}, raw: Buffer.from(JSON.stringify(body)) },
      facts,
    )

  test('name what changed', () => {
    expect(read('orders/updated', { id: 450789469 })).toEqual({
      deliveryId: 'm1',
      topic: 'order.updated',
      changes: [{ kind: 'order', remoteId: 'gid://shopify/Order/450789469', raw: null }],
      at: '2026-11-01T09:00:01.123456Z',
      privacy: null,
    })
    const edited = read('orders/edited', { order_edit: { order_id: 5 } })
    expect(edited.changes[0]?.remoteId).toBe('gid://shopify/Order/5')
    const ofReturns = [
      read('returns/request', { id: 1, status: 'requested', order: { id: 6 } }),
      read('returns/close', { id: 1, status: 'closed', order_id: 6 }),
    ]
    const changes = [{ kind: 'order', remoteId: 'gid://shopify/Order/6', raw: null }]
    expect(ofReturns).toMatchObject([
      { topic: 'order.updated', changes },
      { topic: 'order.updated', changes },
    ])
    expect(read('inventory_levels/update', { inventory_item_id: 3 }).changes[0]).toMatchObject({ kind: 'inventory' })
    expect(read('themes/publish', { id: 1 })).toMatchObject({ topic: null, changes: [] })
  })

  test('about privacy name whom and which orders', () => {
    const customer = { id: 191167, email: 'john@example.com', phone: '555-625-1199' }
    const subject = { remoteId: 'gid://shopify/Customer/191167', email: 'john@example.com', phone: '555-625-1199' }
    expect(read('customers/data_request', { shop_domain: shop, customer, orders_requested: [1, 2] })).toMatchObject({
      topic: 'privacy.customer_data',
      privacy: { customer: subject, orderRemoteIds: ['gid://shopify/Order/1', 'gid://shopify/Order/2'] },
    })
    expect(read('customers/redact', { shop_domain: shop, customer, orders_to_redact: [3] })).toMatchObject({
      topic: 'privacy.customer_redact',
      privacy: { orderRemoteIds: ['gid://shopify/Order/3'] },
    })
    expect(read('shop/redact', { shop_id: 1, shop_domain: shop })).toMatchObject({
      topic: 'privacy.shop_redact',
      privacy: { customer: null, orderRemoteIds: [] },
    })
  })

  test('of another shop of the same app are none of this one', () => {
    expect(() => read('orders/updated', { id: 1 }, { 'x-shopify-shop-domain': 'other.myshopify.com' })).toThrow(
      TypeError,
    )
    expect(() => read('app/uninstalled', { id: 1, myshopify_domain: 'other.myshopify.com' })).toThrow(TypeError)
    expect(() => read('orders/updated', { id: 1 }, { 'x-shopify-webhook-id': '' })).toThrow(TypeError)
  })

  test('that take away or delete are what their signed body says, not what the header says', () => {
    const order = { id: 450789469, customer: { id: 1, email: 'john@example.com' } }
    const shopResource = { id: 1, name: 'Harbour', domain: 'harbour.example', myshopify_domain: shop }
    const named = { shop_id: 1, shop_domain: shop }
    const bodies = {
      'orders/updated': order,
      'app/uninstalled': shopResource,
      'customers/data_request': { ...named, customer: { id: 1 }, orders_requested: [1], data_request: { id: 9 } },
      'customers/redact': { ...named, customer: { id: 1 }, orders_to_redact: [1] },
      'shop/redact': named,
    }
    const topics = Object.keys(bodies).filter((topic) => topic !== 'orders/updated')
    for (const [signed, body] of Object.entries(bodies)) {
      for (const topic of topics) {
        if (signed === topic) expect(read(topic, body)).toMatchObject({ changes: [] })
        else expect(() => read(topic, body), `${signed} as ${topic}`).toThrow(TypeError)
      }
    }
    expect(() => read('shop/redact', { shop_id: 1 })).toThrow(TypeError)
    expect(() => read('app/uninstalled', { id: 1, myshopify_domain: null })).toThrow(TypeError)
  })

  test('about parts that are held or moved lead to the order', async () => {
    const { openOrder, shop: opened } = openShopify()
    const id = openOrder()
    const part = `gid://shopify/FulfillmentOrder/${4_000_000_000 + 100 * (Number(id.replace(/^.*\//, '')) - 5_000_000_001)}`
    const held = read('fulfillment_orders/placed_on_hold', { fulfillment_order: { id: part, status: 'on_hold' } })
    const moved = read('fulfillment_orders/moved', {
      ...{ original_fulfillment_order: { id: 'x' }, moved_fulfillment_order: { id: part } },
    })
    const changes = [{ kind: 'order', remoteId: part, raw: null }]
    expect([held, moved]).toMatchObject([
      { topic: 'order.updated', changes },
      { topic: 'order.updated', changes },
    ])
    expect(toOrder(await orders.get(opened, part)).remote_id).toBe(id)
    expect(await orders.get(opened, 'gid://shopify/FulfillmentOrder/1')).toBeNull()
  })

  test('about returns lead to the order, also where they name the return alone', async () => {
    const { shop: opened } = openShopify()
    const granted = { ...opened, granted: ['read_orders', 'read_returns'] }
    const { items } = await orders.list(granted, query)
    const returned = items.map((item) => toOrder(item)).find(({ returns = [] }) => returns.length > 0)
    const [order, back] = [returned?.remote_id ?? '', returned?.returns?.[0]?.remote_id ?? '']
    const number = order.replace(/^.*\//, '')
    const remoteId = (topic: string, body: object) => read(topic, body).changes[0]?.remoteId
    expect(remoteId('returns/request', { id: 1, order: { id: Number(number) } })).toBe(order)
    expect(remoteId('returns/close', { id: 1, order_id: Number(number) })).toBe(order)
    expect(remoteId('returns/update', { admin_graphql_api_id: back, return_line_items: {} })).toBe(back)
    expect(remoteId('returns/process', { id: Number(back.replace(/^.*\//, '')) })).toBe(back)
    expect(toOrder(await orders.get(granted, back))).toMatchObject({
      remote_id: order,
      returns: [{ remote_id: back }],
    })
    expect(await orders.get(granted, 'gid://shopify/Return/1')).toBeNull()
  })

  test('are registered but for what Shopify refuses, topic by topic', async () => {
    const { shop: opened } = openShopify({ variant: { scopes: 'read_orders,read_products' } })
    const { registration } = webhooks
    if (registration.kind !== 'api') throw new Error('Webhooks are not registered.')
    const topics = ['app.uninstalled', 'shipment.updated', 'order.created', 'product.updated'] as const
    const refused: string[] = []
    const onRefusal = (topic: string) => void refused.push(topic)
    const wanted = { url: 'https://entrepot.example/in', topics, secret: '', onRefusal }
    await registration.register(opened, wanted)
    const made = (await registration.list(opened)).map(({ topic }) => topic)
    expect(made).toEqual(['APP_UNINSTALLED', 'ORDERS_CREATE', 'PRODUCTS_CREATE', 'PRODUCTS_UPDATE'])
    expect(refused).toEqual(['FULFILLMENTS_CREATE', 'FULFILLMENTS_UPDATE'])
  })

  test('carry no more than is needed, and those about privacy are not registered', async () => {
    const { sentAs, shop: opened } = openShopify()
    if (webhooks.registration.kind !== 'api') return
    const topics = ['order.updated', 'app.uninstalled', 'privacy.shop_redact'] as const
    await webhooks.registration.register(opened, { url: 'https://entrepot.example/in', topics, secret: '' })
    expect((await webhooks.registration.list(opened)).map(({ topic }) => topic)).toEqual([
      'ORDERS_UPDATED',
      'ORDERS_EDITED',
      'ORDERS_DELETE',
      'FULFILLMENT_ORDERS_PLACED_ON_HOLD',
      'FULFILLMENT_ORDERS_HOLD_RELEASED',
      'FULFILLMENT_ORDERS_MOVED',
      'FULFILLMENT_ORDERS_RESCHEDULED',
      'FULFILLMENT_ORDERS_SCHEDULED_FULFILLMENT_ORDER_READY',
      'APP_UNINSTALLED',
    ])
    const sent = sentAs('mutation Subscribe').map(({ webhook }) => webhook as Fields)
    expect(sent[0]?.['includeFields']).toEqual(['id', 'updated_at'])
  })

  test('of returns are registered where the shop has granted the right to read them', async () => {
    const { sentAs, shop: opened } = openShopify()
    if (webhooks.registration.kind !== 'api') return
    const wanted = { url: 'https://entrepot.example/in', topics: ['order.updated' as const], secret: '' }
    await webhooks.registration.register({ ...opened, granted: ['read_orders', 'read_returns'] }, wanted)
    const words = sentAs('mutation Subscribe').filter(({ topic }) => String(topic).startsWith('RETURNS_'))
    expect(words.map(({ topic }) => topic)).toEqual([
      ...['RETURNS_REQUEST', 'RETURNS_APPROVE', 'RETURNS_DECLINE', 'RETURNS_CANCEL', 'RETURNS_CLOSE', 'RETURNS_REOPEN'],
      ...['RETURNS_UPDATE', 'RETURNS_PROCESS'],
    ])
    expect(words[0]?.['webhook']).toMatchObject({ includeFields: ['id', 'admin_graphql_api_id', 'order', 'order_id'] })
  })
})
