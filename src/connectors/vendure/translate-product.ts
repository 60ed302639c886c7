import type { RemoteProduct, Variant } from '../../commerce/product.ts'
import {
  type Fields,
  fieldsIn,
  fieldsOf,
  idIn,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
  timeIn,
} from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { unitsToMoney } from './amounts.ts'
import type { VendureFacts } from './settings.ts'

/** A product's own time stays behind when its variants change. */
const productChangedAt = (product: Fields): string =>
  recordsIn(product, 'variants')
    .map((variant) => timeIn(variant, 'updatedAt'))
    .reduce((last, time) => (time > last ? time : last), timeIn(product, 'updatedAt'))

/** One without variants cannot be bought: it is set aside until there is something in it. */
export function toProduct(raw: unknown, facts: VendureFacts): RemoteProduct {
  const product = fieldsOf(raw)
  const variants = recordsIn(product, 'variants')
  if (variants.length === 0) throw new Unreadable(say('nothing_to_sell'))
  const enabled = product['enabled'] === true
  const changed = productChangedAt(product)
  return {
    remote_id: idIn(product, 'id'),
    title: textIn(product, 'name'),
    description_html: maybeText(product, 'description'),
    status: enabled ? 'active' : 'inactive',
    remote_status: enabled ? 'enabled' : 'disabled',
    brand: null,
    type: null,
    tags: [],
    images: recordsIn(product, 'assets').map((asset, position) => ({
      url: textIn(asset, 'source'),
      alt: maybeText(asset, 'name'),
      position,
    })),
    options: recordsIn(product, 'optionGroups').map((group) => ({
      name: textIn(group, 'name'),
      values: recordsIn(group, 'options').map((option) => textIn(option, 'name')),
    })),
    variants: variants.map((variant) => toVariant(variant, facts)),
    url: null,
    remote_created_at: timeIn(product, 'createdAt'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

const tracked: Readonly<Record<string, boolean | null | undefined>> = { TRUE: true, FALSE: false, INHERIT: null }

/** The price as it was typed in, which includes tax or not as the channel says. */
function toVariant(variant: Fields, facts: VendureFacts): Variant {
  const currency = textIn(variant, 'currencyCode')
  const own = recordsIn(variant, 'prices').find(({ currencyCode }) => currencyCode === currency)
  return {
    remote_id: idIn(variant, 'id'),
    inventory_item_remote_id: null,
    sku: maybeText(variant, 'sku'),
    barcode: null,
    title: textIn(variant, 'name'),
    options: recordsIn(variant, 'options').map((option) => ({
      name: textIn(fieldsIn(option, 'group'), 'name'),
      value: textIn(option, 'name'),
    })),
    price: unitsToMoney(numberIn(own ?? variant, 'price'), currency, facts),
    compare_at_price: null,
    weight: null,
    // It moves with every order and comes with the stock levels.
    quantity: null,
    track_inventory: tracked[textIn(variant, 'trackInventory')] ?? null,
  }
}
