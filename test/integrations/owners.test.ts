import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimIntegration } from '../../src/domain/integrations/claim-integration.ts'
import { lockIntegration } from '../../src/domain/integrations/integration-store.ts'
import { forbidden } from '../../src/lib/fault.ts'
import { patience } from '../support/patience.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { data, errors, freshShop, installed, type Merchant, makeMerchant } from './support.ts'

/** Whose an integration is, and what shows it. */

let server: TestServer
let merchant: Merchant
let other: Merchant
beforeAll(async () => {
  server = await startTestServer({ patience: { ...patience, lockTimeoutMs: 1000 } })
  merchant = await makeMerchant(server)
  other = await makeMerchant(server)
})
afterAll(() => server.close())

describe('claiming', () => {
  const orphan = async () =>
    data(
      await merchant.asUser('POST', '/api/1.0/sandbox/install', {
        name: 'Nobody’s',
        shop: freshShop(),
        credentials: { api_key: 'good' },
      }),
    )

  test('an integration of the app without an account goes to one', async () => {
    const { id } = data(
      await merchant.asApp('POST', '/integrations', { name: 'Made', shop: freshShop(), type: 'sandbox' }),
    )
    const path = `/integrations/${id}/claim`
    expect(errors(await merchant.asApp('POST', path, {}))).toEqual({
      remote_id: ['The remote id field is required when account id is not present.'],
      account_id: ['The account id field is required when remote id is not present.'],
    })
    expect((await other.asApp('POST', path, { remote_id: other.remoteId })).status).toBe(403)
    const claimed = await merchant.asApp('POST', path, { remote_id: merchant.remoteId })
    expect([claimed.status, data(claimed)['account_id']]).toEqual([200, merchant.accountId])
    expect((await merchant.asApp('POST', path, { account_id: merchant.accountId })).status).toBe(200)
    const second = data(await merchant.asApp('POST', '/accounts', { remote_id: randomUUID() }))
    expect((await merchant.asApp('POST', path, { account_id: second['id'] })).status).toBe(403)
    expect((await other.asApp('POST', path, { remote_id: other.remoteId })).status).toBe(403)
  })

  const codeFor = async (id: unknown) => data(await merchant.asUser('POST', `/integrations/${id}/claim-code`))['code']

  test('what belongs to nobody is had only with its key and a code of its owner, and still opens its shop', async () => {
    const { id, integrationKey } = await orphan()
    const path = `/apps/${merchant.appId}/integrations/${id}/claim`
    expect(errors(await merchant.asUser('POST', path, {}))).toEqual({
      integrationKey: ['The integration key field is required.'],
    })
    expect(errors(await merchant.asUser('POST', path, { integrationKey }))).toEqual({
      code: ['The code field is required.'],
    })
    const code = await codeFor(id)
    expect((await merchant.asUser('POST', path, { integrationKey: randomUUID(), code })).status).toBe(403)
    const claimed = await merchant.asUser('POST', path, { integrationKey, code })
    expect([claimed.status, data(claimed)['app_id']]).toEqual([200, merchant.appId])
    expect((await merchant.asUser('POST', path, {})).status).toBe(200)
    const run = await merchant.asApp('POST', `/integrations/${id}/action`, { resource: 'test_connection' })
    expect(data(run)).toEqual({ ok: true })
  })

  test('whoever knows the key alone takes nothing from its owner', async () => {
    const { id, integrationKey } = await orphan()
    const take = (code?: unknown) =>
      other.asApp('POST', `/integrations/${id}/claim`, { integrationKey, remote_id: other.remoteId, code })
    expect([(await take()).status, (await take('7K2M-QX4T-90AB')).status]).toEqual([422, 422])
    expect((await other.asUser('POST', `/integrations/${id}/claim-code`)).status).toBe(403)
    const replaced = await codeFor(id)
    const late = await codeFor(id)
    expect((await take(replaced)).status).toBe(422)
    await server.context.reader.query('update claim_codes set expires_at = now() where integration_id = $1', [id])
    expect(errors(await take(late))).toEqual({ code: ['The code is wrong, has been used or has expired.'] })
    expect((await merchant.asUser('GET', `/api/1.0/integrations/${id}`)).status).toBe(200)
    const { rows: logged } = await server.context.reader.query(
      `select context from integration_logs where integration_id = $1 and event = 'integration.claim_code_made'`,
      [id],
    )
    expect(logged).toMatchObject([{ context: { user_id: expect.any(Number) } }, { context: {} }])
    expect((await take(await codeFor(id))).status).toBe(200)
    expect((await merchant.asUser('POST', `/integrations/${id}/claim-code`)).status).toBe(403)
  })

  /** For an account of the app, or for the app alone. */
  const forAccount = (by: Merchant, id: unknown, proof: object) =>
    by.asApp('POST', `/integrations/${id}/claim`, { ...proof, remote_id: by.remoteId })
  const forApp = (by: Merchant, id: unknown, proof: object) =>
    by.asUser('POST', `/apps/${by.appId}/integrations/${id}/claim`, proof)

  test.each([
    ['for their accounts', forAccount],
    ['for themselves', forApp],
  ])('of two apps that claim at the same time %s one gets it', async (_, claim) => {
    for (let round = 0; round < 5; round++) {
      const { id, integrationKey } = await orphan()
      const proof = { integrationKey, code: await codeFor(id) }
      const claims = Array.from({ length: 20 }, (_, n) => claim(n % 2 ? merchant : other, id, proof))
      const statuses = (await Promise.all(claims)).map(({ status }) => status)
      const won = statuses.map((status, n) => (status === 200 ? n % 2 : null)).filter((side) => side !== null)
      expect(new Set(won).size).toBe(1)
      expect(statuses.filter((status) => status === 403)).toHaveLength(10)
    }
  })

  test('whose turn does not come before others have it is refused, not told to try again', async () => {
    const { id, integrationKey } = await orphan()
    const proof = { integrationKey: String(integrationKey), code: String(await codeFor(id)) }
    await forApp(merchant, id, proof)
    const claim = { id: Number(id), ...proof }
    const refused = await server.context.transaction(async (holder) => {
      await lockIntegration(holder, claim.id)
      return await claimIntegration(server.context, { appId: other.appId }, claim).catch((error: unknown) => error)
    })
    expect(refused).toEqual(forbidden())
  })
})

