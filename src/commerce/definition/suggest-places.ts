import { isFields } from '../reading.ts'

/** Which place of a record is most likely which of our fields: by what it is called, and by what it looks like. */
export interface Suggestion {
  /** Our field, as a place below the part: `fields.total`, `lines.fields.sku`. */
  field: string
  /** The path, relative to the record that the field is read from. */
  place: string
  example: string
  /** From 0 to 100. */
  certainty: number
}

type Shape = 'id' | 'text' | 'amount' | 'time' | 'whole' | 'list' | 'currency' | 'email' | 'country'

interface Wanted {
  field: string
  shape: Shape
  /** What others call it, the usual first. Words are compared without _ - and capitals. */
  names: readonly string[]
}

const wanted = (field: string, shape: Shape, ...names: string[]): Wanted => ({ field, shape, names })

/** Of orders and products alike. */
const changedAt = wanted(
  'fields.updated_at',
  'time',
  'updated_at',
  'date_updated',
  'date_modified',
  'modified',
  'updated',
  'changed',
  'tms',
  'date_modification',
)

const orderFields: readonly Wanted[] = [
  wanted('fields.remote_id', 'id', 'id', 'order_id', 'uuid', 'rowid', 'sale_id', 'key'),
  wanted('fields.number', 'text', 'number', 'order_number', 'reference', 'ref', 'increment_id', 'name', 'code'),
  wanted('fields.status', 'text', 'status', 'state', 'order_status', 'statut', 'fk_statut'),
  wanted('fields.payment_status', 'text', 'payment_status', 'paid', 'financial_status', 'payment.state'),
  wanted('fields.currency', 'currency', 'currency', 'currency_code', 'multicurrency_code', 'totals.currency'),
  wanted(
    'fields.total',
    'amount',
    'total',
    'grand_total',
    'total_ttc',
    'amount_total',
    'total_amount',
    'totals.grand',
    'amount',
  ),
  wanted('fields.tax_total', 'amount', 'tax_total', 'total_tax', 'tax', 'vat', 'total_tva', 'totals.vat'),
  wanted(
    'fields.shipping_total',
    'amount',
    'shipping_total',
    'shipping',
    'shipping_cost',
    'totals.shipping',
    'freight',
  ),
  wanted('fields.discount_total', 'amount', 'discount_total', 'discount', 'discount_amount'),
  wanted(
    'fields.placed_at',
    'time',
    'placed_at',
    'created_at',
    'date_created',
    'created',
    'date_creation',
    'order_date',
    'date',
  ),
  changedAt,
  wanted('fields.note', 'text', 'note', 'comment', 'customer_note', 'note_public'),
  wanted(
    'fields.customer.email',
    'email',
    'email',
    'customer_email',
    'customer.email',
    'buyer.mail',
    'buyer.email',
    'mail',
  ),
  wanted('fields.customer.name', 'text', 'customer_name', 'customer.name', 'buyer.name', 'full_name'),
  ...['shipping_address', 'billing_address'].flatMap((address) => {
    const [word = ''] = address.split('_')
    const under = (...names: string[]) =>
      names.flatMap((name) => [`${address}.${name}`, `${word}.${name}`, `${word}_${name}`, `ship_to.${name}`])
    return [
      wanted(`fields.${address}.line1`, 'text', ...under('line1', 'street', 'address1', 'address', 'address_1')),
      wanted(`fields.${address}.city`, 'text', ...under('city', 'town')),
      wanted(`fields.${address}.postal_code`, 'text', ...under('postal_code', 'zip', 'postcode')),
      wanted(`fields.${address}.country_code`, 'country', ...under('country_code', 'country')),
    ]
  }),
  wanted('lines.items', 'list', 'lines', 'items', 'line_items', 'rows', 'order_lines', 'positions', 'products'),
]
const lineFields: readonly Wanted[] = [
  wanted('remote_id', 'id', 'id', 'line_id', 'rowid', 'uuid'),
  wanted('sku', 'text', 'sku', 'product_ref', 'article', 'article_number', 'ref', 'code', 'product.sku'),
  wanted('title', 'text', 'title', 'name', 'label', 'product_label', 'description', 'product_name', 'desc', 'libelle'),
  wanted('quantity', 'whole', 'quantity', 'qty', 'amount', 'count', 'pieces'),
  wanted('unit_price', 'amount', 'unit_price', 'price', 'subprice', 'price_each', 'net_price', 'cents'),
  wanted('tax', 'amount', 'tax', 'total_tva', 'vat', 'tax_amount'),
  wanted('total', 'amount', 'total', 'total_ttc', 'line_total'),
]
const productFields: readonly Wanted[] = [
  wanted('fields.remote_id', 'id', 'id', 'product_id', 'rowid', 'uuid'),
  wanted('fields.title', 'text', 'title', 'name', 'label'),
  wanted('fields.description_html', 'text', 'description_html', 'description', 'body_html'),
  wanted('fields.status', 'text', 'status', 'state'),
  changedAt,
  wanted('variants.fields.remote_id', 'id', 'id', 'product_id', 'rowid', 'uuid'),
  wanted('variants.fields.sku', 'text', 'sku', 'ref', 'article_number', 'code', 'reference'),
  wanted('variants.fields.price', 'amount', 'price', 'unit_price', 'price_ttc', 'price.amount', 'cents'),
  wanted('variants.fields.currency', 'currency', 'currency', 'currency_code', 'price.currency'),
  wanted('variants.fields.quantity', 'whole', 'quantity', 'stock', 'stock_reel', 'stock_quantity', 'qty'),
]
const inventoryFields: readonly Wanted[] = [
  wanted('fields.sku', 'text', 'sku', 'ref', 'article', 'article_number', 'code', 'reference'),
  wanted('fields.available', 'whole', 'available', 'quantity', 'stock', 'stock_reel', 'free', 'qty', 'count', 'level'),
  wanted('fields.location_remote_id', 'id', 'location', 'location_id', 'warehouse', 'place', 'warehouse_id'),
  wanted('fields.updated_at', 'time', 'updated_at', 'date_updated', 'updated', 'tms', 'changed'),
]

