import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { hasSpecifications, noSpecifications, readSample } from '../../../test/support/vendor-specification.ts'
import { type Fields, fieldsIn, fieldsOf, recordsIn } from '../../commerce/reading.ts'
import { tiktokShop } from './index.ts'
import { inventory } from './inventory.ts'
import { webhooks } from './messages/webhooks.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import { returns } from './refunds/read-returns.ts'
import type { Credentials, Settings } from './settings.ts'

const facts = { shop: 'uslcabcd12', settings: { shop_cipher: 'ROW_c', shop_id: '7494', region: 'US' } }
const credentials = { access_token: 't', refresh_token: 'r', app_key: 'k', app_secret: 's' }
const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

const body = (name: string): Fields => fieldsOf(readSample(`tiktok-shop/samples/${name}.response.json`))
const sample = (name: string): Fields => fieldsIn(body(name), 'data')
const answering = (...names: string[]) =>
  scriptedShop<Settings, Credentials>(
    tiktokShop,
    { facts, credentials },
    names.map((name) => ({ body: body(name) })),
  )

// Made of the examples that stand with each field: they fit together in form, not in content.
describe.skipIf(!hasSpecifications)(`official samples (else: ${noSpecifications})`, () => {
  test.each(['GetOrderList', 'GetOrderDetail'])('of orders are understood: %s', (name) => {
    const [raw] = recordsIn(sample(`order.202309.${name}`), 'orders')
    expect(orders.translate(raw, facts)).toMatchObject({
      ...{ remote_id: '576461413038785752', status: 'pending', currency: 'IDR', fulfilled_by: 'merchant' },
      ...{ placed_at: '2021-04-28T12:06:01.000000Z', remote_updated_at: '2021-04-28T14:49:15.000000Z' },
      shipping_address: { first_name: 'David', line1: 'TikTok 5800 bristol Pkwy', city: 'Ribbleton' },
      lines: [{ remote_id: '577086512123755123', sku: 'red_iphone_256', quantity: 1, quantity_fulfilled: 0 }],
      tax_ids: [{ kind: 'CPF', value: '3213-31231412' }],
    })
  })

  test('the list of orders is read with its token', async () => {
    const { shop } = answering('order.202309.GetOrderList')
    expect(await orders.list(shop, query)).toMatchObject({ items: [{ id: '576461413038785752' }], total: 22_113 })
  })

  test('of products are understood', async () => {
    const { shop } = answering('product.202502.SearchProducts', 'product.202309.GetProduct')
    const { items } = await products.list(shop, query)
    expect(products.translate(items[0], facts)).toMatchObject({
      ...{ remote_id: '1729592969712207008', status: 'inactive', title: 'Short Boat Invisible Socks' },
      ...{ brand: 'brand xxx aaa', options: [{ name: 'Color', values: ['Red'] }] },
      variants: [{ sku: 'sku name', title: 'Red', price: { amount: '117.50', currency: 'USD' } }],
    })
    const [listed] = recordsIn(sample('product.202502.SearchProducts'), 'products')
    expect(products.translate(listed, facts)).toMatchObject({ variants: [{ sku: 'Color-Red-XM01', quantity: 999 }] })
  })

  test('of stock are understood', async () => {
    const { shop } = answering('product.202502.SearchProducts', 'product.202309.InventorySearch')
    const { items } = await inventory.list(shop, query)
    expect(items.map((raw) => inventory.translate(raw, facts))).toEqual([
      {
        ...{ sku: 'Color-Red-XM01', variant_remote_id: '1729388324987897824', updated_at: null },
        ...{ location_remote_id: '7054915283043174149', available: 100, reserved: 10, on_hand: 110 },
      },
    ])
  })

  test('of stock that was refused name the reason', async () => {
    const listing = fieldsOf(recordsIn(sample('product.202502.SearchProducts'), 'products')[0])
    const skus = recordsIn(listing, 'skus').map((sku) => ({ ...sku, id: '1729592969712207013' }))
    const { shop } = scriptedShop<Settings, Credentials>(tiktokShop, { facts, credentials }, [
      { body: { code: 0, data: { products: [{ ...listing, skus }] } } },
      { body: body('product.202309.UpdateInventory') },
    ])
    const items = [{ sku: 'Color-Red-XM01', quantity: 5 }]
    expect(await inventory.set?.send(shop, items, { id: 'x' })).toMatchObject([
      { ok: false, error: 'The warehouse does not exist' },
    ])
  })

  test('of returns and of registrations are understood', async () => {
    const money = fieldsOf(recordsIn(sample('return_refund.202309.SearchReturns'), 'return_orders')[0])
    expect(returns.translate({ ...money, return_type: 'RETURN_AND_REFUND' }, facts)).toMatchObject([
      { order_remote_id: '577686530908261117', told: { status: 'requested', lines: [{ quantity: 1 }] } },
    ])
    const { registration } = webhooks
    if (registration.kind !== 'api') throw new Error('They are registered.')
    expect(await registration.list(answering('event.202309.GetShopWebhooks').shop)).toMatchObject([
      { topic: 'ORDER_STATUS_CHANGE', url: 'https://partner.tiktokshop.com', active: true },
    ])
  })
})
