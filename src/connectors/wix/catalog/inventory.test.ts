import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../../test/support/connector-shop.ts'
import { type ImitationOptions, openImitation } from '../../../../test/support/imitation.ts'
import { effectsOf, losing } from '../../../../test/support/lost-answers.ts'
import type { ReadQuery } from '../../../commerce/connector/reads.ts'
import { fieldsOf } from '../../../commerce/reading.ts'
import type { RemoteAnswer } from '../../../commerce/remote.ts'
import { wix } from '../index.ts'
import type { Credentials, Settings } from '../settings.ts'
import { inventory } from './inventory.ts'

const facts = { shop: '1a2b3c4d-5e6f-4a1b-8c2d-3e4f5a6b7c8d.wix.com', settings: {} }
const scripted = (answer: Partial<RemoteAnswer>) =>
  scriptedShop<Settings, Credentials>(wix, { facts, credentials: { access_token: 'token' } }, [answer])
const open = (options: ImitationOptions = {}) => openImitation<Settings, Credentials>(wix, { orders: 3, ...options })

const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 20 }
const operation = { id: 'set-inventory-0123456789abcdef' }

describe('stock', () => {
  const levelIn = ({ simulator }: ReturnType<typeof open>, sku: string, place: number) =>
    simulator.world.shop.stockroom.bySku(sku)?.stock[place]

  test('without a location is that of the store’s own one, and elsewhere stays', async () => {
    const imitation = open()
    const [first] = imitation.simulator.world.shop.stockroom.byNumber()
    const sku = first?.variants[0]?.sku ?? ''
    const elsewhere = levelIn(imitation, sku, 1)
    expect(await inventory.set?.send(imitation.shop, [{ sku, quantity: 501 }], operation)).toMatchObject([{ ok: true }])
    expect([levelIn(imitation, sku, 0), levelIn(imitation, sku, 1)]).toEqual([501, elsewhere])
    const nowhere = { sku, quantity: 5, location: 'nowhere' }
    expect(await inventory.set?.send(imitation.shop, [nowhere], operation)).toMatchObject([
      { ok: false, error: 'The article is not kept at this location.' },
    ])
  })

  test('is looked up by our copy of the products, and all items are read only where that does not know', async () => {
    const imitation = open()
    const [first] = imitation.simulator.world.shop.stockroom.byNumber()
    const sku = first?.variants[0]?.sku ?? ''
    const knowing = {
      ...imitation.shop,
      productsWith: async () => [imitation.simulator.truthOfProducts()[0]?.remote_id ?? ''],
    }
    await inventory.set?.send(knowing, [{ sku, quantity: 3 }], operation)
    const questions = () =>
      imitation.asked.flatMap(({ url, request }) =>
        url.endsWith('/inventory-items/query') ? [fieldsOf(fieldsOf(request.body)['query'])['filter']] : [],
      )
    expect(questions()).toEqual([{ productId: { $in: [imitation.simulator.truthOfProducts()[0]?.remote_id] } }])
    imitation.asked.length = 0
    await inventory.set?.send({ ...knowing, productsWith: async () => [] }, [{ sku, quantity: 4 }], operation)
    expect(questions()).toEqual([undefined])
  })

  test('that somebody else changes meanwhile is looked at again, and set; for ever, it is said', async () => {
    let changes = 1
    const imitation = open({
      before: ({ url }) => {
        if (url.endsWith('/bulk/inventory-items/update') && changes-- > 0) {
          const { stockroom } = imitation.simulator.world.shop
          const variant = stockroom.byNumber()[0]?.variants[0]
          if (variant) stockroom.setStock(variant, 0, (variant.stock[0] ?? 0) + 1)
        }
        return null
      },
    })
    const sku = imitation.simulator.world.shop.stockroom.byNumber()[0]?.variants[0]?.sku ?? ''
    expect(await inventory.set?.send(imitation.shop, [{ sku, quantity: 88 }], operation)).toMatchObject([{ ok: true }])
    expect(levelIn(imitation, sku, 0)).toBe(88)
    changes = 9
    expect(await inventory.set?.send(imitation.shop, [{ sku, quantity: 20 }], operation)).toMatchObject([
      { ok: false, error: expect.stringContaining('changed by somebody else') },
    ])
  })

  test('whose answer got lost is set once', async () => {
    const imitation = open()
    const sku = imitation.simulator.world.shop.stockroom.byNumber()[0]?.variants[0]?.sku ?? ''
    const set = { sku, quantity: 55 }
    await expect(inventory.set?.send(losing(imitation.shop, /update$/), [set], operation)).rejects.toThrow('got lost')
    expect(await inventory.set?.send(imitation.shop, [set], operation)).toMatchObject([{ ok: true }])
    expect(effectsOf(imitation.simulator, 'inventory.set')).toHaveLength(1)
  })

  test('that is only there or not there has no level, and what has no number is left out', async () => {
    const item = { id: 'x', variantId: 'v', quantity: 4, trackQuantity: true, product: { variantSku: 'CUP' } }
    const inventoryItems = [
      item,
      { ...item, trackQuantity: false },
      { ...item, quantity: undefined, inStock: true },
      { ...item, product: { variantSku: '' } },
    ]
    expect((await inventory.list(scripted({ body: { inventoryItems } }).shop, query)).items).toEqual([item])
  })

  test('of a list without end is not gone through for ever', async () => {
    let questions = 0
    const endless = open({
      before: ({ url }) =>
        url.endsWith('/inventory-items/query')
          ? {
              status: 200,
              headers: {},
              body: { inventoryItems: [], pagingMetadata: { cursors: { next: `c${++questions}` } } },
            }
          : null,
    })
    await expect(inventory.set?.send(endless.shop, [{ sku: 'x', quantity: 1 }], operation)).rejects.toMatchObject({
      message: 'Wix lists more than can be gone through at once.',
    })
    expect(questions).toBe(500)
  })

  test('of one item is read for a message about it', async () => {
    const imitation = open()
    const [level] = (await inventory.list(imitation.shop, { ...query, limit: 1 })).items.map(fieldsOf)
    expect(await inventory.levelsOf?.(imitation.shop, String(level?.['id']))).toEqual([level])
    expect(await inventory.levelsOf?.(imitation.shop, 'nothing')).toEqual([])
  })
})
