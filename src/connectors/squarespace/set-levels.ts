import { hash } from 'node:crypto'
import type { Operation } from '../../commerce/connector/parts.ts'
import { articleFor, type InventoryResult, type InventorySetting, settingResult } from '../../commerce/inventory.ts'
import type { Fields } from '../../commerce/reading.ts'
import { refusalReason } from '../../commerce/remote.ts'
import { chunks } from '../../lib/chunks.ts'
import { tell } from './ask.ts'
import { articlesFor } from './find-by-sku.ts'
import type { SquareShop } from './settings.ts'

/** As many as the platform takes in one go, each article once. */
const atOnce = 50

type Level = readonly [variantId: string, quantity: number]

/** Levels themselves, never differences. Said twice of an article, the last one counts. */
export async function setLevels(
  shop: SquareShop,
  settings: readonly InventorySetting[],
  operation: Operation,
): Promise<InventoryResult[]> {
  const articles = await articlesFor(shop, settings)
  const meant = settings.map((setting) => articleFor(setting, articles))
  const levels = new Map<string, number>()
  for (const [n, { quantity }] of settings.entries()) {
    const article = meant[n]
    if (article !== undefined && typeof article !== 'string') levels.set(article.variantId, quantity)
  }
  const refusals = new Map<string, string>()
  for (const some of chunks([...levels], atOnce)) await setSome(shop, some, operation, refusals)
  return settings.map((setting, n) => {
    const article = meant[n] ?? ''
    return settingResult(setting, typeof article === 'string' ? article : (refusals.get(article.variantId) ?? null))
  })
}

/** Several are taken as a whole or not at all: if they are not, each is tried by itself. */
async function setSome(
  shop: SquareShop,
  levels: readonly Level[],
  operation: Operation,
  refusals: Map<string, string>,
): Promise<void> {
  const refusal = await refusalReason(() => send(shop, levels, operation))
  if (refusal === null) return
  const [only, ...others] = levels
  if (only && others.length === 0) refusals.set(only[0], refusal)
  else for (const level of levels) await setSome(shop, [level], operation, refusals)
}

/**
 * An article that was sold without limit is counted from then on. The key is of the work and of what it says: whatever is
 * said again in the same words is done once, and other words are none of those that went before.
 */
async function send(shop: SquareShop, levels: readonly Level[], { id }: Operation): Promise<void> {
  const body: Fields = { setFiniteOperations: levels.map(([variantId, quantity]) => ({ variantId, quantity })) }
  await tell(shop, {
    path: '/1.0/commerce/inventory/adjustments',
    headers: { 'idempotency-key': hash('sha256', `${id} ${JSON.stringify(body)}`) },
    body,
    repeatable: true,
  })
}
