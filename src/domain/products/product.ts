export interface Product {
  integration_id: number
  id: number
  remote_id: string | null
  sku: string
  name: string
  description: string | null
  /** A decimal number as text. */
  price: string
  currency: string
  quantity: number | null
  active: boolean
  images: readonly unknown[]
  exported_at: string | null
  created_at: string
  updated_at: string
}

/** A product as a shop has told it, ready to be stored. */
export interface SyncedProduct {
  remote_id: string
  sku: string
  name: string
  description: string | null
  price: string
  currency: string
  quantity: number | null
  active: boolean
  images: readonly unknown[]
  variants: readonly unknown[]
  remote_status: string | null
  remote_version: string | null
  remote_payload?: unknown
}

export const allProducts = 'products'
