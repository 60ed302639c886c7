import { convert, decimal } from '../../amounts.ts'
import { inSeconds } from '../../clock.ts'
import type { Fields } from '../../json.ts'
import { locations, type Product, type Variant } from '../../shop/goods.ts'
import { asinOf, marketplace } from './order-view.ts'

/** What comes in several kinds is listed under a number of its own as well, which nobody can buy. */
export const headSkuOf = ({ index }: Pick<Product, 'index'>): string => `FAMILY-${String(index + 1).padStart(5, '0')}`

/** Where a seller sends from: the usual channel, and supply sources. */
export const channelOf = (location: number): string => (location === 0 ? 'DEFAULT' : `supply-source-${location + 1}`)
export const channels = locations.map((_, location) => channelOf(location))

/** A number that the seller lists: an article, or the head of those that come in several kinds. */
export interface Listing {
  sku: string
  product: Product
  /** Null is the head, which nobody can buy. */
  variant: Variant | null
}

export const listingsOf = (product: Product): readonly Listing[] => {
  const sold = product.variants.map((variant) => ({ sku: variant.sku, product, variant }))
  return sold.length === 1 ? sold : [{ sku: headSkuOf(product), product, variant: null }, ...sold]
}

export const productTypeOf = ({ type }: Product): string => type.toUpperCase() || 'PRODUCT'

/** The warehouse of Amazon that an article lies in; null for what the seller sends. */
export const amazonChannelOf = ({ index }: Product, both: boolean): string | null =>
  both && index % 10 === 9 ? 'AMAZON_EU' : null

const statuses = { active: ['BUYABLE', 'DISCOVERABLE'], draft: [], archived: ['DISCOVERABLE'] } as const
const of = (value: unknown, more: Fields = {}) => [{ value, ...more, marketplace_id: marketplace.id }]
const german = { language_tag: 'de_DE' }

/**
 * Each data set comes for the asking only. `submitted` is what was last said of stock: the attribute keeps that, while
 * what is left after all sales is told beside it.
 */
export function listingView(
  listing: Listing,
  wanted: readonly string[],
  { both, submitted }: { both: boolean; submitted: readonly Fields[] | undefined },
): Fields {
  const { sku, product, variant } = listing
  const amazon = amazonChannelOf(product, both)
  const [image] = product.images
  const parts: Fields = {
    summaries: [
      {
        ...{ marketplaceId: marketplace.id, asin: asinOf(product.index, variant ? variant.position : 9) },
        ...{ productType: productTypeOf(product), conditionType: 'new_new', itemName: product.title },
        status: variant ? statuses[product.status] : ['DISCOVERABLE'],
        ...{ createdDate: inSeconds(product.createdAt), lastUpdatedDate: inSeconds(product.updatedAt) },
        ...(image ? { mainImage: { link: image.url, height: 500, width: 500 } } : {}),
      },
    ],
    attributes: {
      item_name: of(product.title, german),
      brand: of(product.vendor, german),
      product_description: of(product.html, german),
      ...(variant && soldAttributes(variant, submitted ?? usually(variant, amazon))),
    },
    offers: variant ? [{ marketplaceId: marketplace.id, offerType: 'B2C', price: priceOf(variant) }] : [],
    fulfillmentAvailability: amazon && variant ? [{ fulfillmentChannelCode: amazon }] : levelsOf(variant),
    relationships:
      product.variants.length > 1
        ? [{ marketplaceId: marketplace.id, relationships: [box, { ...theme, ...relativesOf(listing) }] }]
        : [],
  }
  return { sku, ...Object.fromEntries(Object.entries(parts).filter(([name]) => wanted.includes(name))) }
}

const priceOf = ({ price }: Variant) => ({
  currencyCode: marketplace.currency,
  amount: decimal(convert(price, marketplace.currency), marketplace.currency),
})

const levelsOf = (variant: Variant | null) =>
  (variant?.stock ?? []).map((quantity, n) => ({ fulfillmentChannelCode: channelOf(n), quantity }))

const soldAttributes = ({ grams, barcode, options }: Variant, availability: readonly Fields[]) => ({
  item_weight: of(grams, { unit: 'grams' }),
  externally_assigned_product_identifier: of(barcode, { type: 'ean' }),
  ...Object.fromEntries(options.map(({ value }) => ['color', of(value)])),
  fulfillment_availability: availability,
})

/** There are packages in packages as well, which are no family. */
const box = { type: 'PACKAGE_HIERARCHY', childSkus: ['SOME-BOX'] }
const theme = { type: 'VARIATION', variationTheme: { attributes: ['color'], theme: 'COLOR' } }

const relativesOf = ({ product, variant }: Listing) =>
  variant ? { parentSkus: [headSkuOf(product)] } : { childSkus: product.variants.map(({ sku }) => sku) }

/** Some were sold since the seller last said how many there are. */
const usually = (variant: Variant, amazon: string | null): readonly Fields[] =>
  amazon
    ? [{ fulfillment_channel_code: amazon }]
    : variant.stock.map((quantity, location) => ({
        ...{ fulfillment_channel_code: channelOf(location), quantity: quantity + variant.position + 1 },
        ...(location === 0 ? { lead_time_to_ship_max_days: 2 } : { restock_date: '2026-12-01' }),
      }))
