import { sql } from 'kysely'
import type { TSchema } from 'typebox'
import { actions } from '../../src/commerce/action.ts'
import type { Db } from '../../src/runtime/db/connection.ts'
import type { Endpoint } from '../../src/runtime/http/endpoint.ts'
import { referencesTo } from '../support/foreign.ts'
import { allOf, columnsOf, countRows } from '../support/rows.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { bodyEndpoints, orderInShop, type ValidCall, validCall } from '../support/valid-calls.ts'
import { callAs, makeWorld, nameOf, type World } from '../support/world.ts'
import { forms, inject, mark, type Values, valuesFor, words } from './support/marked-fields.ts'
import { proof } from './support/proof.ts'

/**
 * Whoever sends more than an endpoint asks for changes nothing by it. Every name of a column goes into every body, in
 * every way that some framework has once taken for a field; the values are marked, so that one look over all rows tells
 * whether any has arrived.
 */
export const massAssignment = proof({
  name: 'mass-assignment',
  asked: 'every column of every table added to every body, each alone and all together: 0 protected columns changed',
  full: { alone: true, every: 1 },
  // All of them together are a test of their own (test/mass-assignment.test.ts).
  quick: { alone: false, every: 25 },
  async run({ alone, every }, lab) {
    // Hundreds of everything are made here: what anybody may have of it is another matter.
    const many = 1_000_000
    const quotas = {
      ...{ apps: many, clients: many, accounts: many, integrations: many, schedules: many },
      ...{ flows: many, webhooks: many, channels: many, views: many },
    }
    const server = await startTestServer({ databaseUrl: await lab.database('migrated'), quotas })
    try {
      const foreign = await makeWorld(server)
      const world = await makeWorld(server)
      const stage = await setStage(server, world, foreign)
      const problems: string[] = []
      const chosen = bodyEndpoints.filter((_, n) => n % every === 0)
      for (const [index, endpoint] of chosen.entries()) {
        problems.push(...(await stage.tryTogether(endpoint)))
        if (alone) problems.push(...(await stage.tryAlone(endpoint)))
        lab.progress('endpoints', index + 1, chosen.length)
      }
      return {
        measured: `${stage.columns} columns into ${chosen.length} bodies, ${stage.calls()} calls: ${problems.length} changed something${problems.length > 0 ? `; ${problems.slice(0, 3).join('; ')}` : ''}`,
        pass: problems.length === 0,
      }
    } finally {
      await server.close()
    }
  },
})

export interface Stage {
  columns: number
  calls(): number
  /** All columns at once, in every form. */
  tryTogether(endpoint: Endpoint): Promise<string[]>
  /** One column after the other. */
  tryAlone(endpoint: Endpoint): Promise<string[]>
}

export async function setStage(server: TestServer, world: World, foreign: World): Promise<Stage> {
  const { db } = server.context
  const columns = new Map((await columnsOf(db)).map(({ column, type }) => [column, type]))
  const ids = { ...foreign.ids, user: foreign.tenant.userId }
  let calls = 0
  // What calls need and make themselves is there before anybody looks.
  for (const number of ['of-many', 'held']) await orderInShop(server, world, number)

  async function send(endpoint: Endpoint, shape: (call: ValidCall) => { text: string; search?: string }) {
    calls++
    const call = await validCall(server, world, endpoint, calls)
    const { text, search = '' } = shape(call)
    const answer = await callAs(server, world, endpoint, { params: call.params, body: text, search })
    return { status: answer.status, text: answer.text }
  }

  const look = async () => ({ flags: await readFlags(db), references: await referencesTo(db, foreign) })
  let lookedAt = await momentOf(db)
  // Nobody but the calls below writes: what the last ones left is what the next ones find.
  let found = await look()

  /** What came of some calls, seen from the rows. */
  async function watch(endpoint: Endpoint, taken: ReadonlySet<string>, work: () => Promise<string[]>) {
    const before = found
    const problems = await work()
    const now = await momentOf(db)
    problems.push(...(await findMarks(db, lookedAt)))
    lookedAt = now
    found = await look()
    problems.push(...flagsChanged(before.flags, found.flags, taken))
    for (const [column, n] of Object.entries(found.references)) {
      const was = before.references[column]
      if (n !== was) problems.push(`${column}: ${was} → ${n} rows of somebody else`)
    }
    return problems.map((problem) => `${nameOf(endpoint)}: ${problem}`)
  }

  async function tryTogether(endpoint: Endpoint): Promise<string[]> {
    const taken = takenFields(endpoint)
    const problems: string[] = []
    for (const values of valuesFor(columns, ids)) {
      const extras = without(values, taken)
      problems.push(
        ...(await watch(endpoint, taken, async () => {
          const failed: string[] = []
          for (const form of forms) {
            const { status, text } = await send(endpoint, (call) => form.write(call.body, extras, endpoint))
            const expected = form.malformed ? [400, 422] : [endpoint.status, ...endpoint.otherStatuses]
            if (!expected.includes(status)) failed.push(`${form.name}: ${status} ${text.slice(0, 150)}`)
          }
          return failed
        })),
      )
    }
    return problems
  }

  async function tryAlone(endpoint: Endpoint): Promise<string[]> {
    const taken = takenFields(endpoint)
    return await watch(endpoint, taken, async () => {
      const failed: string[] = []
      const [values = {}] = valuesFor(columns, ids)
      for (const [column, value] of Object.entries(without(values, taken))) {
        const { status, text } = await send(endpoint, (call) => ({
          text: JSON.stringify(inject(endpoint, call.body, { [column]: value })),
          search: `?${column}=${encodeURIComponent(String(value))}`,
        }))
        const expected = [endpoint.status, ...endpoint.otherStatuses]
        if (!expected.includes(status)) failed.push(`${column}: ${status} ${text.slice(0, 150)}`)
      }
      return failed
    })
  }

  return { columns: columns.size, calls: () => calls, tryTogether, tryAlone }
}

