import { type Static, Type } from 'typebox'
import type { Product } from '../../../domain/products/product.ts'
import { choice } from '../../../lib/validation/fields.ts'
import { idField, nullableText, nullableTimestamp, timestamps } from '../../v2/views/record.ts'

export const productSchema = Type.Object({
  id: idField,
  integration_id: idField,
  remote_id: nullableText,
  sku: Type.String(),
  name: Type.String(),
  description: nullableText,
  price: Type.String({ description: 'A decimal number', examples: ['9.95'] }),
  currency: Type.String({ description: 'ISO 4217', examples: ['EUR'] }),
  quantity: Type.Union([Type.Integer(), Type.Null()]),
  active: Type.Boolean(),
  images: Type.Array(Type.Unknown()),
  exported_at: nullableTimestamp,
  ...timestamps,
})

export const productView = (product: Product): Static<typeof productSchema> => ({
  id: product.id,
  integration_id: product.integration_id,
  remote_id: product.remote_id,
  sku: product.sku,
  name: product.name,
  description: product.description,
  price: product.price,
  currency: product.currency,
  quantity: product.quantity,
  active: product.active,
  images: [...product.images],
  exported_at: product.exported_at,
  created_at: product.created_at,
  updated_at: product.updated_at,
})

/** What became of one product of an export. */
export const exportResultSchema = Type.Object({
  id: idField,
  sku: Type.String(),
  remote_id: nullableText,
  status: choice(['exported', 'failed']),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why the shop rejected it' }),
})
