import type { Variant } from '../../commerce/product.ts'

/** What is known of a product, wherever it came from. */
interface ProductFacts {
  sku: string
  name: string
  description: string | null
  /** A decimal number as text. */
  price: string
  currency: string
  quantity: number | null
  active: boolean
  images: readonly unknown[]
}

export interface Product extends ProductFacts {
  integration_id: number
  id: number
  remote_id: string | null
  exported_at: string | null
  created_at: string
  updated_at: string
}

/** A product as a shop has reported it, ready to be stored. */
export interface SyncedProduct extends ProductFacts {
  remote_id: string
  variants: readonly Variant[]
  remote_status: string | null
  remote_version: string | null
  remote_payload?: unknown
}

export const allProducts = 'products'