/** What the endpoint says that it takes, on any level; the rest of a body is none of the caller's business. */
function takenFields(endpoint: Endpoint): ReadonlySet<string> {
  const taken = new Set<string>()
  const walk = (schema: TSchema) => {
    const { properties, items, anyOf } = schema as {
      properties?: Record<string, TSchema>
      items?: TSchema
      anyOf?: TSchema[]
    }
    for (const [name, property] of Object.entries(properties ?? {})) {
      taken.add(name)
      walk(property)
    }
    if (items) walk(items)
    for (const option of anyOf ?? []) walk(option)
  }
  if (endpoint.body) walk(endpoint.body)
  // Whose order it is, where the query has to say so.
  const { required = [] } = (endpoint.query ?? {}) as { required?: readonly string[] }
  for (const name of required) taken.add(name)
  if (endpoint.bodyDocs) walk(endpoint.bodyDocs.schema)
  // What an action takes is checked by the action itself; a sync is what is asked for here.
  if (/\/actions?$/.test(endpoint.path)) walk(actions.sync_orders.input)
  return taken
}

const without = (values: Values, taken: ReadonlySet<string>): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !taken.has(name)))

/** Rows written from here on are told apart by it; null where rows lie on several servers, each of which counts for itself. */
async function momentOf(db: Db): Promise<string | null> {
  const { rows } = await sql<{ moment: string | null }>`
    select case when exists (select from pg_extension where extname = 'citus') then null
      else pg_snapshot_xmin(pg_current_snapshot())::text end as moment`.execute(db)
  return rows[0]?.moment ?? null
}

/** Rows that hold a marked value, among those that were written since: what was there before has been looked at. */
async function findMarks(db: Db, since: string | null): Promise<string[]> {
  const isNew = since === null ? sql`true` : sql`t.xmin::text::bigint >= ${since}::bigint`
  const looks = [...new Set((await columnsOf(db)).map(({ table }) => table))].map(
    (table) => sql<{ row: string }>`
      select ${table} || ': ' || t::text as row from ${sql.table(table)} t where ${isNew} and t::text ~* ${mark.pattern}`,
  )
  const rows = await allOf<{ row: string }>(db, looks)
  return rows.map(({ row }) => row.slice(0, 300))
}

interface Count {
  yes: number
  rows: number
  /** What a new row says by itself. */
  usual: boolean
}
type Flags = ReadonlyMap<string, Count>

/** For each column of yes or no: how many rows say yes; and for columns with words: how many hold the one we send. */
async function readFlags(db: Db): Promise<Flags> {
  const columns = (await columnsOf(db)).filter(
    ({ table, column, type }) =>
      table !== 'access_tokens' &&
      // Each way to sign in says it in another way: test/console/second-factor.test.ts tries to say it from outside.
      `${table}.${column}` !== 'console_sessions.second_factor' &&
      (type === 'bool' || (type === 'text' && words[column] !== undefined)),
  )
  const counts = await countRows(db, columns, ({ column, type }) =>
    type === 'bool' ? sql.ref(column) : sql`${sql.ref(column)} = ${words[column]}`,
  )
  return new Map(
    counts.map(({ table, column, usual, yes, rows }) => {
      const name = `${table}.${column}`
      // The world's shop is a sandbox, and so are its orders.
      return [name, { yes, rows, usual: usual === 'true' || name === 'orders.sandbox' }]
    }),
  )
}

/** Rows that were there say what they said, and new ones what is usual; values of one run all point one way. */
function flagsChanged(before: Flags, after: Flags, taken: ReadonlySet<string>): string[] {
  return [...after].flatMap(([name, { yes, rows, usual }]) => {
    if (taken.has(name.split('.')[1] ?? '')) return []
    const was = before.get(name) ?? { yes: 0, rows: 0 }
    const expected = was.yes + (usual ? rows - was.rows : 0)
    return yes === expected ? [] : [`${name} is set in ${yes} rows, not in ${expected}`]
  })
}
