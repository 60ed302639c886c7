import { sql } from 'kysely'
import { endpoints } from '../../src/api/index.ts'
import type { Db } from '../../src/runtime/db/connection.ts'
import type { Endpoint } from '../../src/runtime/http/endpoint.ts'
import { newCanary } from '../support/chance.ts'
import { fillCanaries, referencesTo, tryForeign } from '../support/foreign.ts'
import { fillDrawers, makeTwin } from '../support/look-alikes.ts'
import { changedRows, type Snapshot, snapshot } from '../support/rows.ts'
import { makeSiblingAccount, makeSiblingApp, startTestServer, type TestServer } from '../support/server.ts'
import { makeWorld, type World } from '../support/world.ts'
import { proof } from './support/proof.ts'

/** Nobody sees or changes what is somebody else's: other companies, other apps of one's own, other accounts of one app. */
export const tenancy = proof({
  name: 'tenancy',
  asked:
    'every endpoint with the ids of 5 foreign tenants, canary text in every foreign column: 0 canaries seen, 0 foreign rows changed or added',
  full: { strangers: 3, every: 1 },
  // All of them are a test of their own (test/tenancy.test.ts).
  quick: { strangers: 1, every: 20 },
  async run({ strangers, every }, lab) {
    const server = await startTestServer({ databaseUrl: await lab.database('migrated') })
    try {
      const cast = await makeCast(server, strangers)
      const problems: string[] = []
      let called = 0
      const chosen = endpoints.filter((_, n) => n % every === 0)
      for (const [index, endpoint] of chosen.entries()) {
        const tried = await cast.tryAll(endpoint)
        problems.push(...tried.problems)
        called += tried.worlds
        lab.progress('endpoints', index + 1, chosen.length)
      }
      const changed = await cast.changed()
      const found = [...problems, ...changed]
      return {
        measured: `${called} pairs of endpoint and foreign tenant, canaries in ${cast.filled} columns: ${problems.length} answers that show or do too much, ${changed.length} rows changed or added${found.length > 0 ? `; ${found.slice(0, 3).join('; ')}` : ''}`,
        pass: found.length === 0,
      }
    } finally {
      await server.close()
    }
  },
})

interface ForeignWorld {
  what: string
  world: World
  /** Whether an endpoint's caller must not reach it: a user reaches all apps of the company, an app all its accounts. */
  isForeignTo(endpoint: Endpoint): boolean
}

interface Cast {
  /** How many columns carry a canary. */
  filled: number
  /** Every attempt at an endpoint, with every world that is foreign to it. */
  tryAll(endpoint: Endpoint): Promise<{ worlds: number; problems: string[] }>
  /** Foreign rows that are not as they were, and rows that were added to foreign records. */
  changed(): Promise<string[]>
}

export async function makeCast(server: TestServer, strangers: number): Promise<Cast> {
  const { context } = server
  const foreign: ForeignWorld[] = []
  for (let made = 0; made < strangers; made++) {
    const world = await makeWorld(server)
    await fillDrawers(context.db, world)
    foreign.push({ what: 'another company', world, isForeignTo: () => true })
  }
  const filled = await fillCanaries(context.db, newCanary())
  for (const { world } of foreign) await makeTwin(context.db, world)
  const strange = await snapshot(context.db)
  const own = await makeWorld(server)
  await fillDrawers(context.db, own)
  await makeTwin(context.db, own)
  const alone = await snapshot(context.db)
  foreign.push(
    {
      what: 'another app of the company',
      world: await makeWorld(server, await makeSiblingApp(context, own.tenant)),
      isForeignTo: ({ group }) => group.caller === 'client' || group.caller === 'account',
    },
    {
      what: 'another account of the app',
      world: await makeWorld(server, await makeSiblingAccount(context, own.tenant)),
      isForeignTo: ({ group }) => group.caller === 'account',
    },
  )
  const siblings = new Map(newRows(alone, await snapshot(context.db)))
  // Whose turn it is, and the receiver for trying webhooks out, go by app, which a sibling may share.
  siblings.delete('run_turns')
  siblings.delete('webhook_catchers')
  // A sibling has the same user, who may end them.
  siblings.delete('console_sessions')
  siblings.delete('agent_grants')
  const before = [strange, siblings]
  const references = await Promise.all(foreign.map(({ world }) => referencesTo(context.db, world)))
  return {
    filled,
    async tryAll(endpoint) {
      const theirs = foreign.filter(({ isForeignTo }) => isForeignTo(endpoint))
      const mayShow = [own, ...foreign.filter((each) => !theirs.includes(each)).map(({ world }) => world)]
      const problems: string[] = []
      for (const { world } of theirs) {
        await forgetName(context.db, own, world)
        problems.push(...(await tryForeign(server, { own, foreign: world, mayShow }, endpoint)))
      }
      return { worlds: theirs.length, problems }
    },
    async changed() {
      const now = await snapshot(context.db)
      const changed = before.flatMap((rows) => changedRows(rows, now))
      for (const [index, { world, what, isForeignTo }] of foreign.entries()) {
        const counts = await referencesTo(context.db, world)
        for (const [column, n] of Object.entries(counts)) {
          // The company and user of a sibling are one's own, and so may its app be.
          const shared =
            /(user|company|client)_id$/.test(column) || (!isForeignTo(appEndpoint) && /app_id$/.test(column))
          const was = references[index]?.[column]
          if (n !== was && (what === 'another company' || !shared)) changed.push(`${what}: ${column} ${was} → ${n}`)
        }
      }
      return changed
    },
  }
}

/** A call before may have given an account of one's own the name that a foreign one has: each app has names of its own. */
async function forgetName(db: Db, own: World, { tenant: { appId, remoteId } }: World): Promise<void> {
  if (appId === own.tenant.appId) return
  await sql`update accounts set remote_id = remote_id || ':' || id
    where app_id = ${own.tenant.appId} and remote_id = ${remoteId}`.execute(db)
}

const appEndpoint = { group: { caller: 'client' } } as Endpoint

/** What `after` has and `before` had not. */
function newRows(before: Snapshot, after: Snapshot): Snapshot {
  return new Map(
    [...after].map(([table, rows]) => {
      const known = new Set(before.get(table))
      return [table, rows.filter((row) => !known.has(row))]
    }),
  )
}
