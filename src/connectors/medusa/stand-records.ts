/** The records of the stand: a small kitchen shop, in the shapes of the server, with all that its specification requires. */

export type Row = Record<string, unknown> & { id: string; created_at: string; updated_at: string }

export const timeAt = (minute: number): string => new Date(Date.UTC(2026, 8, 1) + minute * 60_000 + 250).toISOString()

export const ids = (kind: string, n: number): string => `${kind}_01STAND${String(n).padStart(8, '0')}`

const times = (created: string, updated = created) => ({
  created_at: created,
  updated_at: updated,
  deleted_at: created,
})

export interface StandVariant extends Row {
  sku: string
  prices: Record<string, unknown>[]
}

export interface StandProduct extends Row {
  title: string
  variants: StandVariant[]
}

const measures = {
  weight: 1,
  length: 1,
  height: 1,
  width: 1,
  hs_code: '',
  origin_country: '',
  mid_code: '',
  material: '',
}

export const priceRow = (n: number, currency: string, amount: number, at: string) => ({
  ...{ id: ids('price', n), title: '', currency_code: currency, amount, raw_amount: { value: String(amount) } },
  ...{ price_set_id: ids('pset', n), ...times(at), min_quantity: null, max_quantity: null, rules: {} },
})

export function makeVariant(
  n: number,
  product: string,
  words: { sku: string; title: string; amount: number; at: string },
): StandVariant {
  return {
    ...{
      id: ids('variant', n),
      product_id: product,
      title: words.title,
      sku: words.sku,
      barcode: `40000${n}`,
      ean: '',
      upc: '',
    },
    ...{ allow_backorder: false, manage_inventory: true, ...measures, ...times(words.at) },
    prices: [priceRow(n, 'eur', words.amount, words.at), priceRow(n + 5000, 'usd', words.amount + 1, words.at)],
    options: [{ id: ids('optval', n), value: words.title, option: { id: ids('opt', n), title: 'Size' } }],
    inventory_items: [{ inventory_item_id: ids('iitem', n), required_quantity: 1 }],
  }
}

export function makeProduct(
  n: number,
  words: Record<string, unknown>,
  at: string,
  variants: StandVariant[],
): StandProduct {
  return {
    ...{ id: ids('prod', n), title: '', subtitle: '', description: '', handle: '', status: 'published', thumbnail: '' },
    ...{
      is_giftcard: false,
      collection_id: '',
      type_id: '',
      discountable: true,
      external_id: '',
      ...measures,
      ...times(at),
    },
    ...{ type: { id: ids('ptyp', 1), value: 'Kitchen', created_at: at, updated_at: at }, tags: [], images: [] },
    options: [
      {
        id: ids('opt', n),
        title: 'Size',
        values: variants.map((one, m) => ({ id: ids('optval', m), value: one['title'] })),
      },
    ],
    ...words,
    variants,
  }
}

export const makeProducts = (): StandProduct[] =>
  Array.from({ length: 26 }, (_, n) => {
    const at = timeAt(n * 7)
    const sizes = n % 3 === 0 ? ['S', 'L'] : ['S']
    const variants = sizes.map((title, m) => {
      const one = makeVariant(n * 2 + m, ids('prod', n), { sku: `POT-${n}-${title}`, title, amount: 4.5 + n, at })
      // Some have changed after their product.
      return { ...one, updated_at: timeAt(n * 7 + (n % 5 === 0 ? 100 + m : 0)) }
    })
    const status = ['published', 'published', 'draft', 'proposed', 'rejected'][n % 5]
    const images = [{ id: ids('img', n), url: `https://stand.example/pot-${n}.jpg` }]
    return makeProduct(n, { title: `Pot ${n}`, handle: `pot-${n}`, status, images }, at, variants)
  })

export interface StandItem extends Row {
  sku: string
  location_levels: Record<string, unknown>[]
}

export const places = [ids('sloc', 1), ids('sloc', 2)]

export const makeLevel = (item: string, place: string, stocked: number, reserved: number, at: string) => ({
  ...{ id: `ilev_${item}_${place}`, inventory_item_id: item, location_id: place, stocked_quantity: stocked },
  ...{
    reserved_quantity: reserved,
    incoming_quantity: 0,
    available_quantity: stocked - reserved,
    metadata: {},
    ...times(at),
  },
})

export const makeItem = (variant: StandVariant, n: number): StandItem => {
  const id = String((variant['inventory_items'] as { inventory_item_id: string }[])[0]?.inventory_item_id)
  return {
    ...{ id, sku: variant.sku, requires_shipping: true, ...times(variant.created_at) },
    variants: [{ id: variant.id }],
    location_levels: n < 0 ? [] : places.map((place, m) => makeLevel(id, place, 30 + n, n % 4, timeAt(n * 3 + m))),
  }
}
