import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultOf } from '../../../test/support/identity.ts'
import type { ScriptedPlatform } from '../../../test/support/scripted-shop.ts'
import { openTokenLab, refreshesOf, type TokenLab } from '../../../test/support/token-lab.ts'
import { typedKeys } from '../../commerce/connector/auth.ts'
import type { Connector } from '../../commerce/connector.ts'
import { shopAway } from '../../commerce/remote.ts'
import type { Context } from '../context.ts'
import { activateIntegration } from '../install/activate-integration.ts'
import { readCredentials, replaceCredentials } from '../integrations/credentials-store.ts'
import type { Integration } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { uninstallIntegration } from '../integrations/uninstall-integration.ts'
import { openShop } from './open-remote.ts'
import { recoverIntegrations } from './recover-integrations.ts'
import { renewIdle, renewRefused } from './refresh-credentials.ts'

let lab: TokenLab
beforeAll(async () => {
  lab = await openTokenLab()
})
afterAll(() => lab.close())

const ask = async (context: Context, integration: Integration) =>
  (await openShop(context, integration)).shop.remote.request({ method: 'GET', path: '/me' })

describe('tokens that are about to end', () => {
  test('bring what was granted with them, where the platform says so', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: -5 })
    platform.scope = 'orders all'
    expect((await openShop(context, first)).shop.credentials['token']).toBe('access-1')
    const granted = async () => (await readIntegration(context.db, first.id)).granted
    expect(await granted()).toEqual(['orders', 'all'])
    expect((await openShop(context, await readIntegration(context.db, first.id))).shop.granted).toEqual([
      'orders',
      'all',
    ])
    delete platform.scope
    const stored = await readCredentials(context.db, context.keys, first)
    await renewIdle(context, platform.connector, first, stored?.version ?? 0)
    expect([platform.refreshes.get(first.shop), await granted()]).toEqual([2, ['orders', 'all']])
  })

  test('are renewed once, however many open the shop at the same time in several processes', async () => {
    const { platform, context, integrations } = await lab.setUp({ count: 6, endsInSeconds: -5 })
    const processes = Array.from({ length: 5 }, () => lab.processOf(context))
    const opened = integrations.flatMap((integration) =>
      Array.from({ length: 50 }, (_, n) => openShop(processes[n % 5] ?? context, integration)),
    )
    for (const { shop } of await Promise.all(opened)) expect(shop.credentials['token']).toBe('access-1')
    expect([...platform.refreshes.values()]).toEqual(integrations.map(() => 1))
    expect(refreshesOf(platform)).toBe(integrations.length)
  })

  test('are renewed a quarter of an hour early, and nobody waits for that', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: 600 })
    let answerIt = () => {}
    const asked = new Promise<void>((resolve) => {
      platform.before = async () => {
        resolve()
        await new Promise<void>((go) => {
          answerIt = go
        })
        return undefined
      }
    })
    const patient = openShop(context, first)
    await asked
    for (const other of [context, lab.processOf(context)]) {
      expect((await openShop(other, first)).shop.credentials['token']).toBe('access-0')
    }
    answerIt()
    expect((await patient).shop.credentials['token']).toBe('access-1')
    expect(refreshesOf(platform)).toBe(1)
  })

  test('are left alone while there is time', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: 1200 })
    await openShop(context, first)
    expect(refreshesOf(platform)).toBe(0)
  })
})

describe('tokens that the shop has refused', () => {
  const renew = (context: Context, platform: ScriptedPlatform, integration: Integration, version: number) =>
    renewRefused(context, platform.connector, integration, version)
  const versionOf = async (context: Context, integration: Integration) =>
    (await readCredentials(context.db, context.keys, integration))?.version ?? 0

  test('are not fetched again by who was refused with older ones', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: 3600 })
    const old = await versionOf(context, first)
    expect((await renew(context, platform, first, old))?.credentials['token']).toBe('access-1')
    expect((await renew(context, platform, first, old))?.credentials['token']).toBe('access-1')
    expect(refreshesOf(platform)).toBe(1)
  })

  test('are handed to nobody while somebody fetches new ones, however long they would have lasted', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: 3600 })
    const version = await versionOf(context, first)
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    platform.before = async () => {
      asked.resolve()
      await answer.promise
      return undefined
    }
    const one = renew(context, platform, first, version)
    await asked.promise
    let questions = 0
    const elsewhere = lab.processOf(context)
    const counting = elsewhere.db.withPlugin({
      transformQuery: ({ node }) => {
        questions++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    let over = false
    const other = renew({ ...elsewhere, db: counting }, platform, first, version).finally(() => {
      over = true
    })
    // It has found the lease taken, and has looked at what there is more than once.
    await expect.poll(() => questions).toBeGreaterThan(4)
    expect(over).toBe(false)
    answer.resolve()
    for (const session of await Promise.all([one, other])) expect(session?.credentials['token']).toBe('access-1')
    expect(refreshesOf(platform)).toBe(1)
  })
})

