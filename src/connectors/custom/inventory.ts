import { type InventoryResult, type InventorySetting, settingResult } from '../../commerce/inventory.ts'
import { bodyOf, bodyOrNull, fieldsOf } from '../../commerce/reading.ts'
import { isCredentialsRefusal, type Remote, refused } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { Fault } from '../../lib/fault.ts'
import { constants, pathWith, recordIn, requestFrom } from './ask.ts'
import { understood } from './orders.ts'
import type { InventoryRules } from './translate-product.ts'
import { readerOf } from './values.ts'

/** One request for each: what the shop refuses of one says nothing about the others. */
export async function setLevels(
  shop: Shop,
  { set }: InventoryRules,
  settings: readonly InventorySetting[],
): Promise<readonly InventoryResult[]> {
  const results: InventoryResult[] = []
  for (const setting of settings) results.push(settingResult(setting, await setOne(shop, set, setting)))
  return results
}

/** Why it was refused; null if it was not. */
async function setOne(
  { remote }: Shop,
  rules: InventoryRules['set'],
  { sku, variant_remote_id: variant, quantity, location = null }: InventorySetting,
): Promise<string | null> {
  if (!rules) return 'The shop takes no stock levels.'
  if (!sku && (asksFor(rules, 'sku') || rules.find)) return 'This service knows articles by their SKU.'
  if (!variant && asksFor(rules, 'variant_remote_id')) return 'This service knows articles by the id of the variant.'
  if (location === null && rules.path.includes('{location}')) return 'A location is needed.'
  try {
    const article = rules.find ? await findArticle(remote, rules.find, sku ?? '') : {}
    if (article === null) return 'The shop has no such article.'
    const difference = article.available === undefined ? undefined : quantity - article.available
    const moves = asksFor(rules, 'difference')
    if (moves && difference === 0) return null
    const parts = { sku: sku ?? '', variant_remote_id: variant ?? '', location: location ?? '', id: article.id ?? '' }
    const fields = { sku, variant_remote_id: variant, quantity, location, id: article.id, difference }
    const request = requestFrom(rules, fields, parts)
    // A movement that is sent twice moves twice. Whoever comes back looks at the level again first.
    bodyOf(await remote.request({ ...request, repeatable: !moves }))
    return null
  } catch (error) {
    const saysNo = error instanceof Fault && error.kind === 'upstream_refused' && !isCredentialsRefusal(error)
    if (!saysNo) throw error
    return error.message
  }
}

interface Article {
  id?: string
  available?: number
}

/** The one article with this SKU, and null where there is none. Of several nobody knows which is meant. */
async function findArticle(remote: Remote, find: Find, sku: string): Promise<Article | null> {
  const parts = { sku }
  const answer = await remote.request({ method: 'GET', path: pathWith(find.path, parts), ...constants(find, parts) })
  const body = bodyOrNull(answer)
  const found = body === null ? [] : recordIn(body, find.items)
  const articles = Array.isArray(found) ? found : found == null ? [] : [found]
  if (articles.length > 1) throw refused(say('skus_ambiguous'))
  if (articles.length === 0) return null
  return understood(() => {
    const read = readerOf(fieldsOf(articles[0]))
    return {
      ...(find.id !== undefined && { id: read.text(find.id) }),
      ...(find.available !== undefined && { available: read.whole(find.available) }),
    }
  })
}

type Find = NonNullable<NonNullable<InventoryRules['set']>['find']>

const asksFor = ({ path, body = [] }: NonNullable<InventoryRules['set']>, field: string): boolean =>
  path.includes(`{${field}}`) || body.some((one) => one.field === field || one.template?.includes(`{${field}}`))
