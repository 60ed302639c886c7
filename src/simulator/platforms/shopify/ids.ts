import type { Variant } from '../../shop/goods.ts'

/** Numbers like the platform's: large, and different for each kind of thing. */
const bases = {
  BulkOperation: 1_300_000_000,
  Customer: 2_000_000_000,
  ExchangeLineItem: 1_500_000_000,
  Fulfillment: 3_000_000_000,
  FulfillmentLineItem: 3_500_000_000,
  FulfillmentOrder: 4_000_000_000,
  FulfillmentOrderLineItem: 9_500_000_000,
  InventoryItem: 8_500_000_000,
  InventoryLevel: 1_000_000_000,
  LineItem: 9_000_000_000,
  Location: 6_000_000_001,
  MediaImage: 1_400_000_000,
  Order: 5_000_000_001,
  OrderTransaction: 1_800_000_000,
  Product: 7_000_000_001,
  ProductVariant: 8_000_000_000,
  Publication: 1_900_000_000,
  Refund: 1_700_000_000,
  Return: 1_750_000_000,
  Shop: 1_600_000_000,
  WebhookSubscription: 1_100_000_000,
} as const
type Kind = keyof typeof bases

export const numberOf = (kind: Kind, index: number): number => bases[kind] + index
export const gid = (kind: Kind, index: number): string => `gid://shopify/${kind}/${numberOf(kind, index)}`

/** The index behind an id; -1, where nothing is, if it is none of that kind. */
export function indexOf(kind: Kind, id: unknown): number {
  const start = `gid://shopify/${kind}/`
  const text = String(id)
  const digits = text.startsWith(start) ? text.slice(start.length) : ''
  return /^\d{1,15}$/.test(digits) ? Number(digits) - bases[kind] : -1
}

/** Parts of an order or product: up to a hundred of each. */
export const part = (whole: number, number: number): number => whole * 100 + number
export const partOf = ({ product, position }: Variant): number => part(product, position)
export const wholeAndPart = (index: number): readonly [whole: number, number: number] =>
  index < 0 ? [-1, -1] : [Math.floor(index / 100), index % 100]

export const orderName = (index: number): string => `#${index + 1001}`

/** The one shop has every name below the platform's domain: the one by which it was visited, if that is such a name. */
export function shopIn({ shop }: { shop: string }, origin: string): string {
  const host = URL.parse(origin)?.hostname ?? ''
  return host.endsWith(shop.replace(/^[^.]+/, '')) ? host : shop
}
