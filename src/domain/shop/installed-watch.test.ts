import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/server.ts'
import { untilHolds } from '../../../test/support/until.ts'
import { makeWorld, type World } from '../../../test/support/world.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { openShop } from './open-remote.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await makeWorld(server)
})
afterAll(() => server.close())

test('work that is under way makes no further call once its integration is uninstalled', async () => {
  const { context } = server
  const { shop } = await openShop(context, await readIntegration(context.db, world.ids.integration))
  const ask = () => shop.remote.request({ method: 'GET', path: '/shop' })
  expect((await ask()).status).toBe(200)
  const path = `/api/2.0/webcomponent/integrations/${world.ids.integration}/uninstall`
  expect((await server.call('POST', path, { token: world.tenant.accountToken })).status).toBe(200)
  await untilHolds(() => expect(ask()).rejects.toThrow('The integration has been uninstalled.'))
})
