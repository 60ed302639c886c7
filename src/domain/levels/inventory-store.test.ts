import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { followLevels, removeVanishedLevels, upsertLevels, upsertSyncedLevels } from './inventory-store.ts'

let it: TestContext
let id: number
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())
beforeEach(async () => {
  id = (await makeIntegration(it.context, { appId: null })).integration.id
})

const level = (quantity: number, version: string | null, more: object = {}) => ({
  ...{ sku: 'A', location: '', quantity, remote_id: 'a', remote_version: version },
  ...more,
})
const reported = (...levels: ReturnType<typeof level>[]) =>
  it.context.transaction((trx) => upsertSyncedLevels(trx, id, levels))
const set = (quantity: number) => it.context.transaction((trx) => upsertLevels(trx, id, [{ sku: 'A', quantity }]))
const held = async (integrationId = id) =>
  (
    await it.database.query<{ sku: string; quantity: number }>(
      'select sku, quantity from inventory where integration_id = $1 and deleted_at is null order by sku',
      [integrationId],
    )
  ).map(({ sku, quantity }) => [sku, quantity])

test('an older level that comes late does not undo a newer one', async () => {
  expect(await reported(level(5, '2026-10-02'))).toEqual({ inserted: 1, updated: 0 })
  expect(await reported(level(9, '2026-10-01'))).toEqual({ inserted: 0, updated: 0 })
  expect(await held()).toEqual([['A', 5]])
  expect(await reported(level(4, '2026-10-03'))).toEqual({ inserted: 0, updated: 1 })
  expect(await held()).toEqual([['A', 4]])
})

test('without versions what comes later counts, and what says the same is not written', async () => {
  await reported(level(5, null))
  expect(await reported(level(5, null))).toEqual({ inserted: 0, updated: 0 })
  // Nor locked, which would be written into the row as well.
  const locks = await it.database.query('select xmax::text as by from inventory where integration_id = $1', [id])
  expect(locks).toEqual([{ by: '0' }])
  expect(await reported(level(6, null))).toEqual({ inserted: 0, updated: 1 })
  expect(await reported(level(7, '2026-10-01'))).toEqual({ inserted: 0, updated: 1 })
  expect(await held()).toEqual([['A', 7]])
})

test('what had vanished is back when the shop tells it, or when it is set here', async () => {
  const vanish = () =>
    it.context.transaction((trx) => removeVanishedLevels(trx, id, [{ sku: 'A', location: '', remote_id: 'a' }]))
  await reported(level(5, null))
  expect([await vanish(), await vanish(), await held()]).toEqual([1, 0, []])
  await reported(level(5, null))
  expect(await held()).toEqual([['A', 5]])
  await vanish()
  expect([...(await set(5))]).toHaveLength(1)
  expect(await held()).toEqual([['A', 5]])
  expect([...(await set(5))]).toHaveLength(0)
})

test('the same article in another shop is another one', async () => {
  const { integration: other } = await makeIntegration(it.context, { appId: null })
  await reported(level(5, '2'))
  await it.context.transaction((trx) => upsertSyncedLevels(trx, other.id, [level(8, '1')]))
  await it.context.transaction((trx) =>
    removeVanishedLevels(trx, other.id, [{ sku: 'A', location: '', remote_id: 'a' }]),
  )
  expect([await held(), await held(other.id)]).toEqual([[['A', 5]], []])
})

test('levels follow what an article or a change of ours tells, where only one can be meant', async () => {
  await reported(
    level(5, '2026-10-02'),
    level(1, null, { sku: 'B', location: 'x' }),
    level(2, null, { sku: 'B', location: 'y' }),
  )
  const told = (sku: string, quantity: number, remoteId: string | null = null, location?: string) =>
    it.context.transaction((trx) => followLevels(trx, id, [{ sku, quantity, remoteId, location }]))
  await told('A', 50)
  await told('A', 99, 'another article with the same number')
  await told('B', 99)
  await told('UNKNOWN', 99)
  await told('B', 7, null, 'y')
  expect(await held()).toEqual([
    ['A', 50],
    ['B', 1],
    ['B', 7],
  ])
})

test('a level follows what was set by the id of its variant, if that is one article at one place', async () => {
  const [other, twice] = [
    { sku: 'B', remote_id: 'b' },
    { sku: 'C', remote_id: 'c' },
  ]
  await reported(level(1, null), level(2, null, other))
  await reported(level(3, null, { ...twice, location: 'x' }), level(4, null, { ...twice, location: 'y' }))
  const set = (remoteId: string, quantity: number) =>
    it.context.transaction((trx) => followLevels(trx, id, [{ sku: null, quantity, remoteId, location: null }]))
  for (const remoteId of ['b', 'c', 'unknown']) await set(remoteId, 50)
  expect(await held()).toEqual([
    ['A', 1],
    ['B', 50],
    ['C', 3],
    ['C', 4],
  ])
})

describe('articles that share a SKU at one place', () => {
  const twin = { remote_id: 'b' }

  test('have a level each, which goes and comes by itself', async () => {
    expect(await reported(level(5, null), level(9, null, twin))).toEqual({ inserted: 2, updated: 0 })
    expect(await reported(level(5, null), level(8, null, twin))).toEqual({ inserted: 0, updated: 1 })
    expect(await held()).toEqual([
      ['A', 5],
      ['A', 8],
    ])
    await it.context.transaction((trx) => removeVanishedLevels(trx, id, [{ sku: 'A', location: '', remote_id: 'b' }]))
    expect(await held()).toEqual([['A', 5]])
  })

  test('follow what is told of each of them, and nothing that is told of their SKU alone', async () => {
    await reported(level(5, null), level(9, null, twin))
    const told = (...all: { quantity: number; remoteId: string | null }[]) =>
      it.context.transaction((trx) =>
        followLevels(
          trx,
          id,
          all.map((one) => ({ sku: 'A', ...one })),
        ),
      )
    await told({ quantity: 1, remoteId: 'a' }, { quantity: 2, remoteId: 'b' })
    await told({ quantity: 99, remoteId: null })
    expect([...(await set(77))]).toEqual([])
    expect(await held()).toEqual([
      ['A', 1],
      ['A', 2],
    ])
  })
})

test('a level that was set here is the shop’s own once the shop tells of it', async () => {
  await set(3)
  await reported(level(5, null))
  expect(await held()).toEqual([['A', 5]])
  expect([...(await set(4))]).toHaveLength(1)
  expect(await held()).toEqual([['A', 4]])
})
