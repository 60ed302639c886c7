import { convert, decimal } from '../../amounts.ts'
import { inSeconds } from '../../clock.ts'
import type { Fields } from '../../json.ts'
import type { Product, Variant } from '../../shop/goods.ts'
import { channelOf, headSkuOf } from './ids.ts'
import { asinOf, marketplace } from './order-view.ts'

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
export const amazonChannelOf = ({ product }: Listing, both: boolean): string | null =>
  both && product.index % 10 === 9 ? 'AMAZON_EU' : null

const statuses = { active: ['BUYABLE', 'DISCOVERABLE'], draft: [], archived: ['DISCOVERABLE'] } as const

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
  const marketplaceId = marketplace.id
  const family = product.variants.length > 1
  const of = (value: unknown, more: Fields = {}) => [{ value, ...more, marketplace_id: marketplaceId }]
  const amazon = amazonChannelOf(listing, both)
  const [image] = product.images
  const parts: Fields = {
    summaries: [
      {
        marketplaceId,
        asin: asinOf(product.index, variant ? variant.position : 9),
        productType: productTypeOf(product),
        conditionType: 'new_new',
        status: variant ? statuses[product.status] : ['DISCOVERABLE'],
        itemName: product.title,
        createdDate: inSeconds(product.createdAt),
        lastUpdatedDate: inSeconds(product.updatedAt),
        ...(image ? { mainImage: { link: image.url, height: 500, width: 500 } } : {}),
      },
    ],
    attributes: {
      item_name: of(product.title, { language_tag: 'de_DE' }),
      brand: of(product.vendor, { language_tag: 'de_DE' }),
      product_description: of(product.html, { language_tag: 'de_DE' }),
      ...(variant
        ? {
            item_weight: of(variant.grams, { unit: 'grams' }),
            externally_assigned_product_identifier: of(variant.barcode, { type: 'ean' }),
            ...Object.fromEntries(variant.options.map(({ value }) => ['color', of(value)])),
            fulfillment_availability: submitted ?? usually(variant, amazon),
          }
        : {}),
    },
    offers: variant
      ? [{ marketplaceId, offerType: 'B2C', price: { currencyCode: marketplace.currency, amount: priceOf(variant) } }]
      : [],
    fulfillmentAvailability: !variant
      ? []
      : amazon
        ? [{ fulfillmentChannelCode: amazon }]
        : variant.stock.map((quantity, location) => ({ fulfillmentChannelCode: channelOf(location), quantity })),
    relationships: family ? [{ marketplaceId, relationships: [box, { ...theme, ...relativesOf(listing) }] }] : [],
  }
  return { sku, ...Object.fromEntries(Object.entries(parts).filter(([name]) => wanted.includes(name))) }
}

const priceOf = ({ price }: Variant) => decimal(convert(price, marketplace.currency), marketplace.currency)

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
        fulfillment_channel_code: channelOf(location),
        quantity: quantity + variant.position + 1,
        ...(location === 0 ? { lead_time_to_ship_max_days: 2 } : { restock_date: '2026-12-01' }),
      }))
