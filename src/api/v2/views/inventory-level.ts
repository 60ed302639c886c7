import { type Static, Type } from 'typebox'
import type { Level } from '../../../domain/levels/level-store.ts'
import { logged } from '../../../lib/validation/fields.ts'
import { idField, nullableTimestamp, timestamp } from './record.ts'

export const levelSchema = Type.Object({
  integration_id: idField,
  sku: logged(Type.String()),
  location: Type.Union([Type.String(), Type.Null()], { description: 'Null where the shop has only one location' }),
  quantity: Type.Integer(),
  remote_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The shop’s id of the article: several may have one SKU',
  }),
  updated_at: timestamp,
  deleted_at: nullableTimestamp,
})

export const levelView = (level: Level): Static<typeof levelSchema> => ({
  integration_id: level.integration_id,
  sku: level.sku,
  location: level.location === '' ? null : level.location,
  quantity: level.quantity,
  remote_id: level.remote_id === '' ? null : level.remote_id,
  updated_at: level.updated_at,
  deleted_at: level.deleted_at,
})
