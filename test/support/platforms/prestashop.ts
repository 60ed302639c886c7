import type { PlatformFacts } from './platform-facts.ts'

export const facts: PlatformFacts = {
  withoutHeader: { key_in_query: true },
  lacking: [
    [{ lacks: 'configurations' }, /configurations \(GET\).*Webservice/],
    [{ lacks: 'addresses' }, /addresses \(GET\)/],
    [{ lacks: 'products' }, /products \(GET\)/],
    [{ lacks: 'order_histories.POST' }, /order_histories \(POST\)/],
    [{ lacks: 'stock_availables.PUT' }, /stock_availables \(PUT\)/],
  ],
  specifications: [
    {
      kind: 'records',
      file: 'prestashop/prestashop-types.schema.json',
      base: '/api',
      wrong: [
        {
          report: /^products\/manufacturer_name must be boolean,null$/,
          because: 'false where there is none, else its name; the types were taken from products that have none',
        },
      ],
      records: {
        orders: 'Order',
        order_carriers: 'OrderCarrier',
        order_states: 'OrderState',
        stock_availables: 'StockAvailable',
        products: 'Product',
        combinations: 'Combination',
        addresses: 'Address',
        carriers: 'Carrier',
        currencies: 'Currency',
        countries: 'Country',
        states: 'State',
      },
    },
  ],
}
