import type { VendorSpecification } from '../checkers/checker.ts'
import type { PlatformFacts } from './platform-facts.ts'

const lists = {
  because: 'Lists are one parameter with commas (style form, not exploded), which is told to be an array.',
}

/** Several files are about paths below v3: each is asked about its own. */
const about = (
  file: string,
  paths: string,
  wrong: { report: RegExp; because: string }[] = [],
): VendorSpecification => ({
  kind: 'openapi',
  file: `bigcommerce/${file}`,
  base: new RegExp(`^/stores/\\w+/v\\d(?=${paths})`),
  wrong,
})

export const facts: PlatformFacts = {
  skusOnce: 'a second one is refused (409)',
  lacking: [
    [{ lacks: 'orders.update' }, /: Orders \(modify\)\..*API accounts/],
    [{ lacks: 'products' }, /Products \(read-only\), Products \(modify\)/],
    [{ lacks: 'inventory.set' }, /Store inventory \(modify\)/],
    [{ lacks: 'store.get' }, /Information & settings/],
  ],
  switchOff: (id) => ({ method: 'PUT', path: `/v3/hooks/${id}`, body: { is_active: false } }),
  specifications: [
    about('orders.v3.yml', '/orders/\\d+/payment_actions', [
      {
        report:
          /refund(s|_quotes): body(\/items\/0(\/item_type)?)? must (match|be equal|have required property '(quantity|tax))/,
        because: 'An amount of the order fits two of the kinds of items, of which it may be but one.',
      },
    ]),
    about('orders.v2.oas2.yml', '/orders(?!/\\d+/payment_actions)', [
      { report: /: include\/0 must be/, ...lists },
      { report: /: sort must be equal to one of/, because: 'The same file says that ":asc" may be added.' },
      {
        report: /consignments must match exactly one schema in oneOf/,
        because: 'A link fits the whole consignments as well: nothing in them is required.',
      },
    ]),
    about('store_information.v2.yml', '/store'),
    about('products_catalog.v3.yml', '/catalog/products(?!/\\d+/variants)', [
      { report: /: (include|id:in)\/0 must be/, ...lists },
      {
        report: /^POST \/catalog\/products: body\/variants\/\d+ must have required property '(product_)?id'/,
        because: 'Variants that are made with their product have no ids yet: the file describes them as in answers.',
      },
    ]),
    about('product-variants_catalog.v3.yml', '/catalog/(?:variants|products/\\d+/variants)', [
      { report: /\/(sale_)?price must be number/, because: 'Variants without a price of their own have null for it.' },
    ]),
    about('customers.v3.yml', '/customers', [{ report: /: (id:in|include)/, ...lists }]),
    about('channels.v3.yml', '/channels'),
    about('brands_catalog.v3.yml', '/catalog/brands', [{ report: /: id:in/, ...lists }]),
    about('inventory.v3.yml', '/inventory/(?:items|adjustments|locations/\\d+/items)'),
    about('locations.v3.yml', '/inventory/locations$'),
    about('webhooks.v3.yml', '/hooks', [
      {
        report: /GET \/hooks: answer\/data must NOT have fewer/,
        because: 'A store without webhooks has none to tell.',
      },
    ]),
  ],
  secrets: (secret) => ({ registration: [], client: { client_id: 'us', client_secret: secret } }),
}