test('who is overtaken while it fetches new ones takes those of the other, and nothing is out of order', async () => {
  const { platform, context, first } = await lab.setUp({ endsInSeconds: -5 })
  platform.before = async () => {
    platform.before = async () => undefined
    // Meanwhile somebody has used up the refresh token, and stored what came of it.
    platform.tokens.set(first.shop, { access: 'access-9', refresh: 'refresh-9' })
    const stored = await readCredentials(context.db, context.keys, first)
    const credentials = { token: 'access-9', refresh_token: 'refresh-9' }
    await replaceCredentials(context.db, context.keys, first, {
      ...{ credentials, expiresAt: null, previous: null },
      version: stored?.version ?? 0,
    })
    return undefined
  }
  expect((await openShop(context, first)).shop.credentials['token']).toBe('access-9')
  expect((await readIntegration(context.db, first.id)).status).toBe('ACTIVE')
})

describe('a shop that is left and connected again while new ones are fetched for it', () => {
  const setUp = async (answer: { status: number; body: unknown } | undefined) => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: -5 })
    platform.before = async () => {
      platform.before = async () => undefined
      const left = await uninstallIntegration(context, first.id)
      const credentials = { token: 'access-new', refresh_token: 'refresh-new' }
      await activateIntegration(context, left, { credentials, expiresAt: null, granted: null })
      return answer && { headers: {}, ...answer }
    }
    return { context, first }
  }

  test.each([
    ['still gives some for the old ones', undefined],
    ['knows the old ones no longer', { status: 400, body: { error: 'invalid_grant' } }],
  ])('keeps what the merchant has brought, where the platform %s', async (_, answer) => {
    const { context, first } = await setUp(answer)
    expect((await openShop(context, first)).shop.credentials['token']).toBe('access-new')
    const stored = await readCredentials(context.db, context.keys, first)
    expect(stored?.credentials).toEqual({ token: 'access-new', refresh_token: 'refresh-new' })
    expect((await readIntegration(context.db, first.id)).status).toBe('ACTIVE')
  })
})

describe('a platform that is away', () => {
  test('leaves the old tokens in use while they count, and is not asked again for half a minute', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: 600 })
    platform.before = async () => ({ status: 503, headers: {}, body: '' })
    for (let n = 0; n < 5; n++) expect((await openShop(context, first)).shop.credentials['token']).toBe('access-0')
    expect(refreshesOf(platform)).toBe(1)
    await lab.pass(first, 31)
    platform.before = async () => undefined
    expect((await openShop(context, first)).shop.credentials['token']).toBe('access-1')
  })

  test('is a reason to come back later once they have ended; the integration stays ACTIVE', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: -5 })
    platform.before = async () => ({ status: 503, headers: {}, body: '' })
    for (let n = 0; n < 5; n++) {
      expect(await faultOf(openShop(context, first))).toMatchObject({ kind: 'upstream_retryable' })
    }
    expect(refreshesOf(platform)).toBe(1)
    expect((await readIntegration(context.db, first.id)).status).toBe('ACTIVE')
  })
})

describe('a grant that is gone', () => {
  test('puts the integration out of order, visibly and without a storm', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: -5 })
    platform.tokens.set(first.shop, { access: 'other', refresh: 'other' })
    const tries = Array.from({ length: 20 }, () => openShop(context, first).catch((error: unknown) => error))
    await Promise.all(tries)
    expect(refreshesOf(platform)).toBe(1)
    expect(await readIntegration(context.db, first.id)).toMatchObject({
      status: 'ERROR',
      status_reason: 'credentials_rejected',
    })
  })

  test('comes back by itself when the platform takes the tokens again', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: -5 })
    const right = platform.tokens.get(first.shop)
    platform.tokens.set(first.shop, { access: 'other', refresh: 'other' })
    await faultOf(openShop(context, first))
    await recoverIntegrations.run(context, {}, running)
    expect(refreshesOf(platform)).toBe(1)
    await lab.pass(first, 400)
    await recoverIntegrations.run(context, {}, running)
    expect([refreshesOf(platform), (await readIntegration(context.db, first.id)).status]).toEqual([2, 'ERROR'])
    await lab.pass(first, 700)
    if (right) platform.tokens.set(first.shop, right)
    await recoverIntegrations.run(context, {}, running)
    expect(await readIntegration(context.db, first.id)).toMatchObject({ status: 'ACTIVE', status_reason: null })
  })
})

