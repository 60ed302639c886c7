import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { makeApp, makeCompany, makeUser } from '../../../test/support/identity.ts'
import { enterGateway } from './enter-gateway-store.ts'

let it: TestContext
let owner: { userId: number; companyId: number; admin: boolean }
let appId: number
let id: number
let key: string
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())
beforeEach(async () => {
  const companyId = await makeCompany(it.context)
  const user = await makeUser(it.context, { company_id: companyId })
  owner = { userId: user.id, companyId, admin: false }
  appId = await makeApp(it.context, { user_id: user.id, company_id: companyId })
  const { integration, gatewayKey } = await makeIntegration(it.context, { appId })
  ;[id, key] = [integration.id, gatewayKey]
})

const enter = (tenant = owner, given: string | undefined = key) => enterGateway(it.context.reader, tenant, given)
const admin = { userId: 0, companyId: null, admin: true } as unknown as typeof owner

describe('a gateway key', () => {
  test('opens its integration for who owns the app', async () => {
    expect(await enter()).toMatchObject({ id, app_id: appId })
    expect(await enter({ ...owner, userId: 0 })).toMatchObject({ id })
    expect(await enter(admin)).toMatchObject({ id })
  })

  test('opens nothing for anybody else, nor without being one', async () => {
    const refused = { kind: 'forbidden' }
    await expect(enter({ userId: 0, companyId: 0, admin: false })).rejects.toMatchObject(refused)
    for (const given of ['', 'gw_wrong', 'x'.repeat(300)])
      await expect(enter(owner, given)).rejects.toMatchObject(refused)
    await expect(enterGateway(it.context.reader, owner, undefined)).rejects.toMatchObject(refused)
  })

  test.each([
    ['its own time is over', (): string => `update gateway_keys set expires_at = now() where integration_id = ${id}`],
    ['the integration was uninstalled', () => `update integrations set status = 'UNINSTALLED' where id = ${id}`],
    ['the integration is gone', () => `update integrations set deleted_at = now() where id = ${id}`],
    ['the app is gone', () => `update apps set deleted_at = now() where id = ${appId}`],
  ])('opens nothing for anybody once %s', async (_, change) => {
    await sql`${sql.raw(change())}`.execute(it.context.db)
    for (const tenant of [owner, admin]) await expect(enter(tenant)).rejects.toMatchObject({ kind: 'forbidden' })
  })
})
