import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { earlier } from '../../../test/support/earlier.ts'
import { faultOf } from '../../../test/support/identity.ts'
import { connectShops, scriptedPlatform } from '../../../test/support/scripted-shop.ts'
import type { Orders } from '../../commerce/connector/parts.ts'
import type { Connector } from '../../commerce/connector.ts'
import type { OrderDraft } from '../../commerce/order.ts'
import { shopAway } from '../../commerce/remote.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { performStep } from './perform-step.ts'
import { startStep } from './start-step.ts'

let tested: TestContext
let context: Context
let integration: Integration
/** The references of the orders that the shop has made, in order. */
let made: string[]
/** What becomes of the next order: made, made without an answer, or lost on the way there. */
let weather: 'calm' | 'answer lost' | 'order lost'

const shows = (reference: string) => ({ remote_id: reference, refunds: [] }) as never

/** Makes every order it is sent, also twice, and finds it by the reference. */
const orders: Orders<AnyFields, AnyFields> = {
  list: async () => ({ items: [], next: null, total: 0 }),
  get: async () => null,
  statuses: async () => [],
  translate: () => shows(''),
  create: {
    repeatable: false,
    async send({ remote }, { reference }: OrderDraft) {
      await remote.request({ method: 'POST', path: '/orders', body: { reference } })
      return shows(reference ?? '')
    },
    confirm: async (_shop, { reference }: OrderDraft) =>
      made.includes(reference ?? '') ? shows(reference ?? '') : null,
  },
}

beforeAll(async () => {
  tested = await createTestContext()
  const platform = scriptedPlatform()
  const connector: Connector = { ...platform.connector, orders }
  context = {
    ...tested.context,
    connectors: new Map([[connector.type, connector]]),
    async transport({ request }) {
      const { reference } = request.body as { reference: string }
      if (weather !== 'order lost') made.push(reference)
      if (weather !== 'calm') throw shopAway()
      return { status: 200, headers: {}, body: {} }
    },
  }
  const [connected] = await connectShops(context, platform, { count: 1, endsInSeconds: null })
  if (!connected) throw new Error('There is no shop.')
  integration = connected
})
afterAll(() => tested.close())
beforeEach(() => {
  made = []
  weather = 'calm'
})

const draft = { currency: 'EUR', lines: [{ sku: 'LAMP', quantity: 1 }] }
const begin = async () => {
  const step = { action: 'create_order', fields: draft }
  const run = await context.transaction((trx) => startStep(context, trx, integration, step))
  return { integrationId: integration.id, runId: run.id }
}
type Place = Awaited<ReturnType<typeof begin>>

const perform = (place: Place, attempt = 1) =>
  performStep.run(context, place, { attempt, signal: new AbortController().signal })
const runOf = ({ runId }: Place) =>
  context.db.selectFrom('runs').selectAll().where('id', '=', runId).executeTakeFirstOrThrow()
/** Later, when the shop can be done with what it was sent and a dead worker holds nothing. */
const later = () =>
  sql`update operations set sent_at = ${sql.raw(earlier('sent_at', 60))}, lease_until = null`.execute(context.db)
/** As a worker leaves it that dies after the change and before it could say so. */
const forgetEnd = ({ runId }: Place) =>
  sql`update runs set status = 'running', result = null, finished_at = null where id = ${runId}`.execute(context.db)

test('a worker that dies after the change was made leaves a run that completes, and no second order', async () => {
  const place = await begin()
  await perform(place)
  await forgetEnd(place)
  await perform(place)
  expect([made.length, (await runOf(place)).status]).toEqual([1, 'completed'])
})

test('one that dies while it waits for the answer: the order is found, and not made again', async () => {
  const place = await begin()
  await perform(place)
  await forgetEnd(place)
  await sql`update operations set status = 'sent', result = null, settled_at = null, holder = 'a dead one'`.execute(
    context.db,
  )
  await later()
  await perform(place)
  expect([made.length, (await runOf(place)).status]).toEqual([1, 'completed'])
})

test('an answer that was lost is no failure: the shop is asked, and then it is known', async () => {
  const place = await begin()
  weather = 'answer lost'
  expect((await faultOf(perform(place))).kind).toBe('upstream_retryable')
  expect((await runOf(place)).status).toBe('running')
  weather = 'calm'
  await later()
  await perform(place, 2)
  expect([made.length, (await runOf(place)).status]).toEqual([1, 'completed'])
})

test('what never arrived is sent again, once it is certain that it did not', async () => {
  const place = await begin()
  weather = 'order lost'
  await faultOf(perform(place))
  weather = 'calm'
  expect((await faultOf(perform(place, 2))).kind).toBe('upstream_retryable')
  expect(made).toEqual([])
  await later()
  await perform(place, 3)
  expect([made.length, (await runOf(place)).status]).toEqual([1, 'completed'])
})

test('nobody asks for ever', async () => {
  const place = await begin()
  weather = 'order lost'
  await perform(place, performStep.retry.attempts)
  expect(await runOf(place)).toMatchObject({ status: 'failed', error: expect.any(String) })
})

test('the next run of the same schedule is a change of its own', async () => {
  await perform(await begin())
  await perform(await begin())
  expect(new Set(made).size).toBe(2)
})
