import { openDatabase } from '../../../src/runtime/db/connection.ts'
import { createLog } from '../../../src/runtime/log.ts'

export interface VirtualClock {
  /** Sets the time of the database, for everybody who connects from now on or is connected already. */
  set(at: Date): Promise<void>
  /** Columns that are filled with the present are filled with this one as well. */
  setDefaults(): Promise<void>
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
    setDefaults: async () =>
      void (await database.query(`do $$ declare one record; begin
        for one in select table_schema s, table_name t, column_name c from information_schema.columns
          where column_default in ('now()', 'pg_catalog.now()') and table_schema = 'public'
        loop execute format('alter table %I.%I alter column %I set default virtual.now()', one.s, one.t, one.c); end loop;
        end $$`)),
    close: () => database.close(),
  }
}
