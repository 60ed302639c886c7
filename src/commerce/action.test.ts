import { describe, expect, test } from 'vitest'
import { bare, form, never, orders, reads, translate, whole } from '../../test/support/bare-connector.ts'
import { object } from '../lib/validation/fields.ts'
import { validate } from '../lib/validation/validate.ts'
import { type ActionName, actionNames, actions, actionsOf, isActionName, offers } from './action.ts'
import { authTypeOf, capabilitiesOf, typedForm } from './capabilities.ts'
import { keyHandover, oauth2, typedKeys } from './connector/auth.ts'
import type { Connector } from './connector.ts'
import { connectorFor } from './connectors.ts'

const taken = (name: ActionName, input: unknown) => validate(actions[name].input, input).ok

describe('what can be run', () => {
  const long = ['sync_orders', 'sync_products', 'sync_inventory', 'reconcile']
  const ofOrders: ActionName[] = [
    'get_orders',
    'get_order',
    'get_order_statuses',
    'sync_orders',
    'reconcile',
    'test_connection',
  ]

  test('is listed by name', () => {
    expect(Object.entries(actions).map(([name, { summary }]) => [name, summary])).toEqual([
      ['get_orders', 'A page of orders from the shop'],
      ['get_order', 'One order from the shop'],
      ['get_order_statuses', 'The statuses that orders can have in the shop'],
      ['create_order', 'Create an order in the shop'],
      ['cancel_order', 'Cancel an order in the shop'],
      ['cancel_order_lines', 'Cancel single lines of an order in the shop'],
      ['create_refund', 'Refund an amount or lines of an order in the shop'],
      ['annotate_order', 'Write a note or tags on an order in the shop'],
      ['hold_order', 'Put an order on hold in the shop'],
      ['release_order', 'Release an order that is on hold in the shop'],
      ['capture_payment', 'Capture the authorised payment of an order in the shop'],
      ['acknowledge_orders', 'Acknowledge orders at the shop'],
      ['get_products', 'A page of products from the shop'],
      ['export_products', 'Create or update products in the shop'],
      ['set_prices', 'Set prices in the shop'],
      ['get_customers', 'A page of customers from the shop'],
      ['get_customer', 'One customer from the shop'],
      ['get_inventory', 'A page of stock levels from the shop'],
      ['set_inventory', 'Set stock levels in the shop'],
      ['create_shipment', 'Send a shipment to the shop'],
      ['amend_shipment', 'Correct carrier, number or link of a shipment in the shop'],
      ['cancel_shipment', 'Cancel a shipment in the shop'],
      ['test_connection', 'Check whether the shop accepts the credentials'],
      ['sync_orders', 'Bring our copy of the orders up to date'],
      ['sync_products', 'Bring our copy of the products up to date'],
      ['sync_inventory', 'Bring our copy of the stock levels up to date'],
      ['reconcile', 'Compare our copy with the shop and repair it'],
    ])
    expect(actionNames.filter((name) => actions[name].long)).toEqual(long)
    expect(['get_orders', 'toString', ''].map(isActionName)).toEqual([true, false, false])
  })

  test('is what the connector has parts for', () => {
    expect(actionsOf(whole)).toEqual(actionNames)
    expect(actionsOf(bare)).toEqual(['test_connection'])
    const sorted = (connector: Connector) => [...actionsOf(connector)].sort()
    expect(sorted({ ...bare, orders })).toEqual([...ofOrders].sort())
    expect(sorted({ ...bare, products: reads })).toEqual([
      'get_products',
      'reconcile',
      'sync_products',
      'test_connection',
    ])
    expect(sorted({ ...bare, inventory: { ...reads, locations: false } })).toEqual([
      'get_inventory',
      'reconcile',
      'sync_inventory',
      'test_connection',
    ])
    expect([offers(whole, 'create_order'), offers(bare, 'create_order'), offers(whole, 'toString')]).toEqual([
      true,
      false,
      false,
    ])
  })

  const inputs: [ActionName, unknown, boolean][] = [
    ['get_orders', {}, true],
    ['get_orders', { order_status: ['open'], updated_since: '2026-10-01T08:00:00Z', cursor: 'x', limit: 250 }, true],
    ['get_orders', { order_status: [5] }, false],
    ['get_orders', { order_status: Array.from({ length: 51 }, (_, n) => `${n}`) }, false],
    ['get_orders', { updated_since: 'yesterday' }, false],
    ['get_orders', { cursor: 'x'.repeat(2001) }, false],
    ['get_orders', { limit: 251 }, false],
    ['get_orders', { limit: 0 }, false],
    ['get_order', { remote_id: '1' }, true],
    ['get_order', {}, false],
    ['cancel_order', { remote_id: '1', reason: null }, true],
    ['cancel_order', { remote_id: '1', reason: 5 }, false],
    ['cancel_order', {}, false],
    ['cancel_order_lines', { order_remote_id: '1', lines: [{ order_line_remote_id: '2', quantity: 1 }] }, true],
    ['cancel_order_lines', { order_remote_id: '1', lines: [] }, false],
    ['create_refund', { order_remote_id: '1', amount: '10.50', force: true }, true],
    ['create_refund', { order_remote_id: '1', amount: '-1' }, false],
    ['create_refund', { order_remote_id: '1', lines: [{ order_line_remote_id: '2', quantity: 0 }] }, false],
    ['acknowledge_orders', { remote_ids: ['1', '2'] }, true],
    ['acknowledge_orders', { remote_ids: [] }, false],
    ['acknowledge_orders', { remote_ids: ['1', '1'] }, false],
    ['acknowledge_orders', { remote_ids: Array.from({ length: 101 }, (_, n) => `${n}`) }, false],
    ['get_products', { limit: 251 }, false],
    ['get_products', { updated_since: 'yesterday' }, false],
    ['export_products', { products: [] }, false],
    ['export_products', {}, false],
    ['get_customers', { limit: 50, cursor: 'next' }, true],
    ['get_customers', { limit: 251 }, false],
    ['get_customer', { remote_id: '5' }, true],
    ['get_customer', {}, false],
    ['get_inventory', { limit: 251 }, false],
    ['get_inventory', { updated_since: 'yesterday' }, false],
    ['set_inventory', { items: [{ sku: 'CUP', quantity: 5 }] }, true],
    ['set_inventory', { items: [] }, false],
    ['set_inventory', { items: Array.from({ length: 1001 }, (_, n) => ({ sku: `${n}`, quantity: 5 })) }, false],
    ['set_inventory', {}, false],
    ['set_prices', { items: [{ sku: 'CUP', price: '12.90', compare_at_price: null, currency: 'EUR' }] }, true],
    ['set_prices', { items: [{ variant_remote_id: '1', price: '12', currency: 'EUR' }] }, true],
    ['set_prices', { items: [{ price: '12', currency: 'EUR' }] }, false],
    ['set_prices', { items: [{ sku: 'CUP', price: '-1', currency: 'EUR' }] }, false],
    ['set_prices', { items: [{ sku: 'CUP', price: '1', currency: 'euro' }] }, false],
    ['set_prices', { items: [] }, false],
    ['annotate_order', { order_remote_id: '1', note: 'Ring twice.', add_tags: ['vip'] }, true],
    ['annotate_order', { order_remote_id: '1', add_tags: ['vip', 'vip'] }, false],
    ['annotate_order', { note: 'Ring twice.' }, false],
    ['hold_order', { order_remote_id: '1', reason: null }, true],
    ['hold_order', {}, false],
    ['release_order', { order_remote_id: '1' }, true],
    ['release_order', {}, false],
    ['capture_payment', { order_remote_id: '1' }, true],
    ['capture_payment', {}, false],
    ['cancel_shipment', { order_remote_id: '1', tracking_number: 'T', force: true }, true],
    ['cancel_shipment', { tracking_number: 'T' }, false],
    ['create_order', {}, false],
    ['create_shipment', {}, false],
    ['test_connection', {}, true],
    ['sync_orders', { mode: 'full', updated_since: null }, true],
    ['sync_orders', { mode: 'incremental' }, true],
    ['sync_orders', { mode: 'half' }, false],
    ['sync_products', { updated_since: 'yesterday' }, false],
    ['sync_inventory', { mode: 'half' }, false],
    ['reconcile', { resources: ['orders', 'products', 'inventory'] }, true],
    ['reconcile', { resources: ['shipments'] }, false],
    ['reconcile', { resources: [] }, false],
    ['reconcile', { resources: ['orders', 'orders'] }, false],
    ['reconcile', { updated_since: 'yesterday' }, false],
  ]
  test.each(inputs)('%s with %j: %s', (name, input, ok) => {
    expect(taken(name, input)).toBe(ok)
  })
})

