import type { InventoryLevel } from '../../commerce/inventory.ts'
import { fromMinorUnits } from '../../commerce/money.ts'
import type { RemoteProduct } from '../../commerce/product.ts'
import { arrayIn, fieldsOf, maybeText, numberIn, textIn } from '../../commerce/reading.ts'

/** Every article is a product of its own here. */
export function toProduct(raw: unknown): RemoteProduct {
  const product = fieldsOf(raw)
  const currency = textIn(product, 'currency')
  const images = arrayIn(product, 'images').map((value, position) => {
    const image = fieldsOf(value)
    return { url: textIn(image, 'url'), alt: maybeText(image, 'alt'), position }
  })
  return {
    remote_id: textIn(product, 'id'),
    title: textIn(product, 'title'),
    description_html: maybeText(product, 'description'),
    status: product['visible'] === true ? 'active' : 'inactive',
    remote_status: product['visible'] === true ? 'visible' : 'hidden',
    brand: null,
    type: null,
    tags: [],
    images,
    options: [],
    variants: [
      {
        remote_id: textIn(product, 'id'),
        inventory_item_remote_id: null,
        sku: textIn(product, 'sku'),
        barcode: null,
        title: null,
        options: [],
        price: fromMinorUnits(numberIn(product, 'price'), currency),
        compare_at_price:
          product['compare_at'] == null ? null : fromMinorUnits(numberIn(product, 'compare_at'), currency),
        weight: null,
        quantity: numberIn(product, 'stock'),
        track_inventory: true,
      },
    ],
    url: null,
    remote_created_at: null,
    remote_updated_at: textIn(product, 'updated_at'),
    remote_version: textIn(product, 'updated_at'),
    raw,
  }
}

export function toInventoryLevel(raw: unknown): InventoryLevel {
  const level = fieldsOf(raw)
  const stock = numberIn(level, 'stock')
  return {
    sku: textIn(level, 'sku'),
    variant_remote_id: textIn(level, 'id'),
    location_remote_id: maybeText(level, 'location'),
    available: stock,
    on_hand: stock,
    reserved: null,
    updated_at: textIn(level, 'updated_at'),
  }
}
