import { checkAction, type LongAction } from '../actions/perform-action.ts'
import type { Run } from '../runs/run.ts'
import { type SyncKind, syncKinds } from './sync.ts'

/** What a run is to read. */
export interface Plan {
  kinds: readonly SyncKind[]
  mode: 'incremental' | 'full' | 'compare'
  since: string | null
}

const syncing: Readonly<Record<Exclude<LongAction, 'reconcile'>, SyncKind>> = {
  sync_orders: 'orders',
  sync_products: 'products',
  sync_inventory: 'inventory',
}

/** Null for work that this version does not know. */
export function planOf({ resource, input }: Pick<Run, 'resource' | 'input'>): Plan | null {
  const fields = isFields(input) ? input : {}
  if (resource === 'reconcile') {
    const { resources, updated_since: since } = checkAction('reconcile', fields)
    return { kinds: resources ?? syncKinds, mode: 'compare', since: since ?? null }
  }
  if (!isSync(resource)) return null
  const { mode, updated_since: since } = checkAction(resource, fields)
  return { kinds: [syncing[resource]], mode: mode ?? 'incremental', since: since ?? null }
}

export const isReconciliation = ({ mode }: Plan): boolean => mode === 'compare'

const isSync = (resource: string): resource is keyof typeof syncing => Object.hasOwn(syncing, resource)

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
