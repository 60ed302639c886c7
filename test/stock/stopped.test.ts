import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Connector } from '../../src/commerce/connector.ts'
import type { Context } from '../../src/domain/context.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { matchArticles } from '../../src/domain/stock/articles/link-articles.ts'
import { leavePool, switchPool } from '../../src/domain/stock/manage-pool.ts'
import { tellShop } from '../../src/domain/stock/telling/tell-shop.ts'
import { createTestContext, type TestContext } from '../support/context.ts'
import { addShop, count, makePool } from '../support/stock-pool.ts'

/** A shop that is told many levels, of which some are on their way when somebody says that it is to be told no more. */
let it: TestContext
let world: Awaited<ReturnType<typeof makePool>>
let shop: Integration
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())

const skus = Array.from({ length: 60 }, (_, n) => `CUP-${n}`)
const levels = (quantity: number) => Object.fromEntries(skus.map((sku) => [sku, quantity]))

beforeEach(async () => {
  world = await makePool(it.context)
  shop = await addShop(it.context, world, levels(40))
  await matchArticles(it.context, world.pool, { create: true, dry: false })
  await count(it.context, world.pool, levels(90))
  await sql`update stock_links set due_at = now() - interval '1 second' where integration_id = ${shop.id}`.execute(
    it.context.db,
  )
})

/** How many levels each request sends, where something happens during the first. */
async function sentWhen(happens: () => Promise<unknown>): Promise<number[]> {
  const sent: number[] = []
  const watched = (connector: Connector): Connector => {
    const { inventory } = connector
    if (!inventory?.set) return connector
    const { set } = inventory
    const send: typeof set.send = async (at, items, operation) => {
      sent.push(items.length)
      if (sent.length === 1) await happens()
      return await set.send(at, items, operation)
    }
    return { ...connector, inventory: { ...inventory, set: { ...set, send } as typeof set } }
  }
  const connectors = new Map([...it.context.connectors].map(([type, one]) => [type, watched(one)]))
  const context: Context = { ...it.context, connectors }
  await tellShop(context, shop.id, new AbortController().signal)
  return sent
}

test('it is told all there is, request after request', async () => {
  expect(await sentWhen(async () => undefined)).toEqual([25, 25, 10])
})

test('once the stock is switched off, no other request goes out', async () => {
  expect(await sentWhen(() => switchPool(it.context, world.tenant, { mode: 'off' }))).toEqual([25])
})

test('once the shop is paused, no other request goes out', async () => {
  const pause = () => sql`update integrations set status = 'INACTIVE' where id = ${shop.id}`.execute(it.context.db)
  expect(await sentWhen(pause)).toEqual([25])
})

test('once the shop has left the stock, no other request goes out', async () => {
  expect(await sentWhen(() => leavePool(it.context, world.pool, shop.id))).toEqual([25])
})