describe('the gateway key', () => {
  test('is replaced, and the one before it works for a day', async () => {
    const { id, gateway_key: first } = await installed(merchant)
    const path = `/apps/${merchant.appId}/integrations/${id}/gateway-key`
    const rotate = async () => String(data(await merchant.asUser('POST', path))['gateway_key'])
    const opens = async (key: unknown) =>
      (
        await server.call('GET', '/api/1.0/products', {
          token: merchant.userToken,
          headers: { 'x-gateway-key': String(key) },
        })
      ).status
    const second = await rotate()
    expect([await opens(first), await opens(second)]).toEqual([200, 200])
    const third = await rotate()
    expect([await opens(first), await opens(second), await opens(third)]).toEqual([403, 200, 200])
    await server.context.reader.query(
      `update gateway_keys set expires_at = now() - interval '1 second' where expires_at is not null and integration_id = $1`,
      [id],
    )
    expect([await opens(second), await opens(third)]).toEqual([403, 200])
    expect((await other.asUser('POST', path)).status).toBe(403)
  })
})

describe('when the owner goes', () => {
  test('integrations of a deleted account are uninstalled, those of a deleted app are gone', async () => {
    const leaver = await makeMerchant(server)
    const { id } = await installed(leaver)
    expect((await leaver.asUser('DELETE', `/api/1.0/accounts/${leaver.accountId}`)).status).toBe(204)
    expect(data(await leaver.asApp('GET', `/integrations/${id}`))['status']).toBe('UNINSTALLED')
    expect((await leaver.asUser('DELETE', `/apps/${leaver.appId}`)).status).toBe(204)
    expect((await leaver.asUser('GET', `/api/1.0/integrations/${id}`)).status).toBe(404)
  })
})
