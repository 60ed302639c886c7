import { type Database, openDatabase } from '../../src/runtime/db/connection.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createTestDatabase } from './database.ts'
import { patience } from './patience.ts'

export interface OpenTestDatabase extends Database {
  url: string
}

/** One of one's own with connections to it, and no more of the program; gone when it is closed. */
export async function openTestDatabase(): Promise<OpenTestDatabase> {
  const { url, drop } = await createTestDatabase()
  const database = openDatabase({ url, log: createLog('warn'), ...patience })
  return {
    ...database,
    url,
    async close() {
      await database.close()
      await drop()
    },
  }
}
