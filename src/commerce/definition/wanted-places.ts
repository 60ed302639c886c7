/** What our fields are called elsewhere, and what they look like there. */

/** What a place looks like. */
export type Shape = 'id' | 'text' | 'amount' | 'time' | 'whole' | 'list' | 'currency' | 'email' | 'country'

export interface Wanted {
  field: string
  shape: Shape
  /** What others call it, the usual first. Words are compared without _ - and capitals; after = only the whole path counts. */
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

const streets = ['line1', 'street', 'address1', 'address', 'address_1']
const postcodes = ['postal_code', 'zip', 'postcode', 'zip_code']
const countries = ['country_code', 'country']

export const orderFields: readonly Wanted[] = [
  wanted('fields.remote_id', 'id', 'id', 'order_id', 'object_id', 'uuid', 'rowid', 'sale_id', 'key'),
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
    // An address that the order has by itself, without saying whose, is where it goes to.
    const own = (...names: string[]) => (word === 'shipping' ? names.map((name) => `=${name}`) : [])
    return [
      wanted(`fields.${address}.name`, 'text', ...under('name', 'full_name'), ...own('customer_name')),
      wanted(`fields.${address}.line1`, 'text', ...under(...streets), ...own(...streets)),
      wanted(`fields.${address}.city`, 'text', ...under('city', 'town'), ...own('city', 'town')),
      wanted(`fields.${address}.postal_code`, 'text', ...under(...postcodes), ...own(...postcodes)),
      wanted(`fields.${address}.country_code`, 'country', ...under(...countries), ...own(...countries)),
    ]
  }),
  wanted('lines.items', 'list', 'lines', 'items', 'line_items', 'rows', 'order_lines', 'positions', 'products'),
]
export const lineFields: readonly Wanted[] = [
  wanted('remote_id', 'id', 'id', 'line_id', 'rowid', 'uuid'),
  wanted('sku', 'text', 'sku', 'product_ref', 'article', 'article_number', 'ref', 'code', 'product.sku'),
  wanted('title', 'text', 'title', 'name', 'label', 'product_label', 'description', 'product_name', 'desc', 'libelle'),
  wanted('quantity', 'whole', 'quantity', 'qty', 'amount', 'count', 'pieces'),
  wanted('unit_price', 'amount', 'unit_price', 'price', 'subprice', 'price_each', 'net_price', 'cents'),
  wanted('tax', 'amount', 'tax', 'total_tva', 'vat', 'tax_amount'),
  wanted('total', 'amount', 'total', 'total_ttc', 'line_total'),
]
export const productFields: readonly Wanted[] = [
  wanted('fields.remote_id', 'id', 'id', 'product_id', 'object_id', 'rowid', 'uuid'),
  wanted('fields.title', 'text', 'title', 'name', 'label'),
  wanted('fields.description_html', 'text', 'description_html', 'description', 'body_html'),
  wanted('fields.status', 'text', 'status', 'state'),
  changedAt,
  wanted('variants.fields.remote_id', 'id', 'id', 'product_id', 'object_id', 'rowid', 'uuid'),
  wanted('variants.fields.sku', 'text', 'sku', 'ref', 'article_number', 'code', 'reference'),
  wanted('variants.fields.price', 'amount', 'price', 'unit_price', 'price_ttc', 'price.amount', 'cents'),
  wanted('variants.fields.currency', 'currency', 'currency', 'currency_code', 'price.currency'),
  wanted('variants.fields.quantity', 'whole', 'quantity', 'stock', 'stock_reel', 'stock_quantity', 'qty'),
]
export const inventoryFields: readonly Wanted[] = [
  wanted('fields.sku', 'text', 'sku', 'ref', 'article', 'article_number', 'code', 'reference'),
  wanted('fields.variant_remote_id', 'id', '=id', '=product_id', '=object_id', '=rowid', '=uuid'),
  wanted('fields.available', 'whole', 'available', 'quantity', 'stock', 'stock_reel', 'free', 'qty', 'count', 'level'),
  wanted('fields.location_remote_id', 'id', 'location', 'location_id', 'warehouse', 'place', 'warehouse_id'),
  wanted('fields.updated_at', 'time', 'updated_at', 'date_updated', 'updated', 'tms', 'changed'),
]
