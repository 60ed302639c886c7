import pg from 'pg'
import { inject } from 'vitest'
import { fillShards } from '../support/crowd.ts'
import { createTestDatabase } from '../support/database.ts'
import { populate } from '../support/populate.ts'
import { bigTables, costLooksAsAtHome, nodesIn, type Planned, plansOf } from '../support/read-plans.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { type Sent, watchStatements } from '../support/watch-statements.ts'
import { makeWorld, type World } from '../support/world.ts'

export interface Plans {
  server: TestServer
  world: World
  client: pg.Client
  watch: ReturnType<typeof watchStatements>
  /** In which a walk would be felt. */
  big: ReadonlySet<string>
  /** What is wrong with how these statements would be run; they are not run. */
  faultsIn(sent: readonly Sent[], planned?: Planned): Promise<string[]>
  close(): Promise<void>
}

/** A server among a thousand shops, and what looks at how the database goes about its statements. */
export async function openPlans(): Promise<Plans> {
  const watch = watchStatements()
  const database = await createTestDatabase('crowd')
  await costLooksAsAtHome(database.url)
  if (inject('onCitus')) await fillShards(database.url)
  const server = await startTestServer({ databaseUrl: database.url })
  const world = await makeWorld(server)
  await populate(server.context, world, 40)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const big = await bigTables(client, 2000)

  async function faultsOf(sent: Sent, planned: Planned): Promise<string[]> {
    const plans = await plansOf(client, sent, planned)
    const walked = nodesIn(plans)
      .filter((node) => node['Node Type'] === 'Seq Scan' && big.has(node['Relation Name'] ?? ''))
      .map((node) => `walks all of ${node['Relation Name']}`)
    // A list that is searched once for each row, rather than put into a table of hashes first.
    const searched = /ANY \([^"]*\(SubPlan/.test(JSON.stringify(plans)) ? ['searches a list for each row'] : []
    return [...walked, ...searched]
  }

  return {
    ...{ server, world, client, watch, big },
    async faultsIn(sent, planned = 'each time') {
      const once = new Map(sent.map((each) => [each.text, each]))
      const found: string[] = []
      for (const each of once.values()) {
        if (!/^\s*(select|with|insert|update|delete)\b/i.test(each.text)) continue
        for (const fault of await faultsOf(each, planned)) found.push(`${fault}: ${each.text.replace(/\s+/g, ' ')}`)
      }
      return found
    },
    async close() {
      watch.stop()
      await client.end()
      await server.close()
      await database.drop()
    },
  }
}
