import pg from 'pg'
import { inject } from 'vitest'
import { administer, templateOf } from './databases.ts'
import type { Sent } from './watch-statements.ts'

/** How the database would go about a statement: on Citus with what the shards would do, under the names of their tables. */

export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
}

/** With the values that came, or once for all values. Citus has no plan for all values: each statement is planned with its own where the rows are. */
export type Planned = 'each time' | 'once'

const onCitus = inject('onCitus')

/** As a PostgreSQL of our own is set up (`embedded-cluster.ts`), whichever this is: from what a look costs follows what is chosen. For connections to come. */
export const costLooksAsAtHome = (url: string): Promise<void> =>
  administer(url, `alter database ${templateOf(url)} set random_page_cost = 1.1`)

/** What is asked is not run. */
export async function plansOf(client: pg.Client, { text, values }: Sent, planned: Planned): Promise<unknown> {
  const generic = planned === 'once' && !onCitus
  const explain = `explain (verbose, format json${generic ? ', generic_plan' : ''}) `
  // What nodes are asked by themselves: each on its own shards.
  if (/\bmaster_run_on_worker\(/.test(text)) {
    const inside = (values[2] as string[]).map((statement) => plansOf(client, { text: statement, values: [] }, planned))
    return await Promise.all(inside)
  }
  // Citus explains no INSERT from a question, unless all values stand in it.
  const inserted = onCitus && /^\s*insert\b.*\bselect\b/is.test(text)
  const { rows } = inserted
    ? await client.query(explain + withLiterals(text, values))
    : await client.query(explain + text, generic ? [] : [...values])
  return JSON.parse(JSON.stringify(rows).replaceAll(shardNumber, ''))
}

const withLiterals = (text: string, values: readonly unknown[]): string =>
  text.replaceAll(/\$(\d+)(::jsonb)?/g, (_, place, json = '') => {
    const value = values[Number(place) - 1]
    if (value == null) return 'null'
    // As bytes a document goes with the version of its format before it (`json-rows.ts`).
    const said = json && Buffer.isBuffer(value) ? value.subarray(1).toString() : literal(value)
    return pg.escapeLiteral(said) + json
  })

function literal(value: unknown): string {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value))
    return `{${value.map((one) => (one === null ? 'null' : JSON.stringify(literal(one)))).join()}}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Behind the name of a table or an index. */
const shardNumber = /(?<=[a-z0-9])_1\d{5}\b/g

/** All of it, whoever runs it and whatever for. */
export function nodesIn(plan: unknown): PlanNode[] {
  if (typeof plan !== 'object' || plan === null) return []
  const inside = Object.values(plan).flatMap(nodesIn)
  return isNode(plan) ? [plan, ...inside] : inside
}

const isNode = (value: object): value is PlanNode => 'Node Type' in value

/** Tables in which a walk would be felt: those with so many rows, on Citus in one of their shards. */
export async function bigTables(client: pg.Client, rows: number): Promise<Set<string>> {
  await client.query('set citus.override_table_visibility = off')
  const { rows: found } = await client.query<{ name: string }>(
    `select regexp_replace(relname, '_1[0-9]{5}$', '') as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') group by 1 having max(reltuples) >= $1`,
    [rows],
  )
  await client.query('reset citus.override_table_visibility')
  return new Set(found.map(({ name }) => name))
}
