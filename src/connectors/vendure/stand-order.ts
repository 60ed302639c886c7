import type { Fields } from '../../commerce/reading.ts'
import { type StandOrder, shipping } from './stand-records.ts'

const place = {
  ...{ fullName: 'Ada Byron', company: '', streetLine1: '1 Quay', streetLine2: '', city: 'Gent', province: '' },
  ...{ postalCode: '9000', country: 'Belgium', countryCode: 'BE', phoneNumber: '' },
}

/** With everything that is reckoned there: tax is a fifth on top. */
export function orderView({ lines, events, guest, ...order }: StandOrder): Fields {
  const told = lines.map(({ id, variant, quantity, orderPlacedQuantity, unit }) => {
    const price = unit * quantity
    return {
      ...{ id, quantity, orderPlacedQuantity, unitPriceWithTax: unit, linePriceWithTax: price },
      ...{ proratedLinePriceWithTax: price, lineTax: Math.round(price / 6) },
      productVariant: { id: variant.id, sku: variant.sku, name: variant.name, product: { id: variant.product.id } },
    }
  })
  const goods = told.reduce((sum, line) => sum + line.linePriceWithTax, 0)
  const carriage = order.state === 'Cancelled' ? 0 : shipping
  const tax = told.reduce((sum, line) => sum + line.lineTax, 0) + Math.round(carriage / 6)
  const inOrder = events.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  const lasting = inOrder.filter(({ type }) => type !== 'ORDER_NOTE')
  return {
    ...order,
    ...{ currencyCode: 'EUR', subTotalWithTax: goods, shippingWithTax: carriage, total: goods + carriage - tax },
    ...{ totalWithTax: goods + carriage, couponCodes: [], surcharges: [], lines: told },
    customer: {
      id: '7',
      firstName: 'Ada',
      lastName: 'Byron',
      emailAddress: 'ada@example.com',
      phoneNumber: '',
      user: guest ? null : { id: '8' },
    },
    shippingAddress: place,
    billingAddress: { ...place, fullName: '', streetLine1: '', city: '', postalCode: '', country: '', countryCode: '' },
    shippingLines: [{ shippingMethod: { name: 'Parcel post' } }],
    history: { totalItems: lasting.length, items: lasting.slice(0, 1) },
    cancellation: { items: inOrder.filter(({ type }) => type === 'ORDER_CANCELLATION').slice(0, 1) },
  }
}
