import type { Variant } from '../../shop/goods.ts'

/** Numbers like the platform's: large, and different for each kind of thing. */
const bases = {
  Customer: 2_000_000_000,
  Fulfillment: 3_000_000_000,
  FulfillmentOrder: 4_000_000_000,
  Order: 5_000_000_001,
  Location: 6_000_000_001,
  Product: 7_000_000_001,
  ProductVariant: 8_000_000_000,
  InventoryItem: 8_500_000_000,
  LineItem: 9_000_000_000,
  FulfillmentOrderLineItem: 9_500_000_000,
  InventoryLevel: 1_000_000_000,
  WebhookSubscription: 1_100_000_000,
  ShippingLine: 1_200_000_000,
} as const
export type Kind = keyof typeof bases

export const numberOf = (kind: Kind, index: number): number => bases[kind] + index
export const gid = (kind: Kind, index: number): string => `gid://shopify/${kind}/${numberOf(kind, index)}`

/** The index behind an id, or null if it is not one of that kind. Plain numbers are taken too. */
export function indexOf(kind: Kind, id: unknown): number | null {
  const digits = new RegExp(`^(?:gid://shopify/${kind}/)?(\\d{1,15})$`).exec(String(id))?.[1]
  const index = digits === undefined ? -1 : Number(digits) - bases[kind]
  return index >= 0 ? index : null
}

/** Parts of an order or product: up to a hundred of each. */
export const part = (whole: number, number: number): number => whole * 100 + number
export const wholeAndPart = (index: number): readonly [whole: number, number: number] => [
  Math.floor(index / 100),
  index % 100,
]
export const partOf = ({ product, position }: Variant): number => part(product, position)
