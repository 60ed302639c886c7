import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import { distribute } from '../../../src/runtime/db/citus/distribute.ts'
import { askInTurn, migrate } from '../../../src/runtime/db/migrate.ts'
import { createLog } from '../../../src/runtime/log.ts'
import type { Fleet } from './fleet.ts'

/** A cluster that somebody has brought up: a coordinator and at least two nodes, and commands that end and start one of them. */
interface Cluster {
  /** A database on the coordinator for proofs only, with the extension, and the nodes added. */
  url: string
  /** Of the node that the commands are about, as Citus knows it. */
  node: string
  kill(): Promise<void>
  start(): Promise<void>
}

const names = ['PROVE_CITUS_URL', 'PROVE_CITUS_NODE', 'PROVE_CITUS_KILL', 'PROVE_CITUS_START'] as const

export const missingCluster = (): string | null => {
  const missing = names.filter((name) => !process.env[name])
  return missing.length > 0 ? `no ${missing.join(', ')}` : null
}

export async function openCluster(): Promise<Cluster> {
  const [url = '', node = '', kill = '', start = ''] = names.map((name) => process.env[name])
  await migrate({ url, log: createLog('warn') })
  await askInTurn(url, distribute)
  const run = async (command: string) => void (await promisify(exec)(command))
  return { url, node, kill: () => run(kill), start: () => run(start) }
}

/** Whether what the shop of an integration holds lies on that node. */
export async function liesThere({ query }: Fleet, node: string, integrationId: number): Promise<boolean> {
  const rows = await query(
    `select 1 from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
    where p.shardid = get_shard_id_for_distribution_column('integration_state', $1::bigint)
      and n.nodename || ':' || n.nodeport = $2`,
    [integrationId, node],
  )
  return rows.length > 0
}

/** Transactions that were prepared on some node and nobody has ended. */
export async function leftPrepared({ query }: Fleet): Promise<number> {
  const [row] = await query<{ n: string }>(
    `select coalesce(sum(result::int), 0) as n from run_command_on_all_nodes('select count(*) from pg_prepared_xacts')`,
  )
  return Number(row?.n)
}
