import {
  articleFor,
  type InventoryResult,
  type InventorySetting,
  type NamedArticle,
  settingResult,
} from '../../commerce/inventory.ts'
import { type Fields, fieldsIn, idIn, maybeText, numberIn, textIn } from '../../commerce/reading.ts'
import { refusalReason, refused } from '../../commerce/remote.ts'
import type { ArticleNames } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { ask } from './ask.ts'
import { articlesFor, changeListing, isNamed, nameOf, variantIdOf } from './changes/change-listing.ts'
import { type EtsyShop, shopPath } from './settings.ts'
import { isQuantityShared, isTakenDown, offeringsIn, productsIn } from './translate-product.ts'

/** A product of a listing. Those that are taken from one heap are one article. */
interface Article extends NamedArticle {
  listing: Fields
  product: string
}

/** Stock is changed by sending a listing anew as a whole. */
export async function setLevels(shop: EtsyShop, settings: readonly InventorySetting[]): Promise<InventoryResult[]> {
  const articles = await articlesFor(shop, settings, articlesIn)
  const errors = new Map<InventorySetting, string | null>()
  const changes: { setting: InventorySetting; article: Article }[] = []
  for (const setting of settings) {
    const article = articleFor(setting, articles)
    if (typeof article === 'string') errors.set(setting, article)
    else changes.push({ setting, article })
  }
  for (const [listing, some] of Map.groupBy(changes, ({ article }) => article.listing)) {
    const wanted = new Map(some.map(({ setting, article }) => [article.product, setting.quantity]))
    const error = await refusalReason(() => setListing(shop, listing, wanted))
    for (const { setting } of some) errors.set(setting, error)
  }
  return settings.map((setting) => settingResult(setting, errors.get(setting) ?? null))
}

/** What is to be there, by what a product is called within its listing. */
type Wanted = ReadonlyMap<string, number>

function articlesIn(listing: Fields, names: ArticleNames): Article[] {
  const meant = productsIn(listing)
    .filter((product) => isNamed(product, names))
    .map((product) => ({
      ...{ sku: maybeText(product, 'sku'), variantId: variantIdOf(product), listing, product: nameOf(product) },
    }))
  const isOne = meant.length > 0 && isQuantityShared(fieldsIn(listing, 'inventory'))
  const first = new Map(meant.toReversed().map((one) => [one.sku ?? one.variantId, one]))
  return isOne ? [...first.values()] : meant
}

const isEnabled = (offering: Fields): boolean => offering['is_enabled'] !== false

async function setListing(shop: EtsyShop, listing: Fields, wanted: Wanted): Promise<void> {
  const named = newQuantities(fieldsIn(listing, 'inventory'), wanted)
  // The piece that stayed as a mark is none.
  const quantityOf = isTakenDown(listing) ? (product: Fields) => named(product) ?? 0 : named
  const left = productsIn(listing).flatMap((product) =>
    offeringsIn(product)
      .filter(isEnabled)
      .map((one) => quantityOf(product) ?? numberIn(one, 'quantity')),
  )
  if (left.every((quantity) => quantity === 0)) return await takeDown(shop, listing)
  // Etsy lists it anew for that, which costs a fee, and begins with one piece.
  if (textIn(listing, 'state') === 'sold_out') await setState(shop, listing, 'active')
  await changeListing(shop, listing, (product) => ({ quantity: quantityOf(product), price: null }))
  if (isTakenDown(listing)) await setState(shop, listing, 'active')
}

/** Etsy keeps no listing of which there is nothing: it is taken off the shelf, and one piece stays in it as a mark. */
async function takeDown(shop: EtsyShop, listing: Fields): Promise<void> {
  const state = textIn(listing, 'state')
  if (state === 'sold_out' || isTakenDown(listing)) return
  if (state !== 'active') throw refused(say('sells_none', { state }))
  await setState(shop, listing, 'inactive')
  const isShared = isQuantityShared(fieldsIn(listing, 'inventory'))
  const first = productsIn(listing).find((product) => offeringsIn(product).some(isEnabled))
  const isMark = (product: Fields) => isShared || (first !== undefined && nameOf(product) === nameOf(first))
  await changeListing(shop, listing, (product) => ({ quantity: isMark(product) ? 1 : 0, price: null }))
}

async function setState(shop: EtsyShop, listing: Fields, state: 'active' | 'inactive'): Promise<void> {
  await ask(shop, {
    method: 'PATCH',
    path: `${shopPath(shop)}/listings/${idIn(listing, 'listing_id')}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ state }).toString(),
    repeatable: true,
  })
}

/** What each product is to have; null for those that stay as they are. */
function newQuantities(inventory: Fields, wanted: Wanted): (product: Fields) => number | null {
  if (isQuantityShared(inventory)) {
    const quantities = new Set(wanted.values())
    const [only = null] = quantities
    if (quantities.size > 1) throw refused(say('one_number'))
    return () => only
  }
  return (product) => wanted.get(nameOf(product)) ?? null
}
