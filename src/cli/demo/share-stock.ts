import type { Context } from '../../domain/context.ts'
import type { Integration } from '../../domain/integrations/integration.ts'
import { variantsOf } from '../../domain/stock/articles/catalogue-store.ts'
import { matchArticles } from '../../domain/stock/articles/link-articles.ts'
import { bookMovements, type MovementWish } from '../../domain/stock/book-movements.ts'
import { setShop, switchPool } from '../../domain/stock/manage-pool.ts'
import type { AccountTenant } from '../../domain/tenant.ts'

/** Of what the leading shop shows, counted the first time. */
const maxCounted = 500

/**
 * One stock for shops of a merchant that sell the same articles, linked by SKU. What the first of them shows is taken for what
 * lies there. Whoever runs the service tells the others.
 */
export const shareStock = (
  context: Context,
  tenant: AccountTenant,
  shops: readonly Integration[],
): Promise<{ articles: number; links: number }> =>
  // All at once: whoever follows the stock would begin with the first step, and each would wait for the other.
  context.transaction((trx) => share({ ...context, db: trx, transaction: (work) => work(trx) }, tenant, shops))

async function share(context: Context, tenant: AccountTenant, shops: readonly Integration[]) {
  const pool = await switchPool(context, tenant, { mode: 'dry' })
  const counted = new Map<string, number>()
  for (const [n, integration] of shops.entries()) {
    const variants = await variantsOf(context.db, integration.id)
    // Where a shop has several places, the pool is told and shown at one of them.
    const [some] = variants.filter(({ levels }) => levels.length > 1)
    const location = some?.levels[0]?.location ?? null
    await setShop(context, pool, integration, { location, margin: n === 0 ? 0 : 2 })
    if (n > 0) continue
    for (const { sku, levels } of variants.slice(0, maxCounted)) {
      const level = location === null ? levels[0] : levels.find((one) => one.location === location)
      if (sku !== '' && level) counted.set(sku, level.quantity)
    }
  }
  const { articles, links } = await matchArticles(context, pool, { create: true, dry: false })
  const wishes = [...counted].map(
    ([sku, quantity]): MovementWish => ({
      ...{ key: `first-count/${sku}`, kind: 'count', sku, quantity, note: 'Counted when the stock was first shared' },
    }),
  )
  if (wishes.length > 0) await bookMovements(context, pool, { source: 'demo', wishes })
  await switchPool(context, tenant, { mode: 'on' })
  return { articles, links }
}
