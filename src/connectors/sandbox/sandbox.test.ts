import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { actionNames, actionsOf } from '../../commerce/action.ts'
import { capabilitiesOf } from '../../commerce/capabilities.ts'
import { webhookTopics } from '../../commerce/connector/webhooks.ts'
import { inventoryLevelSchema } from '../../commerce/inventory.ts'
import { remoteOrderSchema } from '../../commerce/order.ts'
import { remoteProductSchema } from '../../commerce/product.ts'
import type { Shop } from '../../commerce/shop.ts'
import { sandbox } from './index.ts'

function shopWith(settings: Record<string, unknown>): Shop {
  const facts = { shop: 'shop.example.com', settings }
  const credentials = { api_key: 'good' }
  const { remote } = sandbox
  const call = { url: 'https://shop.example.com', seconds: 0, nonce: '' }
  return {
    ...facts,
    credentials,
    remote: {
      request: async (asked) => {
        const answer = await remote.inProcess?.(remote.authenticate(asked, credentials, facts, call), facts)
        if (!answer) throw new Error('The shop does not answer.')
        return answer
      },
    },
  }
}

const first = { updatedSince: null, statuses: [], cursor: null, limit: 250 }

describe('the sandbox shop', () => {
  test('offers every action', () => {
    expect(actionsOf(sandbox)).toEqual(actionNames)
    expect(capabilitiesOf(sandbox)).toMatchObject({
      inventory_locations: true,
      partial_shipments: true,
      webhooks: webhookTopics.filter((topic) => !topic.startsWith('privacy.')),
    })
  })

  test('what it tells has the shape of the model', async () => {
    const shop = shopWith({ seed: 'shape', orders: 60 })
    for (const [reads, schema] of [
      [sandbox.orders, remoteOrderSchema],
      [sandbox.products, remoteProductSchema],
      [sandbox.inventory, inventoryLevelSchema],
    ] as const) {
      const page = await reads?.list(shop, first)
      expect(page?.items.length).toBeGreaterThan(0)
      for (const raw of page?.items ?? []) expect(Value.Check(schema, reads?.translate(raw, shop))).toBe(true)
    }
  })

  test('the same seed holds the same goods, another seed others', async () => {
    const orders = async (seed: string) => (await sandbox.orders?.list(shopWith({ seed, orders: 5 }), first))?.items
    expect(await orders('a')).toEqual(await orders('a'))
    expect(await orders('a')).not.toEqual(await orders('b'))
  })

  test('what changed is told after what did not, and only since then', async () => {
    const shop = shopWith({ seed: 'changes', orders: 5 })
    const before = await sandbox.orders?.list(shop, first)
    const cancel = sandbox.orders?.cancel
    const made = await sandbox.orders?.create?.send(
      shop,
      { currency: 'EUR', lines: [{ sku: 'SKU-00001-1', quantity: 1 }] },
      { id: 'op' },
    )
    const cancelled = await cancel?.send(shop, { remoteId: made?.remote_id ?? '', reason: null }, { id: 'op2' })
    expect((cancelled?.remote_version ?? '') > (made?.remote_version ?? '')).toBe(true)
    const since = await sandbox.orders?.list(shop, { ...first, updatedSince: cancelled?.remote_updated_at ?? null })
    expect(since?.items).toHaveLength(1)
    expect(before?.items).toHaveLength(5)
  })

  test('a record that it never sends is not understood', () => {
    const facts = { shop: 'x', settings: {} }
    for (const raw of [null, [], {}, { id: '1', status: 'new word' }]) {
      expect(() => sandbox.orders?.translate(raw, facts)).toThrow(TypeError)
    }
  })

  test.each(['/orders/%E0%A4%A', '/../etc', '/nothing', ''])('an address like "%s" finds nothing', async (path) => {
    const answer = await shopWith({}).remote.request({ method: 'GET', path })
    expect(answer.status).toBe(404)
  })
})
