import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { inMemory } from '../../../test/support/imitation.ts'
import { nextNumber } from '../../../test/support/numbers.ts'
import type { Transport } from '../../commerce/remote.ts'
import { openSimulator } from '../../simulator/simulator.ts'
import type { Context } from '../context.ts'
import { saveCredentials } from '../integrations/credentials-store.ts'
import { savePlatformClient } from '../services/platform-client-store.ts'
import { keepWebhooks } from '../shop-webhooks/register-webhooks.ts'
import { processInbound } from './process-inbound.ts'
import { receiveQueued } from './receive-queued.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const running = { signal: new AbortController().signal, attempt: 1 }

/** A seller on Amazon whose changes go to a queue of the operator's. */
async function open() {
  // Another seller each time.
  const seed = String(nextNumber('queue'))
  const simulator = openSimulator({ platform: 'amazon', orders: 12, products: 5, seed, variant: { queue: 'yes' } })
  const wire = inMemory(simulator)
  let lost = 0
  const asked: string[] = []
  const transport: Transport = async (call) => {
    const target = call.request.headers?.['x-amz-target']
    asked.push(target ?? `${call.request.method} ${call.request.path}`)
    // The answer to a request to remove something gets lost before the request does.
    if (target?.endsWith('DeleteMessageBatch') && lost-- > 0) throw new Error('The connection broke.')
    return await wire(call)
  }
  const context: Context = { ...tested.context, transport }
  const { integration } = await makeIntegration(
    context,
    { appId: null },
    { type: 'amazon', shop: simulator.install.shop },
  )
  await sql`update integrations set settings = ${JSON.stringify(simulator.install.settings)}::jsonb
    where id = ${integration.id}`.execute(context.db)
  await saveCredentials(context.db, context.keys, integration, {
    credentials: simulator.kept,
    expiresAt: '2099-01-01T00:00:00Z',
  })
  const place = { serviceId: integration.service_id, appId: null }
  await savePlatformClient(context.db, context.keys, place, simulator.install.client)
  await keepWebhooks(context, integration.id)
  const stored = async <Row>(table: string, columns: string) =>
    (
      await sql<Row>`select ${sql.raw(columns)} from ${sql.table(table)}
        where integration_id = ${integration.id} order by remote_id`.execute(context.db)
    ).rows
  return {
    ...{ context, integration, simulator, asked, place, stored },
    loseRemovals: (count: number) => {
      lost = count
    },
    receive: () => receiveQueued.run(context, {}, running),
    work: async () => {
      while ((await processInbound(context, integration.id, running.signal)) === 'more');
    },
  }
}

describe('a queue that a platform writes to', () => {
  test('is emptied, and the orders it names are read', async () => {
    const { simulator, receive, work, stored, asked } = await open()
    const { orders, new_orders: fresh } = simulator.change({ orders: 3, new_orders: 12 })
    await receive()
    const ids = [...new Set([...orders, ...fresh])].sort()
    expect(
      new Set((await stored<{ remote_id: string }>('shop_messages', 'remote_id')).map((r) => r.remote_id)),
    ).toEqual(new Set(ids))
    await work()
    expect((await stored<{ remote_id: string }>('orders', 'remote_id')).map((row) => row.remote_id)).toEqual(ids)
    asked.length = 0
    await receive()
    expect(asked).toEqual(['AmazonSQS.ReceiveMessage'])
  })

  test('gives again what was not taken out, and it is stored once', async () => {
    const { simulator, receive, stored, loseRemovals } = await open()
    simulator.change({ new_orders: 4 })
    loseRemovals(1)
    await expect(receive()).rejects.toThrow('The connection broke.')
    expect(await stored('shop_messages', 'remote_id')).toHaveLength(4)
    simulator.advance(61)
    await receive()
    expect(await stored('shop_messages', 'remote_id')).toHaveLength(4)
  })

  test('is not waited for because of messages that are about nobody here', async () => {
    const { context, integration, simulator, receive, stored, asked } = await open()
    simulator.change({ new_orders: 2 })
    await sql`update integrations set shop = 'a0somebodyelse' where id = ${integration.id}`.execute(context.db)
    await receive()
    expect(await stored('shop_messages', 'remote_id')).toEqual([])
    asked.length = 0
    await receive()
    expect(asked).toEqual(['AmazonSQS.ReceiveMessage'])
  })

  test('that does not open is said in the log, and nothing fails', async () => {
    const { context, place, simulator, receive, asked, stored } = await open()
    const client = { ...simulator.install.client, aws_secret_access_key: 'wrong' }
    await savePlatformClient(context.db, context.keys, place, client)
    simulator.change({ new_orders: 1 })
    asked.length = 0
    await receive()
    expect([asked, await stored('shop_messages', 'remote_id')]).toEqual([['AmazonSQS.ReceiveMessage'], []])
    await savePlatformClient(context.db, context.keys, place, null)
    asked.length = 0
    await receive()
    expect(asked).toEqual([])
  })

  test('is subscribed to once for each seller', async () => {
    const { context, integration, asked } = await open()
    const path = '/notifications/v1/subscriptions/ORDER_CHANGE'
    expect(asked).toEqual([`GET ${path}`, `POST ${path}`])
    await keepWebhooks(context, integration.id)
    expect(asked).toEqual([`GET ${path}`, `POST ${path}`, `GET ${path}`])
  })
})
