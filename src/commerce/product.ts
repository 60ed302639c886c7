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

const amount = text({ pattern: '^\\d{1,15}(\\.\\d{1,6})?$' })

/** What only some platforms take of a product: each says which, and anything else is refused, never left out. */
export const productChoices = ['images', 'variants'] as const
export type ProductChoice = (typeof productChoices)[number]

/** A product that a platform is to show; one with the same sku is changed. */
export const productDraftSchema = object({
  sku: text({ description: 'With `variants`: of the product as a whole, kept where the platform has such a number.' }),
  title: text(),
  description_html: maybe(text({ max: 5000 })),
  status: optional(choice(productStatuses)),
  price: { ...amount, description: 'With `variants`: of those that have none of their own.' },
  currency: text({ pattern: '^[A-Z]{3}$' }),
  quantity: maybe(integer({ minimum: 0 })),
  images: maybe(list(object({ url: text({ max: 2000, format: 'url' }), alt: maybe(text()) }), { max: 50 })),
  variants: maybe(
    list(
      object({
        sku: text(),
        options: list(object({ name: text({ max: 50 }), value: text({ max: 100 }) }), { min: 1, max: 3 }),
        price: maybe(amount),
        quantity: maybe(integer({ minimum: 0 })),
      }),
      {
        min: 2,
        max: 100,
        description: 'What is sold of it. Those that the product in the shop has besides stay as they are.',
      },
    ),
  ),
})
export type ProductDraft = Static<typeof productDraftSchema>

/** One thing that is sold of a draft. */
export interface ArticleDraft {
  sku: string
  price: string
  quantity: number | null
  /** None where the product is sold as it is. */
  options: Variant['options']
}

export const articlesOf = ({ sku, price, quantity = null, variants }: ProductDraft): ArticleDraft[] =>
  variants?.map((one) => ({ ...one, price: one.price ?? price, quantity: one.quantity ?? null })) ?? [
    { sku, price, quantity, options: [] },
  ]

/** What a variant is called where the platform makes no name of its options itself. */
export const nameOfArticle = ({ options }: Pick<ArticleDraft, 'options'>, title: string): string =>
  options.length === 0 ? title : options.map(({ value }) => value).join(' / ')

/** By what the variants of a product differ, where the platform says so of each of them alone. */
export function optionsOf(variants: readonly Pick<Variant, 'options'>[]): RemoteProduct['options'] {
  const all = variants.flatMap(({ options }) => options)
  return [...new Set(all.map(({ name }) => name))].map((name) => ({
    name,
    values: [...new Set(all.filter((one) => one.name === name).map(({ value }) => value))],
  }))
}
