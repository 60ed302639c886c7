/** An order of PrestaShop, completed by what it names. */

export const facts = { shop: 'shop.example', settings: { timezone: 'Europe/Paris' } }
export const is = (amount: string) => ({ amount, currency: 'EUR' })

export const place = {
  firstname: 'Ada',
  lastname: 'Lovelace',
  company: 'Analytical Ltd',
  address1: 'Rue 1',
  address2: 'Étage 2',
  city: 'Paris',
  postcode: '75001',
  phone: '+33 1',
  phone_mobile: '+33 6',
  country: { iso_code: 'FR' },
  region: { name: 'Île-de-France', iso_code: 'IDF' },
}

export const row = (id: string, fields: object = {}) => ({
  id,
  product_id: '70',
  product_attribute_id: '80',
  product_quantity: '3',
  product_name: `Cup ${id}`,
  product_reference: `SKU-${id}`,
  unit_price_tax_incl: '12.000000',
  unit_price_tax_excl: '10.000000',
  ...fields,
})

export const parcel = {
  id: '31',
  tracking_number: 'TR 1',
  // When the order was placed; when it left is in its history.
  date_add: '2026-10-01 10:00:00',
  sent_at: '2026-10-02 10:00:00',
  carrier: { name: 'Colissimo', url: 'https://track.example/@/end' },
}

export const order = {
  id: '5',
  reference: 'XKBKNABJK',
  currency: { iso_code: 'EUR' },
  state: { id: '2', name: [{ value: 'Payment accepted' }], paid: '1', shipped: '0' },
  total_products_wt: '36.000000',
  total_discounts_tax_incl: '1.500000',
  total_shipping_tax_incl: '5.000000',
  total_paid_tax_incl: '39.500000',
  total_paid_tax_excl: '33.000000',
  total_paid_real: '39.500000',
  customer: { id: '9', email: 'ada@example.com', firstname: 'Ada', lastname: 'Lovelace', is_guest: '0' },
  delivery: place,
  invoice: { ...place, city: 'Lyon' },
  carrier: { name: 'Colissimo' },
  associations: { order_rows: [row('1'), row('2', { product_attribute_id: '0' })] },
  parcels: [parcel],
  gift_message: 'Bon anniversaire',
  date_add: '2026-10-01 10:00:00',
  date_upd: '2026-10-02 12:00:00',
}

export const inState = (id: number, fields: object = {}) => ({
  state: { id: String(id), paid: '0', shipped: '0', ...fields },
})
export const unpaid = { total_paid_real: '0.000000' }
