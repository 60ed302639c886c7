import { decimal, sum } from '../../commerce/decimal.ts'
import type { InventoryLevel } from '../../commerce/inventory.ts'
import { digitsOf } from '../../commerce/money.ts'
import type { RemoteProduct, Variant } from '../../commerce/product.ts'
import { type Fields, fieldsOf, idIn, recordsIn } from '../../commerce/reading.ts'
import { fromLocalTime } from '../../commerce/wire/local-time.ts'
import { originOf } from '../../commerce/wire/shop-address.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { associated, countIn, isYes, needed, textOf, valueIn } from './ask.ts'
import { type PrestaFacts, zoneOf } from './settings.ts'

/**
 * A product with its combinations under `combinations`, what they are called under `values`, and its stock under
 * `stocks`. Prices are those without tax.
 */
export function toProduct(raw: unknown, facts: PrestaFacts): RemoteProduct {
  const product = fieldsOf(raw)
  const combinations = recordsIn(product, 'combinations')
  const values = new Map(recordsIn(product, 'values').map((value) => [idIn(value, 'id'), value]))
  const stocks = recordsIn(product, 'stocks')
  const id = idIn(product, 'id')
  const changed = fromLocalTime(needed(product, 'date_upd'), zoneOf(facts))
  const variants =
    combinations.length > 0
      ? combinations.map((one) => toVariant(product, one, { values, stocks, facts }))
      : [toVariant(product, null, { values, stocks, facts })]
  const options = Map.groupBy(
    variants.flatMap((variant) => variant.options),
    ({ name }) => name,
  )
  const draft = valueIn(product, 'state') === '0'
  return {
    remote_id: id,
    sku: valueIn(product, 'reference'),
    title: textOf(product, 'name') ?? needed(product, 'reference'),
    description_html: textOf(product, 'description'),
    status: draft ? 'draft' : isYes(product, 'active') ? 'active' : 'inactive',
    remote_status: draft ? 'draft' : isYes(product, 'active') ? '1' : '0',
    brand: typeof product['manufacturer_name'] === 'string' ? valueIn(product, 'manufacturer_name') : null,
    type: valueIn(product, 'product_type') ?? valueIn(product, 'type'),
    tags: [],
    images: associated(product, 'images').map((image, position) => ({
      url: imageUrl(idIn(image, 'id'), facts),
      alt: null,
      position,
    })),
    options: [...options].map(([name, chosen]) => ({ name, values: [...new Set(chosen.map(({ value }) => value))] })),
    variants,
    url: `${originOf(facts)}/index.php?controller=product&id_product=${id}`,
    remote_created_at:
      valueIn(product, 'date_add') === null ? null : fromLocalTime(needed(product, 'date_add'), zoneOf(facts)),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

/** Where the platform keeps them: a folder for each digit. */
const imageUrl = (id: string, facts: PrestaFacts) => `${originOf(facts)}/img/p/${[...id].join('/')}/${id}.jpg`

const weightUnits: Readonly<Record<string, 'g' | 'kg' | 'oz' | 'lb' | undefined>> = {
  g: 'g',
  kg: 'kg',
  oz: 'oz',
  lb: 'lb',
  lbs: 'lb',
}

interface Parts {
  values: ReadonlyMap<string, Fields>
  stocks: readonly Fields[]
  facts: PrestaFacts
}

/** A combination says what it adds to the price and the weight of its product. */
function toVariant(product: Fields, combination: Fields | null, { values, stocks, facts }: Parts): Variant {
  const { currency, weight_unit: measure = 'kg' } = facts.settings
  if (!currency) throw new Unreadable(say('shop_currency_unknown'))
  const digits = digitsOf(currency)
  const both = (name: string, least: number) =>
    sum(
      [
        decimal(valueIn(product, name) ?? '0', least),
        decimal((combination && valueIn(combination, name)) ?? '0', least),
      ],
      least,
    )
  const options = (combination ? associated(combination, 'product_option_values') : []).flatMap((one) => {
    const value = values.get(idIn(one, 'id'))
    return value
      ? [{ name: textOf(value, 'group') ?? 'Option', value: textOf(value, 'name') ?? idIn(value, 'id') }]
      : []
  })
  const own = combination ?? product
  const attribute = combination ? idIn(combination, 'id') : '0'
  const stock = stocks.find((one) => (valueIn(one, 'id_product_attribute') ?? '0') === attribute)
  const unit = weightUnits[measure.toLowerCase()]
  const weight = both('weight', 0)
  return {
    remote_id: combination ? attribute : idIn(product, 'id'),
    inventory_item_remote_id: stock ? idIn(stock, 'id') : null,
    sku: valueIn(own, 'reference'),
    barcode: valueIn(own, 'ean13') ?? valueIn(own, 'upc') ?? valueIn(own, 'isbn'),
    title: options.map(({ value }) => value).join(', ') || null,
    options,
    price: { amount: both('price', digits), currency },
    compare_at_price: null,
    weight: unit && weight !== '0' ? { value: weight, unit } : null,
    quantity: stock ? countIn(stock, 'quantity') : null,
    track_inventory: true,
  }
}

/** A stock with the number of its article under `reference`. */
export function toInventoryLevel(raw: unknown): InventoryLevel {
  const stock = fieldsOf(raw)
  const attribute = valueIn(stock, 'id_product_attribute') ?? '0'
  return {
    sku: needed(stock, 'reference'),
    variant_remote_id: attribute === '0' ? needed(stock, 'id_product') : attribute,
    location_remote_id: null,
    available: countIn(stock, 'quantity'),
    on_hand: null,
    reserved: null,
    updated_at: null,
  }
}
