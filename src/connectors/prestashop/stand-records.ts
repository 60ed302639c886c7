import type { Fields } from '../../commerce/reading.ts'

/** Records of a shop for cheese, in the platform's shapes: everything is a text, and times are those of Paris. */

const start = Date.parse('2026-05-04T09:00:00Z')

/** `seconds` after the shop was opened, as its own clock shows it. */
export const stamp = (seconds: number): string =>
  new Date(start + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** A record has all of its fields, and most of them are empty. */
const filled = (names: string, known: Fields): Fields => ({
  ...Object.fromEntries(names.split(' ').map((name) => [name, ''])),
  ...known,
})

/** A text in both languages of the shop. */
const both = (french: string, english: string) => [
  { id: '1', value: french },
  { id: '2', value: english },
]

const flagNames = ['paid', 'shipped', 'delivery', 'logable', 'invoice'] as const

const state = (id: number, names: readonly [string, string], flags: string): Fields =>
  filled('unremovable hidden send_email module_name color pdf_delivery pdf_invoice deleted template', {
    id,
    name: both(...names),
    ...Object.fromEntries(flagNames.map((flag) => [flag, flags.split(' ').includes(flag) ? '1' : '0'])),
  })

export const states: readonly Fields[] = [
  state(1, ['En attente du chèque', 'Awaiting check'], ''),
  state(2, ['Paiement accepté', 'Payment accepted'], 'paid logable invoice'),
  state(3, ['En préparation', 'Processing'], 'paid logable invoice delivery'),
  state(4, ['Expédié', 'Shipped'], 'paid shipped logable invoice delivery'),
  state(5, ['Livré', 'Delivered'], 'paid shipped logable invoice delivery'),
  state(6, ['Annulé', 'Canceled'], ''),
  state(7, ['Remboursé', 'Refunded'], 'invoice'),
  state(8, ['Erreur de paiement', 'Payment error'], ''),
  state(9, ['En attente de réapprovisionnement (payé)', 'On backorder (paid)'], 'paid logable invoice'),
  state(12, ['En attente de réapprovisionnement (non payé)', 'On backorder (not paid)'], ''),
  state(20, ['Affinage', 'Ripening'], 'paid logable invoice'),
]

const cycle = ['2', '4', '1', '6', '3', '5', '8', '20', '9']

/** The second in which order `n` was changed: thirty at once, by a module, and the others one by one. */
const changed = (n: number) => (n > 10 && n <= 40 ? 2000 : n * 90)

export function makeOrder(n: number, current = cycle[n % cycle.length] ?? '2'): Fields {
  const paid = ['2', '3', '4', '5', '9', '20'].includes(current)
  return filled(
    'id_cart id_lang module invoice_number invoice_date delivery_number delivery_date shipping_number note id_shop_group id_shop secure_key payment recyclable gift gift_message mobile_theme carrier_tax_rate total_wrapping total_wrapping_tax_incl total_wrapping_tax_excl round_mode round_type conversion_rate',
    {
      id: n,
      id_address_delivery: '31',
      id_address_invoice: '32',
      id_currency: '1',
      id_customer: '7',
      id_carrier: '3',
      current_state: current,
      valid: paid ? '1' : '0',
      date_add: stamp(0),
      date_upd: stamp(changed(n)),
      total_discounts: '2.400000',
      total_discounts_tax_incl: '2.400000',
      total_discounts_tax_excl: '2.000000',
      total_paid: '36.000000',
      total_paid_tax_incl: '36.000000',
      total_paid_tax_excl: '30.170000',
      total_paid_real: paid ? '36.000000' : '0.000000',
      total_products: '26.340000',
      total_products_wt: '31.400000',
      total_shipping: '7.000000',
      total_shipping_tax_incl: '7.000000',
      total_shipping_tax_excl: '5.830000',
      reference: `CHEESE${String(n).padStart(3, '0')}`,
      associations: {
        order_rows: [
          row(`${n}01`, { product_id: '1', product_quantity: '2', product_name: 'Comté', product_reference: 'CH-1' }, [
            '12.500000',
            '10.420000',
          ]),
          row(
            `${n}02`,
            {
              product_id: '4',
              product_attribute_id: '41',
              product_quantity: '1',
              product_name: 'Brie - Taille : Grand',
              product_reference: 'CH-4-0',
            },
            ['6.400000', '5.500000'],
          ),
        ],
      },
    },
  )
}

const row = (id: string, known: Fields, [gross, net]: readonly [string, string]): Fields =>
  filled('product_ean13 product_isbn product_upc', {
    id,
    product_attribute_id: '0',
    product_price: net,
    id_customization: '0',
    unit_price_tax_incl: gross,
    unit_price_tax_excl: net,
    ...known,
  })

export const makeParcel = (n: number): Fields => ({
  id: 500 + n,
  id_order: String(n),
  id_carrier: '3',
  id_order_invoice: '0',
  weight: '1.200000',
  shipping_cost_tax_excl: '5.830000',
  shipping_cost_tax_incl: '7.000000',
  tracking_number: n % 8 === 1 || n % 8 === 5 ? `PREV-${n}` : '',
  date_add: stamp(60),
})

const place = (id: number, known: Fields): Fields =>
  filled('id_manufacturer id_supplier id_warehouse alias vat_number other dni', {
    id,
    id_customer: '7',
    id_country: '8',
    id_state: '0',
    company: '',
    lastname: 'Germain',
    firstname: 'Sophie',
    address1: '4 rue du Four',
    address2: '',
    postcode: '39300',
    city: 'Champagnole',
    phone: '03 84 55 01 00',
    phone_mobile: '',
    deleted: '0',
    date_add: stamp(0),
    date_upd: stamp(0),
    ...known,
  })

const options = [
  { id: 61, id_attribute_group: '9', name: both('Grand', 'Large') },
  { id: 62, id_attribute_group: '9', name: both('Petit', 'Small') },
]

/** Every fourth product comes in two sizes. */
const isSized = (n: number) => n % 4 === 0

export function makeProduct(n: number): Fields {
  return filled(
    'description_short minimal_quantity id_manufacturer id_supplier id_category_default id_default_image id_tax_rules_group type id_shop_default supplier_reference location width height depth quantity_discount isbn upc mpn cache_is_pack cache_has_attachments is_virtual additional_delivery_times delivery_in_stock delivery_out_stock on_sale online_only ecotax low_stock_alert wholesale_price unity unit_price_ratio additional_shipping_cost customizable text_fields uploadable_files redirect_type id_type_redirected available_for_order available_date show_condition condition show_price indexed visibility advanced_stock_management pack_stock_type meta_description meta_keywords meta_title link_rewrite available_now available_later',
    {
      id: n,
      reference: isSized(n) ? '' : `CH-${n}`,
      price: '10.420000',
      state: '1',
      name: both(`Fromage ${n}`, `Cheese ${n}`),
      description: both(`<p>Lait cru ${n}</p>`, `<p>Raw milk ${n}</p>`),
      new: null,
      position_in_category: null,
      manufacturer_name: false,
      quantity: null,
      low_stock_threshold: null,
      cache_default_attribute: isSized(n) ? `${n}1` : '0',
      id_default_combination: isSized(n) ? `${n}1` : '0',
      weight: '0.250000',
      ean13: '3760000000017',
      product_type: isSized(n) ? 'combinations' : 'standard',
      active: n % 9 === 0 ? '0' : '1',
      date_add: stamp(0),
      date_upd: stamp(n * 60),
      associations: { images: [{ id: String(120 + n) }] },
    },
  )
}

export const makeCombinations = (n: number): Fields[] =>
  isSized(n)
    ? ['61', '62'].map((option, k) =>
        filled(
          'location isbn upc mpn quantity supplier_reference wholesale_price ecotax unit_price_impact minimal_quantity low_stock_alert default_on available_date',
          {
            id: n * 10 + 1 + k,
            id_product: String(n),
            reference: `CH-${n}-${k}`,
            ean13: '',
            price: k === 0 ? '2.000000' : '0.000000',
            weight: k === 0 ? '0.500000' : '0.000000',
            low_stock_threshold: null,
            associations: { product_option_values: [{ id: option }], images: [] },
          },
        ),
      )
    : []

const stock = (id: number, product: number, attribute: number, quantity: number): Fields => ({
  id,
  id_product: String(product),
  id_product_attribute: String(attribute),
  id_shop: '1',
  id_shop_group: '0',
  quantity: String(quantity),
  depends_on_stock: '0',
  out_of_stock: '2',
  location: '',
})

/** One for the product, and one for each of its sizes. */
export const makeStocks = (n: number): Fields[] => [
  stock(n * 100, n, 0, n + 3),
  ...makeCombinations(n).map((one, k) => stock(n * 100 + k + 1, n, Number(one['id']), n + k)),
]

const configuration = {
  PS_TIMEZONE: 'Europe/Paris',
  PS_LANG_DEFAULT: '1',
  PS_CURRENCY_DEFAULT: '1',
  PS_WEIGHT_UNIT: 'kg',
  PS_OS_CANCELED: '6',
  PS_OS_REFUND: '7',
  PS_OS_ERROR: '8',
  PS_OS_SHIPPING: '4',
  PS_OS_DELIVERED: '5',
  PS_OS_OUTOFSTOCK_PAID: '9',
  PS_OS_OUTOFSTOCK_UNPAID: '12',
}

/** What the others name by number. */
export const surroundings: Readonly<Record<string, readonly Fields[]>> = {
  configurations: Object.entries(configuration).map(([name, value], n) => ({ id: n + 1, name, value })),
  order_states: states,
  currencies: [
    filled('numeric_iso_code precision conversion_rate deleted active unofficial modified', {
      id: 1,
      iso_code: 'EUR',
      name: 'Euro',
      names: both('Euro', 'Euro'),
      symbol: both('€', '€'),
      pattern: '',
    }),
  ],
  customers: [
    {
      id: 7,
      email: 'sophie@cheese.example',
      firstname: 'Sophie',
      lastname: 'Germain',
      is_guest: '0',
      passwd: 'a hash',
    },
  ],
  addresses: [
    place(31, {}),
    place(32, { company: 'Germain SARL', id_country: '21', id_state: '5', phone_mobile: '06 55 01 00 00' }),
  ],
  countries: [
    [8, 'FR'],
    [21, 'US'],
  ].map(([id, code]) =>
    filled(
      'id_zone id_currency call_prefix active contains_states need_identification_number need_zip_code zip_code_format display_tax_label',
      {
        id,
        iso_code: code,
        name: both('Pays', 'Country'),
      },
    ),
  ),
  states: [{ id: 5, id_zone: '2', id_country: '21', iso_code: 'CA', name: 'California', active: '1' }],
  carriers: [
    filled(
      'deleted is_module id_tax_rules_group id_reference active is_free shipping_handling shipping_external range_behavior shipping_method max_width max_height max_depth max_weight grade external_module_name need_range position',
      {
        id: 3,
        name: 'La Poste',
        url: 'https://post.example/suivi?n=@',
        delay: both('Demain', 'Tomorrow'),
      },
    ),
  ],
  product_option_values: options,
  product_options: [{ id: 9, name: both('Taille', 'Size') }],
}
