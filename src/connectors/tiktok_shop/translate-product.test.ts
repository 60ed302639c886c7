import { describe, expect, test } from 'vitest'
import { toProduct } from './translate-product.ts'

const sku = (id: string, more: object = {}) => ({
  ...{ id, seller_sku: `SKU-${id}`, price: { currency: 'USD', sale_price: '12.5', tax_exclusive_price: '11' } },
  ...{
    inventory: [
      { warehouse_id: '1', quantity: 3 },
      { warehouse_id: '2', quantity: 4 },
    ],
    ...more,
  },
})
const attribute = (name: string, value_name: string) => ({ id: '100000', name, value_id: '1', value_name })
const product = (more: object = {}) => ({
  ...{ id: '1728000000000000001', title: 'Cup', status: 'ACTIVATE', description: '<p>A cup.</p>' },
  ...{ create_time: 1_794_700_000, update_time: 1_794_800_000, skus: [sku('1')], ...more },
})

describe('a product', () => {
  test('is told with its variants, and each with all its warehouses', () => {
    const kinds = [
      sku('1', {
        sales_attributes: [attribute('Color', 'Red'), attribute('Size', 'S')],
        identifier_code: { code: '400' },
      }),
      sku('2', { sales_attributes: [attribute('Color', 'Blue'), attribute('Size', 'S')], seller_sku: '' }),
    ]
    const images = [{ urls: ['https://img.example/1.jpg', 'https://img.example/1b.jpg'] }, { urls: [] }, {}]
    const made = toProduct(
      product({
        ...{ skus: kinds, main_images: images, brand: { id: '7', name: 'Harbour' } },
        category_chains: [{ local_name: 'Kitchen' }, { local_name: 'Cups', is_leaf: true }],
        package_weight: { value: '0.4', unit: 'KILOGRAM' },
      }),
    )
    expect(made).toMatchObject({
      ...{
        remote_id: '1728000000000000001',
        status: 'active',
        remote_status: 'ACTIVATE',
        brand: 'Harbour',
        type: 'Cups',
      },
      images: [{ url: 'https://img.example/1.jpg', alt: null, position: 0 }],
      options: [
        { name: 'Color', values: ['Red', 'Blue'] },
        { name: 'Size', values: ['S'] },
      ],
      remote_updated_at: '2026-11-16T03:33:20.000000Z',
      variants: [
        {
          ...{ remote_id: '1', sku: 'SKU-1', barcode: '400', title: 'Red / S', quantity: 7 },
          ...{ price: { amount: '12.50', currency: 'USD' }, weight: { value: '0.4', unit: 'kg' } },
        },
        { remote_id: '2', sku: null, barcode: null, title: 'Blue / S' },
      ],
    })
  })

  test.each([
    ['DRAFT', 'draft'],
    ['PENDING', 'inactive'],
    ['FAILED', 'inactive'],
    ['SELLER_DEACTIVATED', 'inactive'],
    ['PLATFORM_DEACTIVATED', 'inactive'],
    ['FREEZE', 'inactive'],
    ['DELETED', 'archived'],
  ])('that is %s is %s', (status, expected) => {
    expect(toProduct(product({ status })).status).toBe(expected)
  })

  test('has no stock where none is told, and none of what is told as nothing', () => {
    const quantityOf = (inventory: unknown) =>
      toProduct(product({ skus: [sku('1', { inventory })] })).variants[0]?.quantity
    expect([quantityOf(undefined), quantityOf([]), quantityOf([{ warehouse_id: '1' }])]).toEqual([null, null, 0])
  })

  test('has the price before a reduction where TikTok has looked at it', () => {
    const skus = [sku('1', { list_price: { amount: '20', currency: 'USD' } })]
    expect(toProduct(product({ skus })).variants[0]?.compare_at_price).toEqual({ amount: '20.00', currency: 'USD' })
  })

  test.each([
    ['a status that nobody knows', { status: 'BORROWED' }],
    ['the name of something else as status', { status: 'toString' }],
    ['nothing to sell', { skus: [] }],
    ['half a piece', { skus: [sku('1', { inventory: [{ warehouse_id: '1', quantity: 0.5 }] })] }],
    ['no time', { update_time: null }],
  ])('with %s is not understood', (_, more) => {
    expect(() => toProduct(product(more))).toThrow(TypeError)
  })
})
