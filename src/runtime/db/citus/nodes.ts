import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Log } from '../../log.ts'
import { remembered } from '../../remembered.ts'
import type { Db } from '../connection.ts'
import { isDatabaseAway } from '../database-away.ts'
import type { dataPlane } from './data-plane.ts'
import { type Ask, isDistributed } from './distribute.ts'

/**
 * Whoever works for all integrations does so node by node: one that is away stops its own integrations, and no others. A
 * single PostgreSQL is one node, which holds all of them.
 */
export type Node = number | 'all'

const askerOf =
  (db: Db): Ask =>
  async <Row extends object>(text: string, values: unknown[] = []) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows

/** By what a transaction shares with its database. */
const answers = new WeakMap<object, () => Promise<boolean>>()

/** Whoever looks for work every few seconds does not ask each time: a minute after it was distributed, everybody knows. */
function hasNodes(db: Db): Promise<boolean> {
  const { adapter } = db.getExecutor()
  const known = answers.get(adapter) ?? remembered(60, () => isDistributed(askerOf(db)))
  answers.set(adapter, known)
  return known()
}

export async function nodesOf(db: Db): Promise<Node[]> {
  if (!(await hasNodes(db))) return ['all']
  const { rows } = await sql<{ group: number }>`
    select distinct p.groupid as group from pg_dist_shard s join pg_dist_placement p using (shardid)
    where s.logicalrelid = 'integration_state'::regclass order by 1`.execute(db)
  return rows.map(({ group }) => group)
}

/** Of rows of the control plane: whether what the shop holds, which the column names, lies on that node. */
export const liesOn = (node: Node, column: string): RawBuilder<boolean> =>
  node === 'all'
    ? sql`true`
    : sql`(select p.groupid from pg_dist_placement p where p.shardid =
        get_shard_id_for_distribution_column('integration_state', ${sql.ref(column)})) = ${node}`

/**
 * At all nodes beside each other, whatever becomes of any. That one is away is no reason to fail, as long as another is there:
 * what it holds has its turn when it is back.
 */
export async function onEachNode(
  { db, log }: { db: Db; log: Pick<Log, 'warn'> },
  work: (node: Node) => Promise<void>,
): Promise<void> {
  const nodes = await nodesOf(db)
  const ends = await Promise.allSettled(nodes.map(work))
  const failed = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  for (const error of failed) {
    if (failed.length === nodes.length || !isDatabaseAway(error)) throw error
    log.warn({ err: error }, 'a node of the database is away')
  }
}

interface Everywhere {
  table: (typeof dataPlane)[number]
  /** Of the whole table, or of one of its shards. It takes no parameters. */
  rows(table: string): string
  /** What is done to all rows of a node: their order, and how many are wanted of each. */
  tail: string
}

/** Rows of a table, whichever integrations they are of. Those of a node that is away are left out, unless all are. */
export async function readEverywhere<Row extends object>(db: Db, { table, rows, tail }: Everywhere): Promise<Row[]> {
  const ask = askerOf(db)
  if (!(await hasNodes(db))) return await ask<Row>(`select * from (${rows(table)}) r ${tail}`)
  const nodes = await ask<{ name: string; port: number; shards: string[] }>(
    `select n.nodename as name, n.nodeport as port, array_agg(shard_name(s.logicalrelid, s.shardid)) as shards
    from pg_dist_shard s join pg_dist_placement p using (shardid)
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where s.logicalrelid = $1::regclass group by 1, 2`,
    [table],
  )
  const answers = await askNodes(
    ask,
    nodes.map(({ name, port, shards }) => {
      const all = shards.map((shard) => `(${rows(shard)})`).join(' union all ')
      return { name, port, command: `select coalesce(json_agg(r), '[]') from (select * from (${all}) r ${tail}) r` }
    }),
  )
  const given = answers.filter(({ success }) => success)
  if (given.length === 0 && answers[0]) throw new Error(`No node has answered: ${answers[0].result}`)
  return given.flatMap(({ result }): Row[] => JSON.parse(result))
}

interface Command {
  name: string
  port: number
  command: string
}

/** Each has its own answer, or says why not: over a connection of Citus' own, outside of any transaction. */
const askNodes = (ask: Ask, nodes: readonly Command[]): Promise<{ success: boolean; result: string }[]> =>
  ask('select success, result from master_run_on_worker($1::text[], $2::int[], $3::text[], true)', [
    nodes.map(({ name }) => name),
    nodes.map(({ port }) => port),
    nodes.map(({ command }) => command),
  ])

/** One row of every node; null of one that is away. */
export async function askAllNodes<Row extends object>(
  ask: Ask,
  statement: string,
): Promise<{ node: string; row: Row | null }[]> {
  const nodes = await ask<{ name: string; port: number }>(
    `select nodename as name, nodeport as port from pg_dist_node where noderole = 'primary' order by groupid`,
  )
  const command = `select row_to_json(r) from (${statement}) r`
  const answers = await askNodes(
    ask,
    nodes.map((node) => ({ ...node, command })),
  )
  return nodes.map(({ name, port }, n) => {
    const answer = answers[n]
    return { node: `${name}:${port}`, row: answer?.success ? JSON.parse(answer.result) : null }
  })
}
