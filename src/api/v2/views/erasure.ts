import { type Static, Type } from 'typebox'
import { type Erasure, type ErasureShop, namedBy } from '../../../domain/erasures/erasure.ts'
import { choice } from '../../../lib/validation/fields.ts'
import { idField, nullableTimestamp, timestamp } from './record.ts'

const touched = Type.Record(Type.String(), Type.Integer(), {
  description: 'Rows in which something was forgotten, by table',
})
const status = choice(['running', 'completed'])

export const erasureSchema = Type.Object({
  id: idField,
  status,
  named_by: Type.Array(choice(namedBy), { description: 'What the customer was named by; not kept itself' }),
  requested_by: choice(['app', 'account', 'platform']),
  touched,
  waiting: Type.Integer({
    description:
      'Rows that are still needed, such as a change that is being sent to a shop; looked at again every hour',
  }),
  shops: Type.Array(Type.Object({ integration_id: idField, status, touched, waiting: Type.Integer() })),
  created_at: timestamp,
  completed_at: nullableTimestamp,
})

export function erasureView(erasure: Erasure, shops: readonly ErasureShop[]): Static<typeof erasureSchema> {
  const total: Record<string, number> = {}
  for (const shop of shops) {
    for (const [table, rows] of Object.entries(shop.touched)) total[table] = (total[table] ?? 0) + rows
  }
  return {
    id: erasure.id,
    status: erasure.completed_at === null ? 'running' : 'completed',
    named_by: [...erasure.named_by],
    requested_by: erasure.requested_by,
    touched: total,
    waiting: shops.reduce((sum, { waiting }) => sum + waiting, 0),
    shops: shops.map(({ integration_id, touched: own, waiting, completed_at }) => ({
      integration_id,
      status: completed_at === null ? 'running' : 'completed',
      touched: own,
      waiting,
    })),
    created_at: erasure.created_at,
    completed_at: erasure.completed_at,
  }
}
