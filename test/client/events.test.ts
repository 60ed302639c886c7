import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUserClient } from '../../packages/client/src/index.ts'
import { nodeHandler, type WebhookEvent } from '../../packages/client/src/webhooks/index.ts'
import { eventTypes } from '../../src/domain/events/event.ts'
import { password } from '../support/identity.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

let server: TestServer
let tenant: TestTenant
beforeAll(async () => {
  server = await startTestServer({ works: true, webhookAllow: ['127.0.0.1'] })
  tenant = await makeTenant(server.context)
})
afterAll(() => server.close())

test('a sample of every event is sent, and verified by the library', async () => {
  const secrets: string[] = []
  const received: WebhookEvent[] = []
  const handler = nodeHandler({ secret: secrets, onEvent: (event) => void received.push(event) })
  const receiver = createServer((request, response) => void handler(request, response))
  const port = await new Promise<number>((resolve) => {
    receiver.listen(0, '127.0.0.1', () => {
      const address = receiver.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  try {
    const { client_id: clientId, client_secret: clientSecret } = tenant.passwordClient
    const user = createUserClient({
      baseUrl: await server.listen(),
      auth: { clientId, clientSecret, username: tenant.email, password },
    })
    const webhooks = user.apps.webhooks(tenant.appId)
    const { id, secret } = await webhooks.create({ url: `http://127.0.0.1:${port}/`, events: ['order.created'] })
    secrets.push(secret)
    for (const type of eventTypes) await webhooks.test(id, type)
    await expect.poll(() => received.map(({ type }) => type).sort()).toEqual([...eventTypes].sort())
    for (const { data } of received) expect(data).toMatchObject({ sample: true })
  } finally {
    receiver.close()
  }
})
