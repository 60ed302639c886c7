import type { Fields } from '../../json.ts'
import { carriers, countries } from '../../shop/people.ts'
import { zone } from './local-time.ts'
import { both, currencies, filled, regions } from './records.ts'

const flagNames = ['paid', 'shipped', 'delivery', 'logable', 'invoice']

/** Number, name in both languages, and its flags by their first letters. */
const orderStates = [
  [1, 'En attente du chèque', 'Awaiting check', ''],
  [2, 'Paiement accepté', 'Payment accepted', 'pli'],
  [3, 'En préparation', 'Processing', 'plid'],
  [4, 'Expédié', 'Shipped', 'pslid'],
  [5, 'Livré', 'Delivered', 'pslid'],
  [6, 'Annulé', 'Canceled', ''],
  [7, 'Remboursé', 'Refunded', 'i'],
  [8, 'Erreur de paiement', 'Payment error', ''],
  [9, 'En attente de réapprovisionnement (payé)', 'On backorder (paid)', 'pli'],
  [12, 'En attente de réapprovisionnement (non payé)', 'On backorder (not paid)', ''],
  [20, 'Retrait en attente', 'Awaiting pickup', 'pli'],
] as const

export const stateNames = new Map<number, string>(orderStates.map(([id, french]) => [id, french]))

const configuration = {
  ...{ PS_TIMEZONE: zone, PS_LANG_DEFAULT: '1', PS_CURRENCY_DEFAULT: '1', PS_WEIGHT_UNIT: 'kg', PS_OS_CANCELED: '6' },
  ...{ PS_OS_REFUND: '7', PS_OS_ERROR: '8', PS_OS_SHIPPING: '4', PS_OS_DELIVERED: '5', PS_OS_OUTOFSTOCK_PAID: '9' },
  ...{ PS_OS_OUTOFSTOCK_UNPAID: '12', PS_SHOP_DEFAULT: '1' },
}

/** What the others name by number. */
export const surroundings: Readonly<Record<string, readonly Fields[]>> = {
  configurations: Object.entries(configuration).map(([name, value], n) => ({ id: n + 1, name, value })),
  order_states: orderStates.map(([id, french, english, flags]) =>
    filled('unremovable hidden send_email module_name color pdf_delivery pdf_invoice deleted template', {
      ...{ id, name: both(french, english) },
      ...Object.fromEntries(flagNames.map((flag) => [flag, flags.includes(flag.slice(0, 1)) ? '1' : '0'])),
    }),
  ),
  currencies: currencies.map((code, n) =>
    filled('numeric_iso_code precision conversion_rate deleted active unofficial modified pattern', {
      ...{ id: n + 1, iso_code: code, name: code, names: both(code), symbol: both(code) },
    }),
  ),
  countries: countries.map(({ code, name }, n) =>
    filled(
      'id_zone id_currency call_prefix active contains_states need_identification_number need_zip_code zip_code_format display_tax_label',
      { id: n + 1, iso_code: code, name: both(name) },
    ),
  ),
  states: regions.map(({ code, region, name }, n) => ({
    ...{ id: n + 1, id_zone: '1', id_country: String(countries.findIndex((one) => one.code === code) + 1) },
    ...{ iso_code: region, name, active: '1' },
  })),
  carriers: carriers.map(([, name, url], n) =>
    filled(
      'deleted is_module id_tax_rules_group id_reference active is_free shipping_handling shipping_external range_behavior shipping_method max_width max_height max_depth max_weight grade external_module_name need_range position',
      { id: n + 1, name, deleted: '0', url: `${url}@`, delay: both('Demain', 'Tomorrow') },
    ),
  ),
  product_option_values: ['Red', 'Grün', '藍', 'Off-white'].map((colour, n) => ({
    ...{ id: 61 + n, id_attribute_group: '9', name: both(colour) },
  })),
  product_options: [{ id: 9, name: both('Couleur', 'Colour') }],
}
