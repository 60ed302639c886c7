import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/server.ts'
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

test('a shop that is opened says in which of its products our copy has an article', async () => {
  const { context } = server
  const integrationId = world.ids.integration
  const insert = async (remoteId: string, variants: readonly object[], deleted = false) =>
    await sql`
      insert into products (integration_id, remote_id, sku, name, price, currency, variants, deleted_at)
      values (${integrationId}, ${remoteId}, ${remoteId}, 'Cup', 1, 'EUR', ${JSON.stringify(variants)}::jsonb,
        case when ${deleted} then now() end)`.execute(context.db)
  await insert('P1', [
    { sku: 'CUP-S', remote_id: 'V1' },
    { sku: 'CUP-M', remote_id: 'V2' },
  ])
  await insert('P2', [{ sku: 'CUP-M', remote_id: 'V3' }])
  await insert('P3', [{ sku: 'CUP-S', remote_id: 'V4' }], true)
  const { shop } = await openShop(context, await readIntegration(context.db, integrationId))
  const known = (skus: string[], variantIds: string[] = []) => shop.productsWith?.({ skus, variantIds })
  expect(await known(['CUP-S'])).toEqual(['P1'])
  expect(await known(['CUP-M'])).toEqual(['P1', 'P2'])
  expect(await known([], ['V3'])).toEqual(['P2'])
  expect(await known(['NONE'], ['V4'])).toEqual([])
  expect(await known([])).toEqual([])
})
