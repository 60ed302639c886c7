import type { Fields } from '../../commerce/reading.ts'
import { standMarketplace as place, type StandListing, withFamilies } from './stand-families.ts'

/** A seller in memory: orders of every status, and more listings in one second than fit on a page. */
export interface Books {
  orders: StandOrder[]
  listings: StandListing[]
  clock: number
}

export interface StandOrder extends Record<string, unknown> {
  orderId: string
  lastUpdatedTime: string
  fulfillment: { fulfillmentStatus: string; fulfilledBy: string } & Fields
  orderItems: StandItem[]
  packages: Fields[]
}

interface StandItem extends Record<string, unknown> {
  orderItemId: string
  quantityOrdered: number
  fulfillment: { quantityFulfilled: number; quantityUnfulfilled: number }
}

const statuses = [
  'PENDING',
  'UNSHIPPED',
  'UNSHIPPED',
  'PARTIALLY_SHIPPED',
  'SHIPPED',
  'CANCELLED',
  'UNFULFILLABLE',
  'PENDING_AVAILABILITY',
]

const start = Date.UTC(2026, 9, 1)

export const timeAt = (minutes: number): string =>
  new Date(start + minutes * 60_000).toISOString().replace('.000Z', 'Z')

const euros = (cents: number) => ({ amount: (cents / 100).toFixed(2), currencyCode: 'EUR' })

export function makeBooks(count: { orders: number; listings: number }): Books {
  return {
    orders: Array.from({ length: count.orders }, (_, n) => orderOf(n)),
    listings: withFamilies(Array.from({ length: count.listings }, (_, n) => listingOf(n))),
    clock: 100_000,
  }
}

function orderOf(n: number): StandOrder {
  const status = statuses[n % statuses.length] ?? 'UNSHIPPED'
  const id = `302-${String(n).padStart(7, '0')}-0000001`
  const isPriced = !status.startsWith('PENDING')
  const sent = status === 'SHIPPED' ? 3 : status === 'PARTIALLY_SHIPPED' ? 1 : 0
  const gone = status === 'CANCELLED' || status === 'UNFULFILLABLE' ? 3 : 0
  const lines: StandItem[] = [
    itemOf(`${n}01`, { quantity: 2, cents: 1250, sent: Math.min(2, sent), gone: Math.min(2, gone), isPriced }),
    itemOf(`${n}02`, { quantity: 1, cents: 999, sent: Math.max(0, sent - 2), gone: Math.max(0, gone - 2), isPriced }),
  ]
  const first = { orderItemId: `${n}01`, quantity: Math.min(2, sent) }
  const second = { orderItemId: `${n}02`, quantity: sent - 2 }
  return {
    orderId: id,
    ...(n % 3 === 0 ? { orderAliases: [{ aliasId: `OWN-${n}`, aliasType: 'SELLER_ORDER_ID' }] } : {}),
    createdTime: timeAt(n),
    lastUpdatedTime: timeAt(n * 2),
    programs: n % 2 === 0 ? ['PRIME'] : [],
    salesChannel: { channelName: 'AMAZON', marketplaceId: place, marketplaceName: 'Amazon.de' },
    buyer: { buyerName: 'Erika Beispiel', buyerEmail: `buyer-${n}@marketplace.amazon.de` },
    ...(isPriced
      ? {
          recipient: {
            deliveryAddress: {
              name: 'Erika Beispiel',
              addressLine1: 'Am Kai 7',
              addressLine2: '',
              city: 'Hamburg',
              postalCode: '20457',
              countryCode: 'DE',
              addressType: 'RESIDENTIAL',
            },
          },
          proceeds: {
            grandTotal: euros(4399),
            breakdowns: [
              { type: 'ITEM', subtotal: euros(3499) },
              { type: 'SHIPPING', subtotal: euros(500) },
              { type: 'TAX', subtotal: euros(600) },
              { type: 'DISCOUNT', subtotal: euros(-200) },
            ],
          },
        }
      : {}),
    fulfillment: {
      fulfillmentStatus: status,
      fulfilledBy: 'MERCHANT',
      fulfillmentServiceLevel: 'STANDARD',
      shipByWindow: { earliestDateTime: timeAt(n), latestDateTime: timeAt(n + 2880) },
    },
    orderItems: lines,
    packages:
      sent === 0
        ? []
        : [
            {
              packageReferenceId: '1',
              createdTime: timeAt(n * 2),
              packageStatus: { status: n % 16 === 4 ? 'DELIVERED' : 'SHIPPED' },
              carrier: 'DHL',
              shipTime: timeAt(n * 2),
              trackingNumber: `TRACK-${n}`,
              packageItems: sent > 2 ? [first, second] : [first],
            },
          ],
  }
}

function itemOf(
  id: string,
  {
    quantity,
    cents,
    sent,
    gone,
    isPriced,
  }: { quantity: number; cents: number; sent: number; gone: number; isPriced: boolean },
): StandItem {
  return {
    orderItemId: id,
    quantityOrdered: quantity,
    product: {
      asin: 'B0STAND001',
      title: `Thing ${id.slice(-2)}`,
      sellerSku: `SKU-${id.slice(-2)}`,
      ...(isPriced ? { price: { unitPrice: euros(cents) } } : {}),
    },
    ...(isPriced
      ? {
          proceeds: {
            proceedsTotal: euros(cents * quantity),
            breakdowns: [{ type: 'ITEM', subtotal: euros(cents * quantity) }],
          },
        }
      : {}),
    fulfillment: { quantityFulfilled: sent, quantityUnfulfilled: quantity - sent - gone },
  }
}

/** Thirty of them came with one file, in one second. */
function listingOf(n: number): StandListing {
  const time = n >= 10 && n < 40 ? timeAt(500) : timeAt(400 + n * 10)
  const isTheirs = n % 10 === 9
  return {
    sku: `SKU-${String(n).padStart(2, '0')}${n % 7 === 3 ? ' / blue, large' : ''}`,
    summaries: [
      {
        marketplaceId: place,
        asin: `B0STAND${String(n).padStart(3, '0')}`,
        productType: 'LUGGAGE',
        conditionType: 'new_new',
        status: n % 5 === 4 ? [] : ['BUYABLE', 'DISCOVERABLE'],
        itemName: `Case number ${n}`,
        createdDate: timeAt(0),
        lastUpdatedDate: n < 10 ? timeAt(n) : time,
        mainImage: { link: `https://m.media-amazon.com/images/I/${n}.jpg`, height: 500, width: 500 },
      },
    ],
    attributes: {
      brand: [{ language_tag: 'de_DE', value: 'Kontor', marketplace_id: place }],
      item_weight: [{ unit: 'kilograms', value: 2.5, marketplace_id: place }],
      externally_assigned_product_identifier: [{ type: 'ean', value: '4006381333931', marketplace_id: place }],
    },
    offers: [{ marketplaceId: place, offerType: 'B2C', price: { currencyCode: 'EUR', amount: '39.90' } }],
    fulfillmentAvailability: isTheirs
      ? [{ fulfillmentChannelCode: 'AMAZON_EU' }]
      : [{ fulfillmentChannelCode: 'DEFAULT', quantity: n }],
  }
}
