import { openDatabase } from '../../../src/runtime/db/connection.ts'
import { createLog } from '../../../src/runtime/log.ts'

export interface VirtualClock {
  /** Sets the time of the database, for everybody who connects from now on or is connected already. */
  set(at: Date): Promise<void>
  close(): Promise<void>
}

/**
 * Puts a `now()` of our own before that of PostgreSQL: the program asks the database for the time and nobody else, so
 * that days pass in moments and nothing of it is replaced. For those who connect after this.
 */
export async function installClock(url: string): Promise<VirtualClock> {
  const database = openDatabase({ url, log: createLog('silent'), max: 1, applicationName: 'clock' })
  const name = new URL(url).pathname.slice(1)
  for (const statement of [
    'create schema virtual',
    'create table virtual.clock (at timestamptz not null)',
    'insert into virtual.clock values (pg_catalog.now())',
    `create function virtual.now() returns timestamptz language sql stable as 'select at from virtual.clock'`,
    `alter database "${name}" set search_path = virtual, public, pg_catalog`,
  ])
    await database.query(statement)
  return {
    set: async (at) => void (await database.query('update virtual.clock set at = $1', [at.toISOString()])),
    close: () => database.close(),
  }
}
