import { Type } from 'typebox'
import { orderStatuses } from '../../../domain/orders/order.ts'
import { choice } from '../../../lib/validation/fields.ts'
import { orderSchema as newerSchema } from '../../v2/views/order.ts'
import { idField, nullableTimestamp } from '../../v2/views/record.ts'

export { plainOrderView as orderView } from '../../v2/views/order.ts'

/** Version 1.0 shows less of an order. */
export const orderSchema = Type.Omit(newerSchema, ['remote_status', 'acknowledge_by', 'deleted_at'])

/** What became of one order of an acknowledgement. */
export const acknowledgementSchema = Type.Object({
  id: idField,
  remote_id: Type.String(),
  status: choice(orderStatuses),
  acknowledged: Type.Boolean(),
  acknowledged_at: nullableTimestamp,
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why the shop rejected it' }),
})
