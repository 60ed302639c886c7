import { type Static, Type } from 'typebox'
import { integer, maybe, nullable, object, text } from '../lib/validation/fields.ts'

/** How much of one article a shop says it has, at one place. */
export const inventoryLevelSchema = Type.Object({
  sku: Type.String(),
  variant_remote_id: nullable(Type.String()),
  location_remote_id: nullable(Type.String()),
  available: Type.Integer(),
  on_hand: nullable(Type.Integer()),
  reserved: nullable(Type.Integer()),
  updated_at: nullable(Type.String()),
})
export type InventoryLevel = Static<typeof inventoryLevelSchema>

/** What the shop is to say from now on. Always the level itself, never a difference: sending it twice does no harm. */
export const inventorySettingSchema = object({
  sku: text(),
  quantity: integer({ minimum: 0, maximum: 1_000_000_000 }),
  location: maybe(text()),
})
export type InventorySetting = Static<typeof inventorySettingSchema>

/** Per setting: what became of it. */
export interface InventoryResult {
  sku: string
  location: string | null
  ok: boolean
  /** The platform's reason when it refused. */
  error: string | null
}
