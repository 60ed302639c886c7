import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { putOrder, type ScriptedShop, scriptedShop } from '../../../test/support/order-shop.ts'
import type { RegisteredWebhook } from '../../commerce/connector/webhooks.ts'
import type { Connector } from '../../commerce/connector.ts'
import { refused } from '../../commerce/remote.ts'
import { toTimestamp } from '../../lib/timestamp.ts'
import type { Context } from '../context.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { markArrived } from '../integrations/messages-store.ts'
import { noteRefused } from '../shop-webhooks/refused-messages.ts'
import { keepWebhooks } from '../shop-webhooks/register-webhooks.ts'
import { takeDueShops } from '../shop-webhooks/shop-webhooks-store.ts'
import { syncNow } from '../sync/sync-now.ts'
import { dispatchReads } from './dispatch-reads.ts'
import { noticeDowntime } from './notice-downtime.ts'

let tested: TestContext
let shop: ScriptedShop
let context: Context
let id: number
/** What the shop has registered, and whether it takes more. */
let held: RegisteredWebhook[]
let refuses: boolean
const running = { attempt: 1, signal: new AbortController().signal }

beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

function telling(connector: Connector, sandbox: Connector | undefined): Connector {
  if (!sandbox?.webhooks) throw new Error('There is no sandbox.')
  return {
    ...connector,
    webhooks: {
      ...sandbox.webhooks,
      topics: { 'order.created': ['made'], 'order.updated': ['changed'] },
      registration: {
        kind: 'api',
        list: async () => [...held],
        register: async (_, { url, topics }) => {
          if (refuses) throw refused('The shop cannot reach this address.')
          for (const topic of topics) {
            if (!held.some((one) => one.topic === topic)) held.push({ remoteId: topic, topic, url, active: true })
          }
          return held
        },
        remove: async (_, remoteId) => void held.splice(0, held.length, ...held.filter((h) => h.remoteId !== remoteId)),
      },
    },
  }
}

beforeEach(async () => {
  shop = scriptedShop(3)
  held = []
  refuses = false
  const connector = telling(shop.connector, tested.context.connectors.get('sandbox'))
  context = { ...tested.context, record: async () => undefined, connectors: new Map([['sandbox', connector]]) }
  await tested.database.query(`update integrations set next_read_at = now() + interval '1 hour'`)
  const { integration } = await makeIntegration(context, { appId: null })
  id = integration.id
})

const change = (columns: string) => tested.database.query(`update integrations set ${columns} where id = $1`, [id])
const integration = () => readIntegration(context.db, id)
const read = async () => await syncNow(context, await integration(), 'sync_orders')
const state = async () => (await integration()).messages
const minutesAgo = (n: number) => toTimestamp(new Date(Date.now() - n * 60_000))
const isDue = async () =>
  (await integration()).next_read_at !== null && Date.parse((await integration()).next_read_at ?? '') <= Date.now()
const told = (key: string) =>
  tested.database.query(
    `insert into shop_messages (integration_id, delivery_id, topic, kind, remote_id, body, processed_at)
    values ($1, $2, 'order.created', 'order', $2, '{}', now())`,
    [id, key],
  )
const events = async () =>
  (
    await tested.database.query<{ event: string }>(
      `select event from integration_logs where integration_id = $1 and event like 'webhooks.%' order by id`,
      [id],
    )
  ).map(({ event }) => event)

/** Registered an hour ago, read once, and nothing is due. */
async function registered(): Promise<void> {
  await keepWebhooks(context, id)
  await read()
  await change(`messages_since = now() - interval '1 hour'`)
  await takeDueShops(context.db, 1000)
}

describe('orders that are found by asking', () => {
  test('although no message told of them show that none arrive, and the webhooks are checked at once', async () => {
    await registered()
    expect(await state()).toBe('arriving')
    putOrder(shop, { id: 'silent', updated: minutesAgo(10), placed: minutesAgo(10) })
    expect((await read()).result).toMatchObject({ inserted: 1, unreported: 1 })
    expect(await state()).toBe('not_arriving')
    expect(await events()).toEqual(['webhooks.registered', 'webhooks.silent'])
    expect(await takeDueShops(context.db, 1000)).toContain(id)
  })

  test('show that the shop has to be asked often from now on, unless its owner has chosen when', async () => {
    const minutesLeft = async () => (Date.parse((await integration()).next_read_at ?? '') - Date.now()) / 60_000
    for (const [chosen, expected] of [
      ['null', 5],
      ['50', 40],
    ] as const) {
      await registered()
      await change(
        `next_read_at = now() + interval '40 minutes', messages = 'arriving', read_every_minutes = ${chosen}`,
      )
      putOrder(shop, { id: `silent ${chosen}`, updated: minutesAgo(10), placed: minutesAgo(10) })
      await read()
      expect(await state()).toBe('not_arriving')
      expect(Math.round(await minutesLeft())).toBe(expected)
    }
  })

  test('while others were told show that messages are late, until a read finds no more of the kind', async () => {
    await registered()
    putOrder(shop, { id: 'told', updated: minutesAgo(10), placed: minutesAgo(10) })
    putOrder(shop, { id: 'silent', updated: minutesAgo(9), placed: minutesAgo(9) })
    await told('told')
    expect((await read()).result).toMatchObject({ inserted: 2, unreported: 1 })
    expect(await state()).toBe('late')
    await read()
    expect(await state()).toBe('arriving')
  })

  test('that are so new that their message may be under way have the shop asked again soon', async () => {
    await registered()
    await change(`next_read_at = now() + interval '40 minutes'`)
    putOrder(shop, { id: 'new', updated: minutesAgo(1), placed: minutesAgo(1) })
    await read()
    expect(await state()).toBe('arriving')
    const minutes = (Date.parse((await integration()).next_read_at ?? '') - Date.now()) / 60_000
    // Not before some of what comes meanwhile is old enough to tell.
    expect([minutes > 5, minutes <= 7]).toEqual([true, true])
  })

  test('while they were new show later that none arrive, however often the shop is asked', async () => {
    await registered()
    putOrder(shop, { id: 'new', updated: minutesAgo(1), placed: minutesAgo(1) })
    await read()
    await read()
    expect(await state()).toBe('arriving')
    await tested.database.query(
      `update orders set created_at = now() - interval '6 minutes', placed_at = now() - interval '7 minutes' where remote_id = 'new'`,
    )
    await tested.database.query(`update shop_webhooks set checked_at = now() - interval '1 hour'`)
    await read()
    expect(await state()).toBe('not_arriving')
    expect(await takeDueShops(context.db, 1000)).toContain(id)
    // Its webhooks have been looked at since.
    await keepWebhooks(context, id)
    await read()
    expect(await takeDueShops(context.db, 1000)).not.toContain(id)
  })

  test('and as new do not show that late messages arrive again', async () => {
    await registered()
    await change(`messages = 'late'`)
    putOrder(shop, { id: 'new', updated: minutesAgo(1), placed: minutesAgo(1) })
    await read()
    expect(await state()).toBe('late')
    await told('new')
    await read()
    expect(await state()).toBe('arriving')
  })

  test('say nothing while they are so new that the message may be under way, or older than the webhooks', async () => {
    await registered()
    putOrder(shop, { id: 'new', updated: minutesAgo(1), placed: minutesAgo(1) })
    putOrder(shop, { id: 'old', updated: minutesAgo(90), placed: minutesAgo(90) })
    await read()
    expect(await state()).toBe('arriving')
  })
})

