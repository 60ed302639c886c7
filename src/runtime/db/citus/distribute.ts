import { anchor, commitGuard, dataPlane } from './data-plane.ts'

/** How a statement is sent: on one connection, one after the other. */
export type Ask = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>

export interface Distribution {
  /** The extension is there. */
  citus: boolean
  /** The data plane is distributed, or has begun to be. */
  distributed: boolean
  /** What is left to do, each a statement. */
  steps: string[]
  /** Tables that are distributed by something else, or apart from the rest: nothing here mends that. */
  astray: string[]
}

const plain: Distribution = { citus: false, distributed: false, steps: [], astray: [] }

export async function hasCitus(ask: Ask): Promise<boolean> {
  return (await ask(`select 1 as found from pg_extension where extname = 'citus'`)).length > 0
}

/** Whether the data plane lies on several nodes, so that a commit may need two phases. */
export async function isDistributed(ask: Ask): Promise<boolean> {
  if (!(await hasCitus(ask))) return false
  const found = await ask(
    `select 1 as found from pg_dist_partition where logicalrelid = to_regclass('${anchor}') and partmethod = 'h'`,
  )
  return found.length > 0
}

interface Table {
  name: string
  /** `h` for hash; `n` for a local table that Citus knows; null for one that it does not. */
  method: string | null
  column: string | null
  colocation: number | null
  /** What lies in the local table still, unseen, after its rows were copied into shards. */
  hidden: string
}

export async function readDistribution(ask: Ask): Promise<Distribution> {
  if (!(await hasCitus(ask))) return plain
  const tables = await ask<Table>(
    `select t.name, p.partmethod as method, p.colocationid as colocation,
      case when p.partmethod = 'h' then column_to_column_name(p.logicalrelid, p.partkey) end as column,
      pg_relation_size(to_regclass(t.name)) + coalesce(
        (select sum(pg_relation_size(relid)) from pg_partition_tree(to_regclass(t.name))), 0) as hidden
    from unnest($1::text[]) with ordinality t(name, place)
    left join pg_dist_partition p on p.logicalrelid = to_regclass(t.name)
    where to_regclass(t.name) is not null
    order by place`,
    [[commitGuard, ...dataPlane]],
  )
  // Not those that a migration is still to make.
  const guard = tables.find(({ name }) => name === commitGuard)
  const first = tables.find(({ name }) => name === anchor)
  const others = tables.filter(({ name }) => name !== commitGuard && name !== anchor)
  const astray = tables.filter(
    ({ name, method, column, colocation }) =>
      name !== commitGuard &&
      method !== null &&
      (method !== 'h' || column !== 'integration_id' || colocation !== first?.colocation),
  )
  const missing = others.filter(({ method }) => method === null)
  return {
    citus: true,
    distributed: first?.method === 'h',
    astray: astray.map(({ name }) => name),
    steps: [
      ...(guard?.method === null ? [`select citus_add_local_table_to_metadata('${commitGuard}')`] : []),
      ...(first?.method === null ? [`select create_distributed_table('${anchor}', 'integration_id')`] : []),
      ...missing.map(
        ({ name }) => `select create_distributed_table('${name}', 'integration_id', colocate_with => '${anchor}')`,
      ),
      // Last: refused while a table that refers to it is local.
      ...tables
        .filter(({ name, hidden }) => name !== commitGuard && Number(hidden) > 0)
        .map(({ name }) => `select truncate_local_data_after_distributing_table('${name}')`),
    ],
  }
}

/** Distributes what is not, and says what it did. Run again, it goes on where it ended. */
export async function distribute(ask: Ask): Promise<string[]> {
  const { steps, astray } = await readDistribution(ask)
  if (astray.length > 0) throw new Error(`Not distributed by integration along with the others: ${astray.join(', ')}.`)
  if (steps.length === 0) return []
  await ask('set statement_timeout = 0')
  await ask('set lock_timeout = 60000')
  for (const step of steps) await ask(step)
  return steps
}
