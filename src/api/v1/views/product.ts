import { Type } from 'typebox'
import { choice, nullable } from '../../../lib/validation/fields.ts'
import { productSchema as newerSchema } from '../../v2/views/product.ts'
import { idField, nullableText } from '../../v2/views/record.ts'

export { plainProductView as productView } from '../../v2/views/product.ts'

/** Version 1.0 shows less of a product. */
export const productSchema = Type.Omit(newerSchema, ['variants', 'remote_status', 'deleted_at'])

/** What became of one product of an export. */
export const exportResultSchema = Type.Object({
  id: nullable({ ...idField, description: 'Null for one that the shop did not make' }),
  sku: Type.String(),
  remote_id: nullableText,
  status: choice(['exported', 'failed']),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why the shop rejected it' }),
})
