import { changePrices, type PricedArticle } from '../../../commerce/changes/price.ts'
import type { Prices } from '../../../commerce/connector/parts.ts'
import { type ArticleName, bareIdsIn, skusIn } from '../../../commerce/inventory.ts'
import { bodyOf } from '../../../commerce/reading.ts'
import { chunks } from '../../../lib/chunks.ts'
import { listOf, write } from '../pages.ts'
import type { Credentials, SandboxShop, Settings } from '../settings.ts'
import { toProduct } from '../translate-product.ts'

export const prices: Prices<Settings, Credentials> = {
  compareAt: true,
  set: {
    repeatable: true,
    send: async (shop, settings, operation) =>
      await changePrices(settings, await articlesOf(shop, settings), async (changes) => {
        const items = changes.map(({ article, price, compareAt }) => ({
          ...{ id: article.variantId, price, compare_at: compareAt },
        }))
        if (items.length > 0) await write(shop, 'PUT', '/prices', { items }, operation)
        return new Map()
      }),
  },
}

const atOnce = 100

async function articlesOf({ remote }: SandboxShop, settings: readonly ArticleName[]): Promise<PricedArticle[]> {
  const found: PricedArticle[] = []
  for (const some of chunks(settings, atOnce)) {
    const query = { sku: skusIn(some), id: bareIdsIn(some), limit: 2 * atOnce }
    const { items } = listOf(bodyOf(await remote.request({ method: 'GET', path: '/products', query })))
    for (const raw of items) {
      const { remote_id: productId, variants } = toProduct(raw)
      for (const { remote_id: variantId, sku, price, compare_at_price: before } of variants)
        found.push({
          ...{ sku, variantId, productId, currency: price?.currency ?? '' },
          ...{ price: price?.amount ?? null, compareAt: before?.amount ?? null },
        })
    }
  }
  return found
}