describe('what a service can do', () => {
  test('is read off its connector', () => {
    const topics = { 'order.created': ['orders/create'], 'app.uninstalled': ['app/uninstalled'] }
    const webhooks = { topics, registration: { kind: 'portal' }, verify: () => true, read: translate } as const
    expect(capabilitiesOf({ ...whole, webhooks })).toEqual({
      actions: actionNames,
      webhooks: ['order.created', 'app.uninstalled'],
      webhooks_entered: false,
      inventory_locations: true,
      compare_at_prices: true,
      partial_shipments: true,
      amend_shipments: true,
      fractional_quantities: false,
      cancel_shipments: true,
      order_notes: true,
      order_tags: true,
      refund_by: ['amount', 'lines'],
      refund_restock: true,
      capture_parts: true,
      cancel_lines: true,
      returns: false,
      order_choices: [],
      product_choices: [],
      resources: [],
      acknowledge_within_hours: 4,
      settings: form,
      credentials: form,
    })
    expect(capabilitiesOf(bare)).toMatchObject({
      actions: ['test_connection'],
      webhooks: [],
      webhooks_entered: false,
      inventory_locations: false,
      partial_shipments: false,
      acknowledge_within_hours: null,
    })
  })

  const key = object({ api_key: form })
  const rest = { credentials: key, checkAccess: never, authorizeUrl: () => 'https://shop.example' }
  const typed = { form: key, keep: () => ({}) }
  const handover = keyHandover({ ...rest, readHandover: () => null, readReturn: () => null })
  const grant = oauth2({ ...rest, pkce: false, client: form, scopes: [], exchange: never })

  test('with keys that people type, or none', () => {
    expect(typedForm({ auth: typedKeys({ credentials: key, checkAccess: never }) })).toBe(key)
    expect([typedForm({ auth: handover }), typedForm({ auth: grant })]).toEqual([null, null])
    expect([typedForm({ auth: { ...handover, typed } }), typedForm({ auth: { ...grant, typed } })]).toEqual([key, key])
  })

  test('and how it is opened', () => {
    expect([bare, { ...bare, auth: handover }, { ...bare, auth: grant }].map(authTypeOf)).toEqual([
      'none',
      'api_key',
      'oauth2',
    ])
    expect([handover.kind, grant.kind]).toEqual(['key_handover', 'oauth2'])
  })
})

test('a connector is found by its type, or made of the definition of its service', () => {
  const connectors = Object.assign(new Map([['bare', bare]]), { define: () => whole })
  expect(connectorFor(connectors, { type: 'bare', definition: null })).toBe(bare)
  expect(connectorFor(connectors, { type: 'bare', definition: {} })).toBe(whole)
  expect(connectorFor(new Map(), { type: 'bare', definition: {} })).toBeUndefined()
})
