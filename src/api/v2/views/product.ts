import { type Static, Type } from 'typebox'
import type { Product } from '../../../domain/products/product.ts'
import type { ProductRecord } from '../../../domain/products/product-record-store.ts'
import { logged } from '../../../lib/validation/fields.ts'
import { idField, nullableId, nullableText, nullableTimestamp, timestamps } from './record.ts'

export const productSchema = Type.Object({
  id: idField,
  integration_id: idField,
  remote_id: nullableText,
  sku: logged(Type.String()),
  name: Type.String(),
  description: nullableText,
  price: Type.String({ description: 'A decimal number', examples: ['9.95'] }),
  currency: logged(Type.String({ description: 'ISO 4217', examples: ['EUR'] })),
  quantity: nullableId,
  active: Type.Boolean(),
  images: Type.Array(Type.Unknown()),
  variants: Type.Array(Type.Unknown()),
  remote_status: nullableText,
  exported_at: nullableTimestamp,
  ...timestamps,
  deleted_at: nullableTimestamp,
})

/** What every version shows of a product. */
export const plainProductView = (product: Product) => ({
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

export const productView = (product: ProductRecord): Static<typeof productSchema> => ({
  ...plainProductView(product),
  variants: [...product.variants],
  remote_status: product.remote_status,
  deleted_at: product.deleted_at,
})
