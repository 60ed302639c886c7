import { describe, expect, test } from 'vitest'
import type { SimulatorOptions } from '../../src/simulator/options.ts'
import { openSimulator } from '../../src/simulator/simulator.ts'
import { openReceiver } from './receiver.ts'

const root = '/wp-json/wc/v3'

function openShop(variant: NonNullable<SimulatorOptions['variant']> = {}) {
  const simulator = openSimulator({ platform: 'woocommerce', orders: 300, products: 20, variant })
  const { consumer_key: key, consumer_secret: secret } = simulator.kept
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`
  const ask = async (method: string, path: string, body?: object) => {
    const url = `${simulator.world.origin}${root}${path}`
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await simulator.answer({ method, url, headers, body: Buffer.from(JSON.stringify(body ?? '')) })
    return { status: answer.status, body: JSON.parse(answer.bytes.toString()) }
  }
  return { simulator, ask }
}

describe('the imitation of WooCommerce', () => {
  test('says what is wrong with keys, and lets keys that may only read do no more', async () => {
    const { ask, simulator } = openShop({ keys: 'read' })
    expect((await ask('GET', '/orders')).status).toBe(200)
    expect(await ask('POST', '/webhooks', {})).toMatchObject({
      status: 401,
      body: { code: 'woocommerce_rest_authentication_error', message: expect.stringMatching(/write permissions/) },
    })
    const bare = { method: 'GET', url: `${simulator.world.origin}${root}/orders`, body: Buffer.from('') }
    const answer = await simulator.answer({ ...bare, headers: {} })
    expect([answer.status, answer.bytes.toString()]).toEqual([401, expect.stringContaining('cannot_view')])
  })

  test('counts orders by status, the one of its own among them', async () => {
    const { ask, simulator } = openShop()
    const { body } = await ask('GET', '/reports/orders/totals')
    const waiting = simulator.truth().filter(({ remote_status: word }) => word === 'awaiting-pickup')
    expect(waiting.length).toBeGreaterThan(0)
    expect(body).toContainEqual({ slug: 'awaiting-pickup', name: 'awaiting-pickup', total: waiting.length })
    const { body: listed } = await ask('GET', '/orders?status=awaiting-pickup&per_page=100')
    expect(listed).toHaveLength(waiting.length)
  })

  test('tells refunds by line, under ids of their own', async () => {
    const { ask, simulator } = openShop()
    const refunded = simulator.truth().find(({ stage }) => stage === 'refunded')
    const id = refunded?.remote_id ?? ''
    const { body: order } = await ask('GET', `/orders/${id}`)
    const { body: refunds } = await ask('GET', `/orders/${id}/refunds`)
    expect(refunds).toMatchObject([{ id: order.refunds[0].id, amount: order.total }])
    const lines = refunds[0].line_items.map((line: { meta_data: [{ value: string }] }) => line.meta_data[0].value)
    expect(lines).toEqual(order.line_items.map((line: { id: number }) => String(line.id)))
    expect((await ask('GET', `/orders/${refunds[0].id}`)).status).toBe(404)
  })

  test('leaves a price on sale as it is when the regular one changes', async () => {
    const { ask, simulator } = openShop()
    const variant = simulator.world.shop.stockroom.variantsByChange().find((one) => one.compareAt !== null)
    const { body } = await ask('GET', `/products?sku=${variant?.sku}`)
    const [{ id, parent_id: parent, price }] = body
    const path = parent === 0 ? `/products/${id}` : `/products/${parent}/variations/${id}`
    expect(await ask('PUT', path, { regular_price: '999.00' })).toMatchObject({
      body: { price, sale_price: price, regular_price: '999.00' },
    })
  })

  test('draws what a product is shown with, and tells of a variation apart, where it is told to', async () => {
    const { ask, simulator } = openShop({ related: 'shuffled', variations: 'apart', deliveries: 'once' })
    const [product] = simulator.truthOfProducts().filter(({ skus }) => skus.length > 1)
    const related = async () => (await ask('GET', `/products/${product?.remote_id}`)).body.related_ids
    expect(await related()).not.toEqual(await related())
    const receiver = await openReceiver()
    await ask('POST', '/webhooks', { topic: 'product.updated', delivery_url: receiver.url, secret: 's' })
    const variant = simulator.world.shop.stockroom.bySku(product?.skus[1] ?? '')
    if (variant) simulator.world.shop.stockroom.setStock(variant, 0, 5)
    await simulator.delivered()
    const sent = receiver.received.map(({ body }) => body).filter((body) => body.startsWith('{'))
    expect(sent.map((body) => JSON.parse(body))).toMatchObject([
      { type: 'variation', parent_id: Number(product?.remote_id), sku: product?.skus[1] },
    ])
    await receiver.close()
  })
})
