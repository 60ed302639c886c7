import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeApp } from '../../../test/support/identity.ts'
import { catcherToken, catcherUrl, newCatcherToken, shownHeaders } from './catcher.ts'
import { catchRequest, caughtRequests, findCatcher, keepCatcher } from './catcher-store.ts'

let it: TestContext
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())

async function open() {
  const tenant = { appId: await makeApp(it.context) }
  const { token } = await keepCatcher(it.context.db, tenant, newCatcherToken())
  return { tenant, token }
}
const bodiesOf = async (tenant: { appId: number }) =>
  (await caughtRequests(it.context.db, tenant)).map(({ body }) => body)
const send = (token: string, body: string) => catchRequest(it.context.db, token, { headers: {}, body })

describe('a catcher', () => {
  test('shows its app what came there, the latest first, and nothing of what came elsewhere', async () => {
    const [mine, theirs] = [await open(), await open()]
    await send(mine.token, 'one')
    await send(theirs.token, 'not mine')
    await send(mine.token, 'two')
    expect([await bodiesOf(mine.tenant), await bodiesOf(theirs.tenant)]).toEqual([['two', 'one'], ['not mine']])
    expect(await bodiesOf({ appId: await makeApp(it.context) })).toEqual([])
  })

  test('keeps the last fifty, whatever others are sent', async () => {
    const [mine, theirs] = [await open(), await open()]
    await send(theirs.token, 'theirs')
    for (let n = 0; n < 52; n++) await send(mine.token, String(n))
    const kept = await bodiesOf(mine.tenant)
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([50, '51', '2'])
    expect(await bodiesOf(theirs.tenant)).toEqual(['theirs'])
  })

  test('that has expired catches nothing, and comes back empty under another address', async () => {
    const { tenant, token } = await open()
    await send(token, 'old')
    const end = sql`update webhook_catchers set expires_at = now() where app_id = ${tenant.appId}`
    await end.execute(it.context.db)
    expect([await send(token, 'late'), await findCatcher(it.context.db, tenant)]).toEqual([false, null])
    const again = await keepCatcher(it.context.db, tenant, newCatcherToken())
    expect(again.token).not.toBe(token)
    expect(await bodiesOf(tenant)).toEqual([])
  })

  test('that is in use stays where it is for another day', async () => {
    const { tenant, token } = await open()
    expect((await keepCatcher(it.context.db, tenant, newCatcherToken())).token).toBe(token)
  })
})

describe('its address', () => {
  const here = { publicUrl: 'https://entrepot.test' }
  const token = newCatcherToken()

  test('is known by its token, and no other is', () => {
    expect(catcherToken(here, catcherUrl(here, token))).toBe(token)
    const others = [
      `https://elsewhere.test/catch/${token}`,
      `https://entrepot.test/caught/${token}`,
      `${catcherUrl(here, token)}/more`,
      `${catcherUrl(here, token)}x`,
      catcherUrl(here, token.slice(1)),
      catcherUrl(here, ''),
    ]
    expect(others.map((url) => catcherToken(here, url))).toEqual(others.map(() => null))
  })

  test('shows no headers that open something', () => {
    const headers = {
      'content-type': 'text/plain',
      Authorization: 'a',
      cookie: 'b',
      'X-Gateway-Key': 'c',
      'x-other': 'd',
    }
    expect(shownHeaders(headers)).toEqual({ 'content-type': 'text/plain', 'x-other': 'd' })
  })
})
