import { coarseStatus } from '../../support/coarse-status.ts'
import { data, type Fleet, type Merchant } from './fleet.ts'
import type { ShopProcess, TrueOrder } from './shop-process.ts'
import { until } from './until.ts'

export interface RunState {
  id: number
  resource: string
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  done: number
  total: number | null
  fence: number | null
  /** Times in a row that its shop was away. */
  waits: number
  error: string | null
}

/** As the database has it: it answers while no server does, and knows the fence. */
export async function runsOf(fleet: Fleet, integrationId: number): Promise<RunState[]> {
  const rows = await fleet.query<RunState & Record<'id' | 'done' | 'fence', string | null>>(
    'select id, resource, status, done, total, fence, waits, error from runs where integration_id = $1 order by id',
    [integrationId],
  )
  return rows.map((row) => ({ ...row, id: Number(row.id), done: Number(row.done), fence: Number(row.fence) }))
}

const over = ({ status }: RunState) => status !== 'queued' && status !== 'running'

/** Until nothing waits or runs; a run that failed is the end of the proof. */
export async function finished(fleet: Fleet, integrationId: number, seconds: number): Promise<RunState[]> {
  const runs = await until(
    'all runs are over',
    async () => {
      const all = await runsOf(fleet, integrationId)
      return all.length > 0 && all.every(over) && all
    },
    { seconds, everyMs: 100 },
  )
  const bad = runs.find(({ status }) => status !== 'completed')
  if (bad) throw new Error(`Run ${bad.id} (${bad.resource}) is ${bad.status}: ${bad.error}`)
  return runs
}

/** What is read by itself after an installation: orders, products, stock. */
export async function firstSync(fleet: Fleet, integrationId: number, seconds: number): Promise<void> {
  await until('the first runs are queued', async () => (await runsOf(fleet, integrationId)).length >= 3, { seconds })
  await finished(fleet, integrationId, seconds)
}

export async function startRun(
  merchant: Merchant,
  integrationId: number,
  resource: string,
  fields: object = {},
): Promise<number> {
  const answer = await merchant.call('POST', `/integrations/${integrationId}/action`, { resource, ...fields })
  return Number(data(answer)['id'])
}

export interface Difference {
  compared: number
  lost: number
  /** Ours, and not the shop's. */
  extra: number
  duplicate: number
  different: number
  same: boolean
  text: string
}

/** Our copy against what the shop says of itself: number, status, the platform's own word for it and total of every order. */
export async function compare(fleet: Fleet, shop: ShopProcess, integrationId: number): Promise<Difference> {
  const ours = await fleet.query<Pick<TrueOrder, 'remote_id' | 'number' | 'status' | 'remote_status' | 'total'>>(
    'select remote_id, number, status, remote_status, total from orders where integration_id = $1 and deleted_at is null',
    [integrationId],
  )
  const truth = await shop.truth()
  const copies = new Map(ours.map((order) => [order.remote_id, order]))
  const theirs = new Set(truth.map(({ remote_id }) => remote_id))
  const content = (order: (typeof ours)[number] | undefined) =>
    order && `${order.number} ${coarseStatus(order.status)} (${order.remote_status}) ${Number(order.total)}`
  const lost = truth.filter(({ remote_id }) => !copies.has(remote_id)).length
  const unequal = truth.filter((order) => {
    const copy = copies.get(order.remote_id)
    return copy && content(copy) !== content(order)
  })
  const extra = ours.filter(({ remote_id }) => !theirs.has(remote_id)).length
  const duplicate = ours.length - copies.size
  const different = unequal.length
  const [first] = unequal
  const example = first ? ` (${content(copies.get(first.remote_id))} for ${content(first)})` : ''
  return {
    compared: truth.length,
    ...{ lost, extra, duplicate, different },
    same: lost + extra + duplicate + different === 0,
    text: `${truth.length} orders: ${lost} lost, ${duplicate} duplicate, ${extra} too many, ${different} different${example}`,
  }
}
