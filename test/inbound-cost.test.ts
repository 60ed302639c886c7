import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSubscription } from '../src/domain/webhooks/create-subscription.ts'
import { guardStatement } from '../src/runtime/db/citus/commit-guard.ts'
import { createTestContext, type TestContext } from './support/context.ts'
import { shopOrder, type TellingShop, tellingShop } from './support/telling-shop.ts'
import { watchStatements } from './support/watch-statements.ts'

/** What one message costs the database, from the shop's word to the stored order and the queued webhook. */

let watch: ReturnType<typeof watchStatements>
let tested: TestContext
let shop: TellingShop

beforeAll(async () => {
  watch = watchStatements()
  tested = await createTestContext()
  shop = await tellingShop({ ...tested.context, webhookAllow: ['127.0.0.1'] })
  const owner = { appId: shop.integration.app_id ?? 0, integrationId: null }
  await createSubscription(shop.context, owner, { url: 'http://127.0.0.1:9/', events: ['*'] })
  // So that keys and whatever is remembered are there.
  await shop.tell(shopOrder('0', 1))
  await shop.work()
})
afterAll(async () => {
  watch.stop()
  await tested.close()
})

const isWrite = (text: string) => /^\s*(insert|update|delete)\b/.test(text)

test.each([
  ['a new order', shopOrder('1', 1), 18],
  ['an order that has changed', shopOrder('0', 5, { status: 'shipped' }), 17],
] as const)('%s is one write to take the message in, one to begin, and one transaction', async (_, order, most) => {
  const told = await watch.during(() => shop.tell(order))
  expect(told.statements.filter(isWrite)).toHaveLength(1)
  const { statements: sent } = await watch.during(() => shop.work())
  // What shops hold and what is told of it lie apart on Citus, and are committed in two phases.
  const statements = sent.filter((text) => text !== guardStatement)
  expect(sent.length - statements.length).toBe(inject('onCitus') ? 1 : 0)
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(most)
  const [begin, end] = [statements.indexOf('begin'), statements.indexOf('commit')]
  expect([begin, end]).toEqual([statements.lastIndexOf('begin'), statements.length - 1])
  expect(statements.slice(0, begin).filter(isWrite)).toHaveLength(1)
  expect(statements.some((text) => text.includes('insert into webhook_deliveries'))).toBe(true)
})
