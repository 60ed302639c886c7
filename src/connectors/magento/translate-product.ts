import { decimal } from '../../commerce/decimal.ts'
import type { InventoryLevel } from '../../commerce/inventory.ts'
import type { RemoteProduct, Variant } from '../../commerce/product.ts'
import {
  type Fields,
  fieldsOf,
  idIn,
  isFields,
  maybeFields,
  maybeText,
  maybeTime,
  recordsIn,
  textIn,
  timeIn,
} from '../../commerce/reading.ts'
import { exactQuantity } from '../../commerce/rules/quantities.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { moneyIn } from './amounts.ts'
import { quantityIn } from './lines/quantities.ts'
import type { MagentoFacts } from './settings.ts'

const statuses: Readonly<Record<string, RemoteProduct['status'] | undefined>> = { '1': 'active', '2': 'inactive' }

/**
 * A product, with the articles that a configurable one is sold as under `children`, and what they differ in under
 * `attributes`.
 */
export function toProduct(raw: unknown, { settings }: MagentoFacts): RemoteProduct {
  const product = fieldsOf(raw)
  const remoteStatus = idIn(product, 'status')
  const status = statuses[remoteStatus]
  if (!status) throw new Unreadable(say('unknown_value', { name: 'status', value: remoteStatus }))
  const children = recordsIn(product, 'children')
  const options = recordsIn(product, 'attributes').map(optionOf)
  const toOne = (article: Fields) => toVariant(article, options, settings)
  // An article that changes leaves its product's own time as it was.
  const changed = [product, ...children].map((one) => timeIn(one, 'updated_at')).reduce((a, b) => (a > b ? a : b))
  return {
    remote_id: idIn(product, 'id'),
    title: textIn(product, 'name'),
    description_html: attributeIn(product, 'description'),
    status,
    remote_status: remoteStatus,
    brand: null,
    type: maybeText(product, 'type_id'),
    tags: [],
    images: imagesOf(product, settings.media_url),
    options: options.map(({ name, code, labels }) => ({
      name,
      values: [...new Set(children.flatMap((child) => labels.get(attributeIn(child, code) ?? '') ?? []))],
    })),
    variants: children.length > 0 ? children.map(toOne) : [toOne(product)],
    url: null,
    remote_created_at: maybeTime(product, 'created_at'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

interface Option {
  name: string
  code: string
  /** What is shown, by what is kept. */
  labels: ReadonlyMap<string, string>
}

const optionOf = (attribute: Fields): Option => ({
  name: maybeText(attribute, 'default_frontend_label') ?? textIn(attribute, 'attribute_code'),
  code: textIn(attribute, 'attribute_code'),
  labels: new Map(
    recordsIn(attribute, 'options').flatMap((one) => {
      const value = maybeText(one, 'value')
      return value === null ? [] : [[value, String(one['label']).trim()]]
    }),
  ),
})

/** Attributes that only this kind of shop has come as a list of codes and values. */
function attributeIn(product: Fields, code: string): string | null {
  const found = recordsIn(product, 'custom_attributes').find((one) => one['attribute_code'] === code)
  const value = found?.['value']
  return typeof value === 'number' ? String(value) : typeof value === 'string' && value !== '' ? value : null
}

function toVariant(article: Fields, options: readonly Option[], settings: MagentoFacts['settings']): Variant {
  const { currency, weight_unit: unit = 'kgs' } = settings
  if (!currency) throw new Unreadable(say('shop_currency_unknown'))
  const chosen = options.flatMap(({ name, code, labels }) => {
    const value = labels.get(attributeIn(article, code) ?? '')
    return value ? [{ name, value }] : []
  })
  const stock = maybeFields(maybeFields(article, 'extension_attributes') ?? {}, 'stock_item')
  const weight = article['weight']
  return {
    remote_id: idIn(article, 'id'),
    inventory_item_remote_id: stock?.['item_id'] == null ? null : idIn(stock, 'item_id'),
    sku: textIn(article, 'sku'),
    barcode: attributeIn(article, 'ean') ?? attributeIn(article, 'gtin'),
    title: chosen.map(({ value }) => value).join(', ') || null,
    options: chosen,
    price: article['price'] == null ? null : moneyIn(article, 'price', currency),
    compare_at_price: null,
    weight:
      typeof weight === 'number' ? { value: decimal(weight.toFixed(4), 0), unit: unit === 'kgs' ? 'kg' : 'lb' } : null,
    quantity: stock && Number.isSafeInteger(stock['qty']) ? Number(stock['qty']) : null,
    track_inventory: stock ? stock['manage_stock'] === true : null,
  }
}

function imagesOf(product: Fields, mediaUrl: string | undefined): RemoteProduct['images'] {
  const entries = product['media_gallery_entries']
  if (!Array.isArray(entries) || mediaUrl === undefined) return []
  return entries
    .filter(isFields)
    .filter(
      (entry) => entry['media_type'] === 'image' && entry['disabled'] !== true && maybeText(entry, 'file') !== null,
    )
    .map((entry, position) => ({
      url: `${mediaUrl.replace(/\/$/, '')}/catalog/product${textIn(entry, 'file')}`,
      alt: maybeText(entry, 'label'),
      position,
    }))
}

/**
 * How much there is of an article at one source; or, without `source_code`, in the only stock there is, which orders are taken
 * off at once. Levels are whole numbers here: of goods by weight what is below one is not told.
 */
export function toInventoryLevel(raw: unknown): InventoryLevel {
  const item = fieldsOf(raw)
  const source = maybeText(item, 'source_code')
  const held = quantityIn(item, source === null ? 'qty' : 'quantity')
  const reserved = item['reserved'] == null ? null : quantityIn(item, 'reserved')
  // What the merchant has marked as out of stock is not sold, however much there is.
  const salable = item['status'] === 0 ? 0 : exactQuantity(held - (reserved ?? 0))
  return {
    sku: textIn(item, 'sku'),
    variant_remote_id: item['product_id'] == null ? null : idIn(item, 'product_id'),
    location_remote_id: source,
    available: Math.floor(salable),
    on_hand: source === null ? null : Math.floor(held),
    reserved: reserved === null ? null : Math.ceil(reserved),
    updated_at: null,
  }
}
