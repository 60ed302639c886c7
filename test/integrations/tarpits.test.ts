import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../src/connectors/sandbox/index.ts'
import { makeIntegration } from '../support/gateway.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { data, makeMerchant } from './support.ts'

/** Shops that let us wait for ever keep nobody waiting but their own tenant. */

let server: TestServer
let letGo = () => undefined
beforeAll(async () => {
  server = await startTestServer({ works: true })
})
afterAll(async () => {
  letGo()
  await server.close()
})

test('many shops that never answer delay no other tenant', async () => {
  const over = new Promise<void>((resolve) => {
    letGo = () => void resolve()
  })
  const { orders } = sandbox
  if (!orders) throw new Error('The sandbox has orders.')
  server.add({
    ...sandbox,
    type: 'tarpit',
    orders: {
      ...orders,
      async list(shop, query) {
        await over
        return await orders.list(shop, query)
      },
    },
  })
  const sync = async (merchant: Awaited<ReturnType<typeof makeMerchant>>, type: string) => {
    const { integration } = await makeIntegration(server.context, { appId: merchant.appId }, { type })
    const path = `/integrations/${integration.id}`
    const { id } = data(await merchant.asApp('POST', `${path}/action`, { resource: 'sync_orders', mode: 'full' }))
    return async () => data(await merchant.asApp('GET', `${path}/runs/${id}`))['status']
  }
  const hostile = await makeMerchant(server)
  const pits = await Promise.all(Array.from({ length: 6 }, () => sync(hostile, 'tarpit')))
  const held = async () => (await Promise.all(pits.map((pit) => pit()))).filter((status) => status === 'running')
  await expect.poll(held).toHaveLength(4)
  const other = await sync(await makeMerchant(server), 'sandbox')
  await expect.poll(other).toBe('completed')
  expect(await held()).toHaveLength(4)
  letGo()
  for (const pit of pits) await expect.poll(pit).toBe('completed')
})