describe('webhooks that the shop has switched off', () => {
  test('are made again, and the shop is read for what they did not report', async () => {
    await registered()
    held.splice(0, 1)
    await keepWebhooks(context, id)
    expect(held).toHaveLength(2)
    expect([await state(), await isDue()]).toEqual(['late', true])
    await dispatchReads.run(context, {}, running)
    const runs = await tested.database.query<{ resource: string }>(
      'select resource from runs where integration_id = $1 and automatic',
      [id],
    )
    expect(runs.map(({ resource }) => resource)).toContain('sync_orders')
  })

  test('that cannot be made leave the shop asked every few minutes, as the log says', async () => {
    refuses = true
    await keepWebhooks(context, id)
    expect(await integration()).toMatchObject({ messages: 'not_arriving', messages_since: expect.any(String) })
    await change(`next_read_at = now()`)
    await dispatchReads.run(context, {}, running)
    const { next_read_at: next } = await integration()
    expect(Date.parse(next ?? '') - Date.now()).toBeLessThanOrEqual(5 * 60_000)
    refuses = false
    await keepWebhooks(context, id)
    expect(await state()).toBe('arriving')
  })
})

test('a message where none came says that they may come again; where nobody expected any, that they do', async () => {
  await change(`messages = 'not_arriving', messages_since = now()`)
  await markArrived(context.db, id, 'not_arriving')
  expect(await state()).toBe('late')
  await change(`messages = 'none'`)
  await markArrived(context.db, id, 'none')
  expect(await state()).toBe('arriving')
})

test('a shop whose message could not be kept is asked, and its webhooks are looked at, after a moment without database', async () => {
  await registered()
  await noticeDowntime(context)
  noteRefused(context.db, id)
  expect(await noticeDowntime(context)).toBe(1)
  expect(await state()).toBe('late')
  expect(Date.parse((await integration()).next_read_at ?? '') - Date.now()).toBeLessThanOrEqual(1000)
  expect(await takeDueShops(context.db, 1000)).toContain(id)
  // Once.
  expect(await noticeDowntime(context)).toBe(0)
})

test('after a time in which nobody was there, every shop that sends messages is asked, and looked at', async () => {
  await registered()
  const { integration: quiet } = await makeIntegration(context, { appId: null })
  await noticeDowntime(context)
  expect(await noticeDowntime(context)).toBe(0)
  await tested.database.query(`update heartbeats set at = now() - interval '1 minute'`)
  expect(await noticeDowntime(context)).toBeGreaterThan(0)
  const { messages, messages_since: since, next_read_at: next } = await integration()
  expect(messages).toBe('late')
  expect(Date.now() - Date.parse(since ?? '')).toBeGreaterThanOrEqual(59_000)
  expect(Date.parse(next ?? '') - Date.now()).toBeLessThanOrEqual(120_000)
  expect((await readIntegration(context.db, quiet.id)).messages).toBe('none')
  await read()
  expect(await state()).toBe('arriving')
})

test('a time in which nobody was there is made up for, although whoever began with it did not get through', async () => {
  await registered()
  await noticeDowntime(context)
  await tested.database.query(`update heartbeats set at = now() - interval '1 minute'`)
  await tested.database.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'Not now.'; end $$`,
  )
  await tested.database.query(
    `create trigger refuse before update on integrations for each row execute function refuse()`,
  )
  await expect(noticeDowntime(context)).rejects.toThrow('Not now.')
  await tested.database.query('drop function refuse cascade')
  const together = await Promise.all([noticeDowntime(context), noticeDowntime(context)])
  // By one of them.
  expect(together.toSorted()).toEqual([0, expect.any(Number)])
  expect(Math.max(...together)).toBeGreaterThan(0)
  expect(await state()).toBe('late')
  expect(await noticeDowntime(context)).toBe(0)
})
