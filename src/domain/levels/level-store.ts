import type { AcrossPlan } from '../../runtime/db/lists/across.ts'
import type { ChangePlan } from '../../runtime/db/lists/changes.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'

/** What we hold of one article at one place, for whoever reads along. */
export interface Level {
  integration_id: number
  sku: string
  /** '' where the shop knows only one place. */
  location: string
  quantity: number
  /** '' where it is not the shop's. */
  remote_id: string
  updated_at: string
  deleted_at: string | null
}

const columns = 'integration_id, sku, location, quantity, remote_id, updated_at, deleted_at'

export const levelList: ListPlan = {
  name: 'levels',
  from: 'inventory',
  columns,
  id: '(sku || chr(10) || location || chr(10) || remote_id)',
  filters: {
    sku: { column: 'sku', type: 'text' },
    location: { column: 'location', type: 'text' },
    remote_id: { column: 'remote_id', type: 'text' },
  },
  sorts: { sku: 'sku', quantity: 'quantity', updated_at: 'updated_at' },
  defaultSort: [{ field: 'sku', descending: false }],
}

export const levelScope = (integrationId: number): ListScope => ({
  key: 'integration',
  sql: 'integration_id = ? and deleted_at is null',
  params: [integrationId],
})

/** Over many integrations, by when they last changed. */
export const levelsAcross: AcrossPlan = {
  name: 'levels-across',
  from: 'inventory',
  columns,
  where: 'deleted_at is null',
  keys: [
    { column: 'updated_at', type: 'timestamptz' },
    { column: 'sku', type: 'text' },
    { column: 'location', type: 'text' },
    { column: 'remote_id', type: 'text' },
  ],
  filters: { sku: { column: 'sku', type: 'text' } },
}

export const levelChanges: ChangePlan = {
  name: 'levels',
  from: 'inventory',
  columns,
  keys: [
    { column: 'sku', type: 'text' },
    { column: 'location', type: 'text' },
    { column: 'remote_id', type: 'text' },
  ],
}
