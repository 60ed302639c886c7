import { type Static, Type } from 'typebox'
import { choice, integer, list, maybe, nullable, object, optional, text } from '../lib/validation/fields.ts'
import { moneySchema } from './money.ts'

export const productStatuses = ['active', 'draft', 'archived', 'inactive'] as const

const variantSchema = Type.Object({
  remote_id: Type.String(),
  inventory_item_remote_id: nullable(Type.String()),
  sku: nullable(Type.String()),
  barcode: nullable(Type.String()),
  title: nullable(Type.String()),
  options: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  price: nullable(moneySchema),
  compare_at_price: nullable(moneySchema),
  weight: nullable(Type.Object({ value: Type.String(), unit: choice(['g', 'kg', 'oz', 'lb']) })),
  quantity: nullable(Type.Integer()),
  track_inventory: nullable(Type.Boolean()),
})
export type Variant = Static<typeof variantSchema>

/** A product as the platform reports it. What is sold are its variants; there is always at least one. */
export const remoteProductSchema = Type.Object({
  remote_id: Type.String(),
  /** The product's own, where it has one beside those of its variants. */
  sku: Type.Optional(nullable(Type.String())),
  title: Type.String(),
  description_html: nullable(Type.String()),
  status: choice(productStatuses),
  remote_status: Type.String(),
  brand: nullable(Type.String()),
  type: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  images: Type.Array(
    Type.Object({ url: Type.String(), alt: nullable(Type.String()), position: Type.Integer({ minimum: 0 }) }),
  ),
  options: Type.Array(Type.Object({ name: Type.String(), values: Type.Array(Type.String()) })),
  variants: Type.Array(variantSchema, { minItems: 1 }),
  url: nullable(Type.String()),
  remote_created_at: nullable(Type.String()),
  remote_updated_at: nullable(Type.String()),
  /** As of an order. */
  remote_version: Type.String(),
  raw: Type.Unknown(),
})
export type RemoteProduct = Static<typeof remoteProductSchema>

/** A product that a platform is to show; one with the same sku is changed. */
export const productDraftSchema = object({
  sku: text(),
  title: text(),
  description_html: maybe(text({ max: 5000 })),
  status: optional(choice(productStatuses)),
  price: text({ pattern: '^\\d{1,15}(\\.\\d{1,6})?$' }),
  currency: text({ pattern: '^[A-Z]{3}$' }),
  quantity: maybe(integer({ minimum: 0 })),
  images: maybe(list(object({ url: text({ max: 2000, format: 'url' }), alt: maybe(text()) }), { max: 50 })),
})
export type ProductDraft = Static<typeof productDraftSchema>

/** By what the variants of a product differ, where the platform says so of each of them alone. */
export function optionsOf(variants: readonly Variant[]): RemoteProduct['options'] {
  const all = variants.flatMap(({ options }) => options)
  return [...new Set(all.map(({ name }) => name))].map((name) => ({
    name,
    values: [...new Set(all.filter((one) => one.name === name).map(({ value }) => value))],
  }))
}
