import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { faultOf, makeApp, makeUser } from '../../../test/support/identity.ts'
import { oauth2 } from '../../commerce/connector/auth.ts'
import { type Connector, connector } from '../../commerce/connector.ts'
import type { KeyRing } from '../../lib/secret-box.ts'
import { object, text } from '../../lib/validation/fields.ts'
import type { Context } from '../context.ts'
import { rotateKeys } from '../rotate-keys/rotate-keys.ts'
import type { UserTenant } from '../tenant.ts'
import { attachService, updateAttachedService } from './attach-service.ts'
import { readPlatformClient } from './platform-client-store.ts'
import { readService } from './service-store.ts'
import { syncCatalogue } from './sync-catalogue.ts'
import { updateService } from './update-service.ts'

const platform: Connector = connector({
  type: 'platform',
  name: 'Platform',
  settings: object({}),
  auth: oauth2({
    credentials: object({ token: text() }),
    client: object({ client_id: text(), client_secret: text() }),
    pkce: false,
    scopes: [],
    authorizeUrl: () => 'https://platform.example/authorize',
    exchange: async () => ({ credentials: { token: 't' }, expiresAt: null }),
    checkAccess: async () => undefined,
  }),
  remote: {
    origin: ({ shop }) => `https://${shop}`,
    authenticate: (request) => request,
    budgets: { default: { capacity: 1, perSecond: 1 } },
  },
})

let it: TestContext
let context: Context
let tenant: UserTenant
let appId: number
let serviceId: number
const admin: UserTenant = { userId: 0, companyId: null, admin: true }
const ours = { client_id: 'ours', client_secret: 'our secret' }
const common = { client_id: 'common', client_secret: 'common secret' }

beforeAll(async () => {
  // All that is sealed anywhere is wrapped anew.
  it = await createTestContext('nobody')
  context = { ...it.context, connectors: new Map([['platform', platform]]) }
  await syncCatalogue(context)
  const user = await makeUser(context)
  tenant = { userId: user.id, companyId: null, admin: false }
  appId = await makeApp(context, { user_id: user.id })
  serviceId = (await readService(context.db, 'platform')).id
})
afterAll(() => it.close())

const read = (keys: KeyRing = context.keys) => readPlatformClient(context.db, keys, { serviceId, appId })

test('the client of the app goes before that of the service, and neither is kept in the clear', async () => {
  expect(await read()).toBeNull()
  const changed = await updateService(context, admin, { id: serviceId, changes: { client: common } })
  expect(changed.client_key_id).toBe(context.keys[0].id)
  expect(await read()).toEqual(common)
  await attachService(context, tenant, { appId, attachment: { service_id: serviceId, client: ours } })
  expect(await read()).toEqual(ours)
  expect(await readPlatformClient(context.db, context.keys, { serviceId, appId: null })).toEqual(common)
  const rows = await it.database.query('select to_jsonb(a) as a, to_jsonb(s) as s from app_services a, services s')
  expect(JSON.stringify(rows)).not.toMatch(/secret/)
})

test('what the platform does not know is refused', async () => {
  const attachment = { service_id: serviceId, client: { client_id: 'x' } }
  const fault = await faultOf(updateAttachedService(context, tenant, { appId, attachment }))
  expect(fault.errors).toEqual({ 'client.client_secret': ['The client.client secret field is required.'] })
  expect(await read()).toEqual(ours)
})

test('a rotation of the master key takes it along', async () => {
  const keys: KeyRing = [{ id: 'next', key: randomBytes(32) }, ...context.keys]
  const { rewrapped, unreadable } = await rotateKeys({ db: context.db, keys })
  expect(rewrapped).toMatchObject({ services: 1, app_services: 1 })
  expect(unreadable).toEqual([])
  expect(await read([keys[0]])).toEqual(ours)
  context = { ...context, keys }
})

test('it stays when other things change, and goes when it is taken away', async () => {
  const update = (attachment: object) =>
    updateAttachedService(context, tenant, { appId, attachment: { service_id: serviceId, ...attachment } })
  await update({ settings: { a: 1 } })
  expect(await read()).toEqual(ours)
  expect((await update({ client: null })).attached_client_key_id).toBeNull()
  expect(await read()).toEqual(common)
})
