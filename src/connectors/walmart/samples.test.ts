import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { whatDoesNotAddUp } from '../../../test/support/totals.ts'
import {
  hasSpecifications,
  noSpecifications,
  readSample,
  specificationsFolder,
} from '../../../test/support/vendor-specification.ts'
import { fieldsIn, fieldsOf, recordsIn } from '../../commerce/reading.ts'
import { walmart } from './index.ts'
import { inventory } from './inventory.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import type { Credentials, Settings } from './settings.ts'

const facts: { shop: string; settings: Settings } = { shop: '100009.walmart.com', settings: {} }
const credentials = { client_id: 'id', client_secret: 'secret', access_token: 'token' }
const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

const sample = (name: string) => fieldsOf(readSample(`walmart/samples/us-mp-${name}.json`))
const usd = (amount: string) => ({ amount, currency: 'USD' })

describe.skipIf(!hasSpecifications)(`official samples (else: ${noSpecifications})`, () => {
  const listed = (name: string) =>
    recordsIn(fieldsIn(fieldsIn(sample(`orders.${name}.response-200`), 'list'), 'elements'), 'order')
  const single = (name: string) => fieldsIn(sample(`orders.${name}`), 'order')
  const singles = [
    'acknowledgeOrders.response-200',
    'cancelOrderLines.response-200',
    'getAnOrder.response-200.ATTRIBUTES',
    'getAnOrder.response-200.ORDER',
    'refundOrderLines.response-200',
    'shippingUpdates.response-200',
  ]

  test('of orders are understood, all of them', () => {
    const published = readdirSync(join(specificationsFolder, 'walmart/samples'))
    const used = [...['getAllOrders', 'getAllReleasedOrders'].map((name) => `${name}.response-200`), ...singles]
    expect(published.filter((name) => /^us-mp-orders\..*\.response-200/.test(name)).toSorted()).toEqual(
      used.map((name) => `us-mp-orders.${name}.json`).toSorted(),
    )
    const all = [...listed('getAllOrders'), ...listed('getAllReleasedOrders'), ...singles.map(single)]
    expect(all.map((raw) => orders.translate(raw, facts).lines.length)).toEqual(Array(26).fill(1))
    expect(all.flatMap((raw) => whatDoesNotAddUp(orders.translate(raw, facts)))).toEqual([])
  })

  // Reckoned by hand from the samples: goods, shipping, tax, all of it.
  test.each([
    ['1796277083022', '10.00', '0.00', '0.80', '10.80', 'open', 'unfulfilled', 'Created', [1, 0, 0]],
    ['3796235970012', '0.00', '0.00', '0.00', '0.00', 'cancelled', 'unfulfilled', 'Cancelled', [1, 0, 1]],
    ['3796050123784', '9.99', '0.00', '0.85', '10.84', 'completed', 'fulfilled', 'Shipped', [1, 1, 0]],
    ['2792338900105', '9.99', '0.00', '0.62', '10.61', 'completed', 'fulfilled', 'Shipped', [1, 1, 0]],
    ['4792982839409', '99.00', '60.00', '7.92', '166.92', 'open', 'unfulfilled', 'Created', [1, 0, 0]],
    ['2792982839414', '99.00', '60.00', '8.89', '167.89', 'open', 'unfulfilled', 'Created', [1, 0, 0]],
    ['3796673088300', '99.00', '60.00', '0.00', '159.00', 'open', 'unfulfilled', 'Created', [1, 0, 0]],
  ])('%s', (id, goods, shipping, tax, total, status, fulfillment, remoteStatus, quantities) => {
    const all = [...listed('getAllOrders'), ...listed('getAllReleasedOrders')]
    const order = orders.translate(
      all.find((one) => one['purchaseOrderId'] === id),
      facts,
    )
    expect(order).toMatchObject({
      subtotal: usd(goods),
      shipping_total: usd(shipping),
      tax_total: usd(tax),
      total: usd(total),
      status,
      fulfillment_status: fulfillment,
      remote_status: remoteStatus,
      acknowledged: remoteStatus !== 'Created',
      shipping_address: { country_code: 'US' },
    })
    const counts = order.lines.map((line) => [line.quantity, line.quantity_fulfilled, line.quantity_cancelled])
    expect(counts).toEqual([quantities])
  })

  test('report parcels, and what was paid back', () => {
    expect(orders.translate(single('getAnOrder.response-200.ORDER'), facts)).toMatchObject({
      number: '4372135469400',
      placed_at: '2021-06-15T22:33:27.000000Z',
      ship_by: '2021-06-17T05:00:00.000000Z',
      remote_updated_at: '2021-06-16T09:30:55.623000Z',
      customer: { email: '7D9F02968955480499C84C5871AD1401@relay.walmart.com' },
      shipments: [
        {
          status: 'shipped',
          carrier_code: 'USPS',
          tracking_number: '435678956435467',
          shipped_at: '2021-06-16T09:30:55.000000Z',
          lines: [{ order_line_remote_id: '1', quantity: 1 }],
        },
      ],
    })
    expect(orders.translate(single('acknowledgeOrders.response-200'), facts)).toMatchObject({
      acknowledged: true,
      remote_status: 'Acknowledged',
    })
    const returned = orders.translate(single('refundOrderLines.response-200'), facts)
    expect(returned).toMatchObject({ total: usd('21.99'), payment_status: 'refunded', refunded_total: usd('21.99') })
  })

  test('of items', () => {
    const names = ['getAllItems.response-200.Get-All-Items', 'getAllItems.response-200.With-Variant-Information']
    const all = [...names, 'getAnItem.response-200'].flatMap((name) =>
      recordsIn(sample(`items.${name}`), 'ItemResponse'),
    )
    expect(all.map((raw) => products.translate(raw, facts).variants.length)).toEqual(Array(24).fill(1))
    const first = all.find((one) => one['variantGroupId'] === 'Toysgroup0101')
    expect(products.translate(first, facts)).toMatchObject({
      remote_id: '2792005',
      title: "Carhartt Men's Rugged Vest",
      status: 'inactive',
      remote_status: 'ACTIVE UNPUBLISHED',
      options: [{ name: 'actual_color', values: ['1234567890'] }],
      variants: [{ barcode: '00886859944807', price: usd('59.99') }],
    })
    expect(products.translate(all.at(-1), facts)).toMatchObject({
      status: 'active',
      variants: [{ price: usd('3.00') }],
    })
  })

  test('of stock at several places', async () => {
    const name = 'inventory.getMultiNodeInventoryForAllSkuAndAllShipNodes.response-200'
    const { shop } = scriptedShop<Settings, Credentials>(walmart, { facts, credentials }, [{ body: sample(name) }])
    const { items, next } = await inventory.list(shop, query)
    expect(next).toBe('NTVmZjIxOWEtZjRkMy00MGIwLThkOGYtYzFkNzI1NGZlYmQxIDEw')
    const levels = items.map((raw) => inventory.translate(raw, facts))
    expect(levels.map((one) => [one.sku, one.location_remote_id, one.available, one.on_hand, one.reserved])).toEqual([
      ['AI-IGH4-5509', '361451354333223041', 93, 93, 0],
      ['AI-IGH4-5509', '100009', 433, 436, 3],
      ['06397309545443', '100009', 0, 5, 5],
    ])
  })
})
