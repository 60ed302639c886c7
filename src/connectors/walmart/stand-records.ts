import type { Fields } from '../../commerce/reading.ts'

/** A seller in memory: orders with lines in every status, and more of everything than fits on a page. */
export interface Books {
  orders: StandOrder[]
  items: Fields[]
  levels: StandLevel[]
  clock: number
}

export interface StandOrder extends Record<string, unknown> {
  purchaseOrderId: string
  orderDate: number
  orderLines: { orderLine: StandLine[] }
}

export interface StandLine extends Record<string, unknown> {
  lineNumber: string
  statusDate: number
  orderLineStatuses: { orderLineStatus: StandPart[] }
}

export type StandPart = Fields & { status: string; statusQuantity: { unitOfMeasurement: string; amount: string } }

interface StandLevel {
  sku: string
  nodes: { shipNode: string; inputQty: number; reserved: number }[]
}

const start = Date.UTC(2026, 8, 1)
export const momentAt = (minutes: number): number => start + minutes * 60_000

const kinds: readonly (readonly string[])[] = [
  ['Created', 'Created'],
  ['Acknowledged', 'Acknowledged'],
  ['Shipped', 'Acknowledged'],
  ['Shipped', 'Shipped'],
  ['Delivered', 'Delivered'],
  ['Cancelled', 'Cancelled'],
  ['Created', 'Cancelled'],
  ['Created', 'Created'],
]

export const each = (amount: number) => ({ unitOfMeasurement: 'EACH', amount: String(amount) })

export function makeBooks({ orders, items }: { orders: number; items: number }): Books {
  const skus = Array.from({ length: items }, (_, n) => (n % 9 === 4 ? `SKU ${n}/red & blue` : `SKU-${n}`))
  return {
    orders: Array.from({ length: orders }, (_, n) => orderOf(n)),
    items: skus.map(itemOf),
    levels: skus.map((sku, n) => ({
      sku,
      nodes: [
        { shipNode: '100009', inputQty: n, reserved: 0 },
        ...(n % 4 === 0 ? [{ shipNode: '361451354333223041', inputQty: 5, reserved: 2 }] : []),
      ],
    })),
    clock: 1_000_000,
  }
}

function orderOf(n: number): StandOrder {
  const [first = 'Created', second = 'Created'] = kinds[n % kinds.length] ?? []
  return {
    purchaseOrderId: String(1_796_000_000_000 + n),
    customerOrderId: String(5_281_000_000_000 + n),
    customerEmailId: `${n}@relay.walmart.com`,
    orderType: n % 10 === 9 ? 'REPLACEMENT' : 'REGULAR',
    orderDate: momentAt(n),
    shippingInfo: {
      phone: '3155550100',
      estimatedDeliveryDate: momentAt(n + 7000),
      estimatedShipDate: momentAt(n + 2880),
      methodCode: 'Value',
      postalAddress: {
        name: 'Ada Byron',
        address1: 'Dock 1',
        city: 'Warners',
        state: 'NY',
        postalCode: '13164',
        country: 'USA',
        addressType: 'RESIDENTIAL',
      },
    },
    orderLines: {
      orderLine: [lineOf(n, '1', first, 2), lineOf(n, '2', second, 1)],
    },
    shipNode: { type: 'SellerFulfilled' },
  }
}

function lineOf(n: number, lineNumber: string, status: string, quantity: number): StandLine {
  const isSent = status === 'Shipped' || status === 'Delivered'
  const price = { currency: 'USD', amount: 12.5 * quantity }
  const tax = { taxName: 'Tax1', taxAmount: { currency: 'USD', amount: 0.8 } }
  return {
    lineNumber,
    item: { productName: `Thing ${lineNumber}`, sku: `SKU-${lineNumber}` },
    charges: {
      charge: [
        { chargeType: 'PRODUCT', chargeName: 'ItemPrice', chargeAmount: price, tax },
        { chargeType: 'SHIPPING', chargeName: 'Shipping', chargeAmount: { currency: 'USD', amount: 3.1 } },
      ],
    },
    orderLineQuantity: each(quantity),
    statusDate: momentAt(n * 3),
    orderLineStatuses: {
      orderLineStatus: [
        {
          status,
          statusQuantity: each(quantity),
          ...(isSent ? { trackingInfo: trackingOf(n) } : {}),
          ...(status === 'Cancelled' ? { cancellationReason: 'SELLER_CANCEL_PRICING_ERROR' } : {}),
        },
      ],
    },
    fulfillment: { fulfillmentOption: 'S2H', shipMethod: 'VALUE', pickUpDateTime: momentAt(n + 5000) },
  }
}

const trackingOf = (n: number): Fields => ({
  shipDateTime: momentAt(n * 3),
  carrierName: { carrier: 'USPS' },
  methodCode: 'Value',
  trackingNumber: `TRACK-${n}`,
  trackingURL: `https://www.walmart.com/tracking?tracking_id=TRACK-${n}`,
})

const itemOf = (sku: string, n: number): Fields => ({
  mart: 'WALMART_US',
  sku,
  wpid: `0RE${n}`,
  upc: '886859944807',
  gtin: '00886859944807',
  productName: `Case ${n}`,
  productType: 'Luggage',
  price: { currency: 'USD', amount: 59.99 },
  publishedStatus: n % 5 === 0 ? 'UNPUBLISHED' : 'PUBLISHED',
  lifecycleStatus: n % 11 === 10 ? 'RETIRED' : 'ACTIVE',
  ...(n % 3 === 0
    ? {
        variantGroupId: n % 2 === 0 ? 'SKU-1' : 'odd',
        variantGroupInfo: { isPrimary: n === 9, groupingAttributes: [{ name: 'color', value: `shade ${n}` }] },
      }
    : {}),
})
