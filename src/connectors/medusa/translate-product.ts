import { digitsOf } from '../../commerce/money.ts'
import type { RemoteProduct, Variant } from '../../commerce/product.ts'
import { type Fields, fieldsOf, maybeFields, maybeText, recordsIn, textIn, timeIn } from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { rounded } from './amounts.ts'
import type { MedusaFacts } from './settings.ts'

const statuses: Readonly<Record<string, RemoteProduct['status'] | undefined>> = {
  published: 'active',
  draft: 'draft',
  proposed: 'draft',
  rejected: 'inactive',
}

const rowsIn = (fields: Fields, name: string): readonly Fields[] => recordsIn({ rows: fields[name] ?? [] }, 'rows')

/** Parts come in another order each time; their ids grow. */
const asMade = (parts: readonly Fields[]): Fields[] => {
  const idOf = (part: Fields) => maybeText(part, 'id') ?? ''
  return parts.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : idOf(a) > idOf(b) ? 1 : 0))
}

/** A product's own time stays behind when its variants change. */
const productChangedAt = (product: Fields): string =>
  rowsIn(product, 'variants')
    .map((variant) => timeIn(variant, 'updated_at'))
    .reduce((last, time) => (time > last ? time : last), timeIn(product, 'updated_at'))

/** One without variants cannot be bought: it is set aside until there is something in it. */
export function toProduct(raw: unknown, facts: MedusaFacts): RemoteProduct {
  const product = fieldsOf(raw)
  const reported = textIn(product, 'status')
  const status = statuses[reported]
  if (!status) throw new Unreadable(say('unknown_value', { name: 'status', value: reported }))
  const variants = rowsIn(product, 'variants')
  if (variants.length === 0) throw new Unreadable(say('nothing_to_sell'))
  const type = maybeFields(product, 'type')
  const changed = productChangedAt(product)
  return {
    remote_id: textIn(product, 'id'),
    title: textIn(product, 'title'),
    description_html: maybeText(product, 'description'),
    status,
    remote_status: reported,
    brand: null,
    type: type && maybeText(type, 'value'),
    tags: rowsIn(product, 'tags').map((tag) => textIn(tag, 'value')),
    images: rowsIn(product, 'images').map((image, position) => ({ url: textIn(image, 'url'), alt: null, position })),
    options: asMade(rowsIn(product, 'options')).map((option) => ({
      name: textIn(option, 'title'),
      values: asMade(rowsIn(option, 'values')).map((value) => textIn(value, 'value')),
    })),
    variants: variants.map((variant) => toVariant(variant, facts)),
    url: null,
    remote_created_at: timeIn(product, 'created_at'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

/** One that counts for everybody and any number of pieces, in the currency that was asked for. */
export const isPlain = (price: Fields, currency: string): boolean =>
  textIn(price, 'currency_code').toUpperCase() === currency &&
  price['min_quantity'] == null &&
  price['max_quantity'] == null &&
  Object.keys(maybeFields(price, 'rules') ?? {}).length === 0

function toVariant(variant: Fields, { settings: { currency } }: MedusaFacts): Variant {
  const price = currency === undefined ? null : rowsIn(variant, 'prices').find((one) => isPlain(one, currency))
  const [item] = rowsIn(variant, 'inventory_items')
  return {
    remote_id: textIn(variant, 'id'),
    inventory_item_remote_id: item ? maybeText(item, 'inventory_item_id') : null,
    sku: maybeText(variant, 'sku'),
    barcode: maybeText(variant, 'barcode') ?? maybeText(variant, 'ean') ?? maybeText(variant, 'upc'),
    title: maybeText(variant, 'title'),
    options: rowsIn(variant, 'options').map((one) => ({
      name: textIn(fieldsOf(one['option']), 'title'),
      value: textIn(one, 'value'),
    })),
    price: price && currency ? { amount: rounded(price['amount'], 6, digitsOf(currency)), currency } : null,
    compare_at_price: null,
    // A number without a unit.
    weight: null,
    // It moves with every order and comes with the stock levels.
    quantity: null,
    track_inventory: variant['manage_inventory'] === true,
  }
}
