import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { watchStatements } from '../../../../test/support/watch-statements.ts'
import { createLog } from '../../log.ts'
import { type Database, openDatabase } from '../connection.ts'
import { askInTurn, migrate } from '../migrate.ts'
import { migrationsFolder } from '../migration-files.ts'
import { guardStatement } from './commit-guard.ts'
import { dataPlane } from './data-plane.ts'
import { distribute, isDistributed, readDistribution } from './distribute.ts'
import { nodesOf } from './nodes.ts'

const log = createLog('silent')
const onCitus = inject('onCitus')

let made: TestDatabase
let database: Database

async function open(database_: Promise<TestDatabase>): Promise<void> {
  made = await database_
  database = openDatabase({ url: made.url, log })
}

afterEach(async () => {
  await database.close()
  await made.drop()
})

describe.runIf(!onCitus)('one PostgreSQL', () => {
  beforeEach(() => open(createTestDatabase()))

  test('is one node, of which nothing is distributed', async () => {
    expect(await askInTurn(made.url, readDistribution)).toEqual({
      citus: false,
      distributed: false,
      steps: [],
      astray: [],
    })
    expect(await askInTurn(made.url, distribute)).toEqual([])
    expect(await nodesOf(database.db)).toEqual(['all'])
  })
})

describe.runIf(onCitus)('a database that was in use', () => {
  beforeEach(() => open(createEmptyDatabase()))

  test('is distributed with its rows, once, and leaves none of them hidden where they were', async () => {
    await migrate({ url: made.url, log })
    await database.query(
      'insert into integration_state (integration_id, app_id) select n, 1 from generate_series(1, 20) n',
    )
    await database.query(
      'insert into row_counters (integration_id, kind, bucket, n) select n, $1, 0, n from generate_series(1, 20) n',
      ['orders'],
    )
    const { steps } = await askInTurn(made.url, readDistribution)
    expect(await askInTurn(made.url, distribute)).toEqual(steps)
    expect(steps).toHaveLength(1 + dataPlane.length + 2)
    expect(await askInTurn(made.url, distribute)).toEqual([])
    expect(await database.query('select sum(n)::int as n from row_counters')).toEqual([{ n: 210 }])
    expect(await database.query(`select pg_relation_size('row_counters')::int as size`)).toEqual([{ size: 0 }])
  })
})

describe.runIf(onCitus)('a distributed database', () => {
  beforeEach(() => open(createTestDatabase()))

  test('lies on its nodes', async () => {
    expect(await askInTurn(made.url, isDistributed)).toBe(true)
    expect((await nodesOf(database.db)).every(Number.isInteger)).toBe(true)
  })

  test('gets what a migration has left local, without being asked', async () => {
    await database.query(`select undistribute_table('order_history')`)
    expect((await askInTurn(made.url, readDistribution)).steps).toHaveLength(1)
    await migrate({ url: made.url, log })
    expect((await askInTurn(made.url, readDistribution)).steps).toEqual([])
  })

  test('is migrated: columns, indexes, rows and functions, in one file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'entrepot-migrations-'))
    await cp(migrationsFolder, folder, { recursive: true })
    await writeFile(
      join(folder, '9999_next.sql'),
      `alter table orders add column colour text not null default 'none';
       create index orders_colour on orders (integration_id, colour);
       update orders set colour = 'red' where status = 'SHIPPED';
       create function nothing() returns void language plpgsql as $$ begin perform 1; end $$;
       alter table orders add constraint orders_colour check (colour <> '');`,
    )
    expect(await migrate({ url: made.url, log, folder })).toEqual(['9999_next'])
    await rm(folder, { recursive: true })
  })

  test('commits in two phases where both planes were written, and only there', async () => {
    const watch = watchStatements()
    const data = () => sql`delete from integration_state where integration_id = 1`
    const control = () => sql`delete from companies where id = -1`
    const committed = async (...parts: (typeof data)[]) => {
      const { statements } = await watch.during(() =>
        database.transaction(async (trx) => {
          for (const part of parts) await part().execute(trx)
        }),
      )
      return statements.slice(-2)
    }
    expect(await committed(data, control)).toEqual([guardStatement, 'commit'])
    expect(await committed(control, data)).toEqual([guardStatement, 'commit'])
    expect(await committed(data)).not.toContain(guardStatement)
    expect(await committed(control)).not.toContain(guardStatement)
    watch.stop()
  })
})
