import { Type } from 'typebox'
import { orderStatuses } from '../../../domain/orders/order.ts'
import { choice } from '../../../lib/validation/fields.ts'
import { orderFields, orderFieldsView } from '../../v2/views/order.ts'
import { idField, nullableTimestamp } from '../../v2/views/record.ts'

export const orderSchema = Type.Object(orderFields)

export const orderView = orderFieldsView

/** What became of one order of an acknowledgement. */
export const acknowledgementSchema = Type.Object({
  id: idField,
  remote_id: Type.String(),
  status: choice(orderStatuses),
  acknowledged: Type.Boolean(),
  acknowledged_at: nullableTimestamp,
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why the shop rejected it' }),
})
