import type { Context } from '../../src/domain/context.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { type Database, openDatabase } from '../../src/runtime/db/connection.ts'
import { createTestContext, type TestContext } from './context.ts'
import { patience } from './patience.ts'
import { connectShops, type ScriptedPlatform, scriptedPlatform } from './scripted-shop.ts'

/** Shops on a platform whose tokens end, and several processes that use them. */
export interface TokenLab {
  tested: TestContext
  setUp(options: {
    count?: number
    endsInSeconds: number
    takesPrevious?: boolean
    refreshTokenDays?: number
  }): Promise<{ platform: ScriptedPlatform; context: Context; integrations: Integration[]; first: Integration }>
  contextFor(platform: ScriptedPlatform): Context
  /** Another process: it shares the database and nothing else. */
  processOf(context: Context): Context
  /** As if so many seconds had gone by. */
  pass(integration: Integration, seconds: number): Promise<void>
  close(): Promise<void>
}

export async function openTokenLab(): Promise<TokenLab> {
  const tested = await createTestContext()
  const databases: Database[] = []
  const contextFor = (platform: ScriptedPlatform): Context => ({
    ...tested.context,
    connectors: new Map([[platform.connector.type, platform.connector]]),
    transport: platform.transport,
  })
  return {
    tested,
    contextFor,
    processOf(context) {
      const database = openDatabase({ url: tested.url, log: context.log, max: 4, ...patience })
      databases.push(database)
      return { ...context, db: database.db, reader: database.reader, transaction: database.transaction }
    },
    async setUp({ count = 1, endsInSeconds, ...more }) {
      const platform = scriptedPlatform(more)
      const context = contextFor(platform)
      const integrations = await connectShops(context, platform, { count, endsInSeconds })
      const [first] = integrations
      if (!first) throw new Error('There is no integration.')
      return { platform, context, integrations, first }
    },
    async pass(integration, seconds) {
      await tested.database.query(
        `update credentials set failed_at = failed_at - make_interval(secs => $2), lease_until = lease_until - make_interval(secs => $2),
           updated_at = updated_at - make_interval(secs => $2) where integration_id = $1`,
        [integration.id, seconds],
      )
    },
    async close() {
      for (const database of databases) await database.close()
      await tested.close()
    },
  }
}

export const refreshesOf = ({ asked }: ScriptedPlatform): number => asked.filter(({ path }) => path === '/token').length
