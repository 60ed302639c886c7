import { Type } from 'typebox'
import { choice } from '../../../lib/validation/fields.ts'
import { nullableText } from '../../v2/views/record.ts'

/** What became of one level. */
export const inventoryResultSchema = Type.Object({
  sku: Type.String(),
  location: nullableText,
  quantity: Type.Integer(),
  status: choice(['updated', 'unchanged', 'failed']),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why the shop rejected it' }),
})
