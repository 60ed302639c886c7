import { describe, expect, test } from 'vitest'
import { openImitation } from '../../../test/support/imitation.ts'
import { whatDoesNotAddUp } from '../../../test/support/totals.ts'
import { hasSpecifications, noSpecifications, readSample } from '../../../test/support/vendor-specification.ts'
import { fieldsOf } from '../../commerce/reading.ts'
import { woocommerce } from './index.ts'
import { toOrder } from './translate-order.ts'
import { toProduct } from './translate-product.ts'

const facts = { shop: 'tea.example', settings: {} }
const measures = { currency: 'USD', weightUnit: 'kg' }

type Sample = Record<string, unknown>

/** Samples are one record, a list of them, or the three lists of a batch. */
function recordsOf(file: string): Sample[] {
  const sample = readSample(`woocommerce/samples/${file}.json`) as Sample & Record<string, Sample[] | undefined>
  if (Array.isArray(sample)) return sample
  const lists = [sample['create'], sample['update'], sample['delete']].filter((list) => Array.isArray(list))
  return lists.length > 0 ? lists.flat() : [sample]
}

describe.skipIf(!hasSpecifications)(`official samples${hasSpecifications ? '' : ` (${noSpecifications})`}`, () => {
  const verbs = ['batch-update', 'create-a', 'delete-a', 'list-all', 'retrieve-a', 'update-a']

  test('of orders are all understood', () => {
    const files = verbs.map((verb) => `orders.${verb.replace(/-a$/, '-an')}-order${/batch|list/.test(verb) ? 's' : ''}`)
    const orders = files.flatMap(recordsOf).map((raw) => toOrder(raw, facts))
    expect(orders).toHaveLength(10)
    expect(orders.flatMap(whatDoesNotAddUp)).toEqual([])
    const shown = orders.map((order) => [
      order.remote_id,
      order.status,
      order.payment_status,
      order.total.amount,
      order.subtotal.amount,
      order.tax_total.amount,
      order.lines.map(({ quantity, unit_price: price }) => [quantity, price.amount]),
    ])
    const order727 = [
      [
        '29.35',
        '18.00',
        '1.35',
        [
          [2, '3.00'],
          [1, '12.00'],
        ],
      ],
    ].flat()
    const order723 = [
      [
        '39.00',
        '29.00',
        '0.00',
        [
          [1, '9.00'],
          [1, '20.00'],
        ],
      ],
    ].flat()
    expect(shown).toEqual([
      [
        '728',
        'pending',
        'pending',
        '62.25',
        '30.00',
        '2.25',
        [
          [1, '15.00'],
          [1, '3.00'],
          [1, '12.00'],
        ],
      ],
      [
        '729',
        'open',
        'paid',
        '54.40',
        '32.00',
        '2.40',
        [
          [1, '12.00'],
          [1, '20.00'],
        ],
      ],
      ['727', 'completed', 'paid', ...order727],
      ['723', 'completed', 'partially_refunded', ...order723],
      ['727', 'open', 'paid', ...order727],
      ['727', 'completed', 'paid', ...order727],
      ['727', 'open', 'paid', ...order727],
      ['723', 'completed', 'partially_refunded', ...order723],
      ['727', 'open', 'paid', ...order727],
      ['727', 'completed', 'paid', ...order727],
    ])
    expect(orders[3]).toMatchObject({
      refunded_total: { amount: '19.00' },
      customer: { remote_id: '26', is_guest: false },
    })
    expect(orders[4]).toMatchObject({
      placed_at: '2017-03-22T19:28:02.000000Z',
      remote_version: '2017-03-22T19:28:08.000000Z',
      shipping_method: 'Flat Rate',
      lines: [
        { sku: null, product_remote_id: '93', variant_remote_id: '93', variant_title: null },
        { sku: 'Bar3', product_remote_id: '22', variant_remote_id: '23', variant_title: 'black, M Test' },
      ],
    })
  })

  test('of products are all understood', () => {
    const files = [
      ...verbs.map((verb) => `products.${verb}-product${/batch|list/.test(verb) ? 's' : ''}`),
      'products.create-a-product.2',
    ]
    const all = files.flatMap(recordsOf).map((raw) => toProduct({ ...raw, variants: [], measures }))
    const shown = all.map(({ remote_id: id, title, status, variants, images }) => [
      id,
      title,
      status,
      variants[0]?.price?.amount ?? null,
      images.length,
    ])
    expect(shown).toEqual([
      ['801', 'Woo Single #1', 'active', '21.99', 1],
      ['804', 'New Premium Quality', 'active', '21.99', 2],
      ['799', 'Ship Your Idea', 'active', null, 4],
      ['794', 'Premium Quality', 'active', '24.54', 2],
      ['794', 'Premium Quality', 'active', '21.99', 2],
      ['794', 'Premium Quality', 'active', '24.54', 2],
      ['799', 'Ship Your Idea', 'active', null, 4],
      ['794', 'Premium Quality', 'active', '21.99', 2],
      ['794', 'Premium Quality', 'active', '21.99', 2],
      ['794', 'Premium Quality', 'active', '24.54', 2],
      ['799', 'Ship Your Idea', 'active', null, 4],
    ])
  })

  test('of variations are understood as variants of their product', () => {
    const [parent] = recordsOf('products.create-a-product.2')
    const files = verbs.map(
      (verb) => `product-variations.${verb}-product-variation${/batch|list/.test(verb) ? 's' : ''}`,
    )
    const variants = files.flatMap(recordsOf)
    expect(variants).toHaveLength(10)
    const product = toProduct({ ...parent, variants, measures })
    expect(product.options).toEqual([
      { name: 'Color', values: ['Black', 'Green'] },
      { name: 'Size', values: ['S', 'M'] },
    ])
    expect(product.variants.map(({ title, price }) => [title, price?.amount])).toEqual([
      ['Blue', '10.00'],
      ['White', '10.00'],
      ['Green', '10.00'],
      ['Black', '9.00'],
      ['Black', '9.00'],
      ['Green', '10.00'],
      ['Green', '9.00'],
      ['Black', '9.00'],
      ['Black', '9.00'],
      ['Green', '10.00'],
    ])
  })

  test('show what the imitation is made of', async () => {
    const [real] = recordsOf('orders.update-an-order')
    const { _links, ...fields } = real ?? {}
    const { shop, simulator } = openImitation(woocommerce)
    const sent = simulator.truth().find(({ stage }) => stage === 'sent')
    const ours = fieldsOf(await woocommerce.orders?.get(shop, sent?.remote_id ?? ''))
    for (const [name, value] of Object.entries(fields)) expect([name, typeof ours[name]]).toEqual([name, typeof value])
  })
})
