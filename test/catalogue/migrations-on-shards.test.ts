import { expect, test } from 'vitest'
import { readMigrations } from '../../src/runtime/db/migration-files.ts'
import { lastBeforeShards } from '../support/given-cluster.ts'
import { migrationRefusals } from '../support/migration-refusals.ts'

const migrations = await readMigrations()
const refusedIn = (names: (name: string) => boolean) =>
  migrations
    .filter(({ name }) => names(name.slice(0, 4)))
    .flatMap(({ name, statements }) => statements.flatMap(migrationRefusals).map((why) => `${name}: ${why}`))

test('every migration can be applied to a database that is distributed', () => {
  expect(refusedIn((number) => number > lastBeforeShards)).toEqual([])
})

test('those from before there were shards apply before anything is distributed, and some of them only then', () => {
  expect(refusedIn((number) => number <= lastBeforeShards)).toEqual(
    expect.arrayContaining([
      '0011_inbound: ADD COLUMN involving serial pseudotypes',
      '0013_estimates: ADD COLUMN with a constraint',
      '0016_parcels_and_held: ADD CONSTRAINT with other subcommands',
      '0054_sealed_messages: how a column is stored',
    ]),
  )
})

test('a table of the control plane may be changed in any way', () => {
  expect(migrationRefusals('alter table schedules add column a bigserial, add constraint b check (a > 0)')).toEqual([])
})

test.each([
  ['alter table orders add colour text not null default $$none$$'],
  ['alter table orders drop column colour, alter column total set not null'],
  ['alter table orders add constraint colours check (colour in (1, 2)) not valid'],
  ['update orders set colour = 1 where status = 2'],
])('is taken: %s', (statement) => {
  expect(migrationRefusals(statement)).toEqual([])
})