describe('an answer that never reached the database', () => {
  test('ends out of order where refresh tokens work once, after one more try', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: -5 })
    platform.after = async () => {
      throw shopAway()
    }
    await faultOf(openShop(context, first))
    platform.after = async () => undefined
    await lab.pass(first, 61)
    expect(await faultOf(openShop(context, first))).toMatchObject({ kind: 'upstream_refused' })
    expect(refreshesOf(platform)).toBe(2)
    expect((await readIntegration(context.db, first.id)).status).toBe('ERROR')
  })

  test('a process that dies over it keeps the others waiting for the length of its lease, no longer', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: -5 })
    const dying = lab.processOf(context)
    const dead: Context = {
      ...dying,
      transaction: () => new Promise(() => {}),
    }
    void openShop(dead, first).catch(() => undefined)
    await expect.poll(() => platform.refreshes.get(first.shop)).toBe(1)
    await lab.pass(first, 61)
    platform.tokens.set(first.shop, { access: 'access-1', refresh: 'refresh-0' })
    expect((await openShop(context, first)).shop.credentials['token']).toBe('access-2')
  })

  test('is retried with the tokens before, where the platform takes those', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: -5, takesPrevious: true })
    await openShop(context, first)
    const stored = await readCredentials(context.db, context.keys, first)
    expect(stored?.previous).toMatchObject({ refresh_token: 'refresh-0' })
    platform.tokens.set(first.shop, { access: 'access-0', refresh: 'refresh-0' })
    await context.db
      .updateTable('credentials')
      .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
      .where('integration_id', '=', first.id)
      .execute()
    expect((await openShop(context, first)).shop.credentials['token']).toBe('access-2')
  })
})

test('keys that were typed and have tokens go back to the tokens before as well', async () => {
  const { platform, context: normal, first } = await lab.setUp({ endsInSeconds: -5 })
  const { auth } = platform.connector
  if (auth.kind !== 'oauth2' || !auth.refresh) throw new Error('The platform has no tokens.')
  const { credentials, checkAccess, refresh } = auth
  const typed = { ...platform.connector, auth: typedKeys({ credentials, checkAccess, refresh, takesPrevious: true }) }
  const context = { ...normal, connectors: new Map([[typed.type, typed as Connector]]) }
  await openShop(context, first)
  platform.tokens.set(first.shop, { access: 'access-0', refresh: 'refresh-0' })
  await lab.tested.database.query(`update credentials set expires_at = now() where integration_id = $1`, [first.id])
  expect((await openShop(context, first)).shop.credentials['token']).toBe('access-2')
})

test('keys that were typed with a client of their own are renewed by that one', async () => {
  const { platform, context: normal, first } = await lab.setUp({ endsInSeconds: -5 })
  const { auth } = platform.connector
  if (auth.kind !== 'oauth2' || !auth.refresh) throw new Error('The platform has no tokens.')
  const { refresh } = auth
  const clients: unknown[] = []
  const asking: typeof refresh = (shop, client) => {
    clients.push(client)
    return refresh(shop, client)
  }
  for (const own of [null, { client_id: 'theirs' }]) {
    const connector = { ...platform.connector, auth: { ...auth, refresh: asking, ownClient: () => own } }
    const context = { ...normal, connectors: new Map([[connector.type, connector]]) }
    await lab.tested.database.query(`update credentials set expires_at = now() where integration_id = $1`, [first.id])
    await openShop(context, first)
  }
  expect(clients).toEqual([{ client_id: 'us' }, { client_id: 'theirs' }])
})

test('tokens that the platform ended before their time are renewed, and the request goes on', async () => {
  const { platform, context, first } = await lab.setUp({ endsInSeconds: 3000 })
  platform.tokens.set(first.shop, { access: 'access-9', refresh: 'refresh-0' })
  expect((await ask(context, first)).status).toBe(200)
  expect(refreshesOf(platform)).toBe(1)
})

const running = { signal: new AbortController().signal, attempt: 1 }

describe('a shop that refuses new tokens too', () => {
  test('once, since another process has renewed them meanwhile or it does not know them yet, is none that must be reconnected', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: 3000 })
    let refusals = 0
    platform.before = async ({ url }) =>
      url.endsWith('/me') && ++refusals <= 2 ? { status: 401, headers: {}, body: '' } : undefined
    expect((await ask(context, first)).status).toBe(200)
    expect(refreshesOf(platform)).toBe(2)
    expect((await readIntegration(context.db, first.id)).status).toBe('ACTIVE')
  })

  test('is asked for them twice a request, and then out of order', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: 3000 })
    platform.before = async ({ url }) => (url.endsWith('/me') ? { status: 401, headers: {}, body: '' } : undefined)
    expect(await faultOf(ask(context, first))).toMatchObject({ kind: 'upstream_refused' })
    expect(refreshesOf(platform)).toBe(2)
    expect(await readIntegration(context.db, first.id)).toMatchObject({
      status: 'ERROR',
      status_reason: 'credentials_rejected',
    })
  })

  test('does not come back because the platform gives tokens, but when the shop takes them', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: 3000 })
    platform.before = async ({ url }) => (url.endsWith('/me') ? { status: 401, headers: {}, body: '' } : undefined)
    await faultOf(ask(context, first))
    await lab.pass(first, 400)
    await lab.tested.database.query(`update integrations set updated_at = now() - interval '1 hour' where id = $1`, [
      first.id,
    ])
    await recoverIntegrations.run(context, {}, running)
    expect([refreshesOf(platform), (await readIntegration(context.db, first.id)).status]).toEqual([4, 'ERROR'])
    platform.before = async () => undefined
    await lab.pass(first, 700)
    await recoverIntegrations.run(context, {}, running)
    expect((await readIntegration(context.db, first.id)).status).toBe('ACTIVE')
  })
})
