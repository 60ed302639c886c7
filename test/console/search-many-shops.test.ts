import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxOfKind, search } from '../../src/domain/across/search.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { destroyKey } from '../../src/runtime/db/vault/vault.ts'
import { createTestContext, type TestContext } from '../support/context.ts'
import { makeIntegration } from '../support/gateway.ts'
import { makeApp } from '../support/identity.ts'
import { orderInput } from '../support/orders.ts'

/** People who bought in an app of more shops than are looked into at first, each of which hashes their names with a key of its own. */

let it: TestContext
let shops: Integration[]
let appId: number

const buy = async (shop: Integration | undefined, customer: Record<string, string>, number: string) => {
  if (!shop) throw new Error('There is no such shop.')
  return await createOrder(it.context, shop, orderInput({ number, customer }))
}

beforeAll(async () => {
  it = await createTestContext('nobody')
  appId = await makeApp(it.context)
  shops = []
  for (let n = 0; n < 70; n++) shops.push((await makeIntegration(it.context, { appId })).integration)
  for (const shop of shops) await buy(shop, { first_name: 'Anna', last_name: 'Weber' }, `A${shop.id}`)
})
afterAll(() => it.close())

const found = async (q: string) =>
  (await search(it.context, appId, { q, may: { orders: true, shops: true } })).orders.map((order) => [
    order.number,
    order.found_by,
  ])

test('somebody is found in the first shop and in the last, and by every word of the name', async () => {
  await buy(shops[0], { first_name: 'Zoë', last_name: 'O’Hara-Łuk', email: 'Zoe@Example.com' }, 'Z1')
  await buy(shops[69], { first_name: 'Zoe', last_name: 'Ohara', email: 'zoe@example.com' }, 'Z2')
  expect(await found('zoe@example.com')).toEqual([
    ['Z1', 'email'],
    ['Z2', 'email'],
  ])
  expect((await found('Zoe')).map(([number]) => number)).toEqual(['Z1', 'Z2'])
  expect(await found('łuk zoë')).toEqual([['Z1', 'name']])
  expect(await found('Zoe Weber')).toEqual([])
  // A word that is no letter of ours, and one that is longer than a block of the hash.
  await buy(shops[65], { first_name: '美咲', last_name: 'A'.repeat(60) }, 'Z3')
  expect(await found('美咲')).toEqual([['Z3', 'name']])
  expect(await found('a'.repeat(60))).toEqual([['Z3', 'name']])
})

test('of a name that many have there are so many, the newest of a shop first', async () => {
  expect(await found('weber anna')).toHaveLength(maxOfKind)
  for (let n = 0; n < 12; n++) await buy(shops[60], { first_name: 'Ida', last_name: 'Often' }, `I${n}`)
  expect((await found('Ida Often')).map(([number]) => number)).toEqual(
    Array.from({ length: maxOfKind }, (_, n) => `I${11 - n}`),
  )
})

test('neither what is deleted nor anybody of a shop whose key is gone is found', async () => {
  const gone = await buy(shops[3], { email: 'gone@example.com' }, 'G1')
  await buy(shops[66], { email: 'gone@example.com' }, 'G2')
  await buy(shops[67], { email: 'gone@example.com' }, 'G3')
  await sql`update orders set deleted_at = now() where integration_id = ${gone.integration_id} and id = ${gone.id}`.execute(
    it.context.db,
  )
  expect((await found('gone@example.com')).map(([number]) => number).sort()).toEqual(['G2', 'G3'])
  await it.context.transaction((trx) => destroyKey(trx, shops[66]?.id ?? 0))
  expect((await found('gone@example.com')).map(([number]) => number)).toEqual(['G3'])
  // Its orders are still found by their numbers, as what is left of them may be.
  expect((await found('G2')).map(([number]) => number)).toEqual(['G2'])
})
