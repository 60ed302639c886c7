import { describe, expect, test } from 'vitest'
import { openImitation, openOrder } from '../../../test/support/imitation.ts'
import { whatDoesNotAddUp } from '../../../test/support/totals.ts'
import {
  hasSpecifications,
  noSpecifications,
  readSample as readAnySample,
} from '../../../test/support/vendor-specification.ts'
import { type Fields, fieldsOf, idIn, recordsIn } from '../../commerce/reading.ts'
import { magento } from './index.ts'
import { toOrder } from './translate-order.ts'
import { toInventoryLevel, toProduct } from './translate-product.ts'

const facts = { shop: 'bikes.example', settings: { currency: 'USD', weight_unit: 'lbs' as const } }
const readSample = (name: string) => readAnySample(`magento/samples/${name}.json`)

describe.skipIf(!hasSpecifications)(`official samples${hasSpecifications ? '' : ` (${noSpecifications})`}`, () => {
  /**
   * Magento publishes no sample of an order, but two invoices of whole orders, which have the same sums and items. What kind of
   * product an item is stands in the order alone: it is said here, as the tutorial has it.
   */
  const invoiced = (name: string, kinds: Readonly<Record<string, Fields>> = {}) => {
    const invoice = fieldsOf(readSample(name))
    const items = recordsIn(invoice, 'items').map((item) => ({
      ...{ ...item, item_id: item['order_item_id'], qty_ordered: item['qty'], product_type: 'simple' },
      ...kinds[idIn(item, 'order_item_id')],
    }))
    return toOrder({ ...invoice, state: 'processing', items, shipments: [] })
  }

  test('of invoices are of orders that add up', () => {
    const part = { parent_item_id: 5 }
    const orders = [
      invoiced('tutorials-inventory-create-invoice.1'),
      invoiced('tutorials-orders-order-create-invoice.1', {
        ...{ 5: { product_type: 'bundle' }, 6: part, 7: part, 8: part, 9: part },
        ...{ 10: { product_type: 'configurable' }, 11: { parent_item_id: 10 } },
      }),
    ]
    expect(orders.flatMap(whatDoesNotAddUp)).toEqual([])
    const usd = (amount: string) => ({ amount, currency: 'USD' })
    expect(orders).toMatchObject([
      {
        ...{ subtotal: usd('2022.00'), discount_total: usd('404.40'), shipping_total: usd('300.00') },
        ...{ tax_total: usd('0.00'), fees: [], total: usd('1917.60') },
      },
      {
        ...{ subtotal: usd('160.00'), discount_total: usd('0.00'), shipping_total: usd('5.00') },
        ...{ tax_total: usd('0.00'), fees: [], total: usd('165.00') },
      },
    ])
    const [first, second] = orders.map(({ lines }) =>
      lines.map(({ remote_id: id, quantity, unit_price: { amount } }) => [id, quantity, amount]),
    )
    expect(first).toEqual([
      ['3', 20, '36.00'],
      ['4', 40, '32.00'],
      ['5', 1, '22.00'],
    ])
    // The bundle costs what its parts do; the hoodie is one line, with the size that was chosen as its article.
    expect(second?.map(([id, , amount]) => `${id} ${amount}`)).toEqual([
      ...['3 22.00', '4 18.00', '5 0.00', '6 27.00', '7 5.00', '8 17.00', '9 19.00', '10 52.00'],
    ])
    expect(orders[1]?.lines.at(-1)).toMatchObject({ sku: 'MH01-S-Gray', variant_title: 'Chaz Kangeroo Hoodie-S-Gray' })
  })

  test('of products are understood', () => {
    const simple = {
      ...fieldsOf(readSample('tutorials-configurable-product-create-simple-products.2')),
      children: [],
      attributes: [],
    }
    expect(toProduct(simple, facts)).toMatchObject({
      remote_id: '2079',
      title: 'Champ Tee Small',
      status: 'active',
      remote_version: '2017-11-29T20:40:07.000000Z',
      variants: [
        {
          sku: 'MS-Champ-S',
          price: { amount: '25.00', currency: 'USD' },
          weight: { value: '0.5', unit: 'lb' },
          quantity: 10,
          track_inventory: true,
          inventory_item_remote_id: '2079',
        },
      ],
    })
    const parent = fieldsOf(readSample('tutorials-configurable-product-create-configurable-product.2'))
    const attribute = {
      attribute_id: 141,
      attribute_code: 'size',
      default_frontend_label: 'Size',
      options: [{ label: 'S', value: String(sizeOf(simple)) }],
    }
    const configurable = toProduct({ ...parent, children: [simple], attributes: [attribute] }, facts)
    expect(configurable).toMatchObject({
      title: 'Champ Tee',
      options: [{ name: 'Size', values: ['S'] }],
      variants: [{ sku: 'MS-Champ-S', title: 'S', options: [{ name: 'Size', value: 'S' }] }],
    })
  })

  test('of levels are understood', () => {
    const levels = recordsIn(fieldsOf(readSample('inventory-manage-source-items.3')), 'items').map(toInventoryLevel)
    expect(levels.map(({ sku, location_remote_id: place, available }) => [sku, place, available])).toEqual([
      ['new_product2', 'central', 500],
      ['new_product2', 'east', 250],
    ])
  })

  test('of a parcel are what is sent', async () => {
    const sample = fieldsOf(readSample('tutorials-orders-order-create-shipment.1'))
    const { shop, asked, simulator } = openImitation(magento)
    const id = openOrder(simulator)
    const lines = toOrder(await magento.orders?.get(shop, id)).lines.map(({ remote_id: line }) => ({
      order_line_remote_id: line,
      quantity: 1,
    }))
    const draft = { order_remote_id: id, tracking_number: '1Y-9876543210', carrier: 'UPS', lines }
    await magento.shipments?.create.send(shop, draft, { id: 's' })
    const sent = fieldsOf(asked.find(({ request }) => request.method === 'POST')?.request.body)
    expect(Object.keys(sent).toSorted()).toEqual(Object.keys(sample).toSorted())
    expect(recordsIn(sent, 'tracks')[0]).toEqual({ ...recordsIn(sample, 'tracks')[0], title: 'UPS' })
    expect(Object.keys(recordsIn(sent, 'items')[0] ?? {})).toEqual(Object.keys(recordsIn(sample, 'items')[0] ?? {}))
  })
})

const sizeOf = (product: Fields) =>
  recordsIn(product, 'custom_attributes').find(({ attribute_code: code }) => code === 'size')?.['value']