const byPart = { orders: orderFields, products: productFields, inventory: inventoryFields }
export type DescribedPart = keyof typeof byPart

export function suggestPlaces(part: DescribedPart, record: unknown): Suggestion[] {
  const places = placesOf(record)
  const found = best(byPart[part], places)
  const list = found.find(({ field }) => field === 'lines.items')?.place
  const line = list === undefined ? undefined : places.get(list)
  const lines = Array.isArray(line) ? best(lineFields, placesOf(line[0])) : []
  return [...found, ...lines.map((one) => ({ ...one, field: `lines.fields.${one.field}` }))]
}

const maxPlaces = 500

/** Every path of a record that a definition could name, with what is there. */
export function placesOf(record: unknown): Map<string, unknown> {
  const places = new Map<string, unknown>()
  const visit = (value: unknown, path: string, depth: number) => {
    if (places.size >= maxPlaces) return
    if (path !== '') places.set(path, value)
    if (!isFields(value) || depth >= 4) return
    for (const [name, inner] of Object.entries(value)) {
      if (/^[A-Za-z0-9_@$-]{1,64}$/.test(name)) visit(inner, path === '' ? name : `${path}.${name}`, depth + 1)
    }
  }
  visit(record, '', 0)
  return places
}

function best(fields: readonly Wanted[], places: ReadonlyMap<string, unknown>): Suggestion[] {
  return fields.flatMap(({ field, shape, names }) => {
    const [first] = [...places]
      .flatMap(([place, value]) => {
        const named = nameScore(place, names)
        return named > 0 && fits(shape, value) ? [{ field, place, example: shown(value), certainty: named }] : []
      })
      .sort((a, b) => b.certainty - a.certainty)
    return first ? [first] : []
  })
}

const plain = (name: string) => name.toLowerCase().replace(/[_-]/g, '')

/** The whole path as somebody calls it counts for more than its last name, and what is usual for more than what is not. */
function nameScore(place: string, names: readonly string[]): number {
  const whole = plain(place)
  const last = plain(place.split('.').at(-1) ?? '')
  const depth = place.split('.').length - 1
  const scores = names.map((name, n) => {
    const usual = plain(name)
    const rank = Math.min(20, n * 2)
    if (whole === usual) return 100 - rank
    return last === usual ? 70 - rank - depth * 5 : 0
  })
  return Math.max(0, ...scores)
}

const looksLikeTime = (value: unknown): boolean =>
  (typeof value === 'string' && /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)/.test(value)) ||
  (typeof value === 'number' && value > 600_000_000 && value < 5_000_000_000_000)

function fits(shape: Shape, value: unknown): boolean {
  const simple = typeof value === 'string' || typeof value === 'number'
  switch (shape) {
    case 'list':
      return Array.isArray(value) && isFields(value[0])
    case 'time':
      return looksLikeTime(value)
    case 'amount':
      return simple && /^-?\d{1,15}(\.\d{1,8})?( [A-Z]{3})?$/.test(String(value))
    case 'whole':
      return simple && /^-?\d{1,15}(\.0+)?$/.test(String(value))
    case 'currency':
      return typeof value === 'string' && /^[A-Za-z]{3}$/.test(value)
    case 'country':
      return typeof value === 'string' && /^[A-Za-z]{2}$/.test(value)
    case 'email':
      return typeof value === 'string' && value.includes('@')
    default:
      return simple || typeof value === 'boolean'
  }
}

const shown = (value: unknown): string =>
  Array.isArray(value) ? `${value.length} records` : String(value).slice(0, 100)

/** How amounts and times of a record are written, as far as its own values tell. */
export function suggestFormat(record: unknown): { time: string } | null {
  const times = [...placesOf(record)].flatMap(([place, value]) =>
    /(date|time|created|updated|changed|modified|_at$|tms)/i.test(place) && looksLikeTime(value) ? [value] : [],
  )
  const [first] = times
  if (first === undefined) return null
  if (typeof first === 'number') return { time: first > 100_000_000_000 ? 'milliseconds' : 'unix' }
  return { time: /(Z|[+-]\d\d:?\d\d)$/.test(String(first).slice(10)) ? 'iso' : 'local' }
}
