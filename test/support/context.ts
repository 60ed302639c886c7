import { noTransport } from '../../src/commerce/remote.ts'
import { connectors } from '../../src/connectors/index.ts'
import type { Context } from '../../src/domain/context.ts'
import { type Database, openDatabase } from '../../src/runtime/db/connection.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createTestDatabase, type Neighbours } from './database.ts'
import { patience } from './patience.ts'
import { newKeys, newVault } from './vault.ts'

export interface TestContext {
  context: Context
  database: Database
  url: string
  close(): Promise<void>
}

/**
 * What use cases are handed, on a database of one's own, among a crowd of other tenants: whoever has to be alone in the
 * tables says so. Jobs go nowhere.
 */
export async function createTestContext(neighbours: Neighbours = 'crowd'): Promise<TestContext> {
  const { url, drop } = await createTestDatabase(neighbours)
  const log = createLog('silent')
  const keys = newKeys()
  const vault = newVault(keys)
  const database = openDatabase({ url, log, vault, max: 20, applicationName: 'entrepot tests', ...patience })
  const context: Context = {
    db: database.db,
    reader: database.reader,
    transaction: database.transaction,
    enqueue: async () => undefined,
    record: async () => undefined,
    keys,
    connectors,
    transport: noTransport,
    webhookAllow: [],
    callOut: async () => {
      throw new Error('Nothing leaves from here.')
    },
    identify: () => null,
    log,
    publicUrl: 'https://entrepot.test',
  }
  const close = async () => {
    await database.close()
    await drop()
  }
  return { context, database, url, close }
}
