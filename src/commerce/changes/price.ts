import type { Static } from 'typebox'
import type { FieldErrors } from '../../lib/fault.ts'
import { maybe, object, requiredWithout, text } from '../../lib/validation/fields.ts'
import { compareDecimals, decimal } from '../decimal.ts'
import { articleFor, type NamedArticle, skuOf } from '../inventory.ts'
import { digitsOf, toMinorUnits } from '../money.ts'
import { refusalReason } from '../remote.ts'

const amount = (description: string) => text({ pattern: '^\\d{1,15}(\\.\\d{1,6})?$', description, examples: ['12.90'] })

/** What an article is to cost from now on: sending it twice does no harm. */
export const priceSettingSchema = object({
  sku: requiredWithout('variant_remote_id', text()),
  variant_remote_id: maybe(text({ description: 'The shop’s id of the variant, where the SKU does not say which.' })),
  price: amount('What buyers pay, as the shop keeps its prices: with tax or without.'),
  compare_at_price: maybe(
    amount('The price before a reduction. Left out: as it is, if it is above the price; null: none.'),
  ),
  currency: text({ pattern: '^[A-Z]{3}$', description: 'The one that the shop sells in; others are refused.' }),
})
export type PriceSetting = Static<typeof priceSettingSchema>

/** Per setting: what became of it. */
export interface PriceResult {
  sku: string | null
  /** Where the article was named by it. */
  variant_remote_id?: string
  /** What it is a variant of, where the platform said so. */
  product_remote_id?: string
  ok: boolean
  /** Why not: ours, or the platform's own words. */
  error: string | null
}

/** What is wrong with settings by themselves, whatever the shop has. */
export function priceErrors(items: readonly PriceSetting[], { compareAt }: { compareAt: boolean }): FieldErrors {
  const errors: FieldErrors = {}
  for (const [n, { price, compare_at_price: before, currency }] of items.entries()) {
    const [field, second] = [`items.${n}.price`, `items.${n}.compare_at_price`]
    const tooFine = (name: string) => [`The ${name} field has more places than ${currency}.`]
    if (!isAmount(price, currency)) errors[field] = tooFine(field)
    if (before == null) continue
    if (!compareAt) errors[second] = ['This platform keeps no price to compare with.']
    else if (!isAmount(before, currency)) errors[second] = tooFine(second)
    else if (compareDecimals(before, price) <= 0) errors[second] = [`The ${second} field must be above the price.`]
  }
  return errors
}

function isAmount(amount: string, currency: string): boolean {
  try {
    return toMinorUnits({ amount, currency }) >= 0
  } catch {
    return false
  }
}

/** An article with what it costs now. */
export interface PricedArticle extends NamedArticle {
  /** The product that it is a variant of, by the id that it is read under; left out where that is not known. */
  productId?: string
  currency: string
  price: string | null
  /** Null where there is none, and where the platform knows none. */
  compareAt: string | null
}

export interface PriceChange<Article> {
  article: Article
  price: string
  compareAt: string | null
}

/**
 * Sends what has to be sent: settings that name no article, several, or another currency than the shop's are refused before,
 * and what an article costs already is not sent. Named twice, an article costs what was said last.
 */
export async function changePrices<Article extends PricedArticle>(
  settings: readonly PriceSetting[],
  articles: readonly Article[],
  /** Why the platform refused, by article. */
  send: (changes: readonly PriceChange<Article>[]) => Promise<ReadonlyMap<Article, string>>,
): Promise<readonly PriceResult[]> {
  const meant = settings.map((setting): Article | string => {
    const article = articleFor(setting, articles)
    if (typeof article === 'string' || article.currency === setting.currency) return article
    return `Prices in this shop are in ${article.currency}.`
  })
  const changes = new Map<Article, PriceChange<Article>>()
  for (const [n, setting] of settings.entries()) {
    const article = meant[n]
    if (article === undefined || typeof article === 'string') continue
    changes.set(article, changeOf(article, setting))
  }
  const refusals = await send([...changes.values()].filter(({ article, ...wanted }) => !costs(article, wanted)))
  return settings.map((setting, n) => {
    const article = meant[n] ?? ''
    if (typeof article === 'string') return resultOf(setting, article)
    const { productId } = article
    const result = resultOf(setting, refusals.get(article) ?? null)
    return productId === undefined ? result : { ...result, product_remote_id: productId }
  })
}

const resultOf = ({ sku, variant_remote_id: id }: PriceSetting, error: string | null): PriceResult => ({
  sku: sku ?? null,
  ...(id ? { variant_remote_id: id } : {}),
  ok: error === null,
  error,
})

function changeOf<Article extends PricedArticle>(article: Article, setting: PriceSetting): PriceChange<Article> {
  const inForm = (value: string) => decimal(value, digitsOf(setting.currency))
  const { price } = setting
  const before = comparedTo(setting, article.compareAt)
  return { article, price: inForm(price), compareAt: before && inForm(before) }
}

/** The price before the reduction from now on. One that is no longer above the price is none. */
export function comparedTo({ price, compare_at_price: wanted }: PriceSetting, now: string | null): string | null {
  const before = wanted === undefined ? now : wanted
  return before !== null && compareDecimals(before, price) > 0 ? before : null
}

const costs = (article: PricedArticle, wanted: Omit<PriceChange<unknown>, 'article'>): boolean =>
  isSame(article.price, wanted.price) && isSame(article.compareAt, wanted.compareAt)

const isSame = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : compareDecimals(one, other) === 0

interface OneByOne<Article> {
  find(sku: string, setting: PriceSetting): Promise<Article | null>
  send(change: PriceChange<Article>): Promise<void>
}

/** The same where articles are known by nothing but their SKU, and each is a request of its own. */
export async function changePricesOneByOne<Article extends PricedArticle>(
  settings: readonly PriceSetting[],
  { find, send }: OneByOne<Article>,
): Promise<readonly PriceResult[]> {
  const named = new Map(settings.map((setting) => [skuOf(setting), setting]))
  const articles: Article[] = []
  for (const [sku, setting] of named) {
    const article = await find(sku, setting)
    if (article !== null) articles.push(article)
  }
  return await changePrices(settings, articles, eachByItself(send))
}

/** Each change in a request of its own: one that is refused does not keep the others from being made. */
export const eachByItself =
  <Article>(send: (change: PriceChange<Article>) => Promise<void>) =>
  async (changes: readonly PriceChange<Article>[]): Promise<ReadonlyMap<Article, string>> => {
    const refusals = new Map<Article, string>()
    for (const change of changes) {
      const reason = await refusalReason(() => send(change))
      if (reason !== null) refusals.set(change.article, reason)
    }
    return refusals
  }
