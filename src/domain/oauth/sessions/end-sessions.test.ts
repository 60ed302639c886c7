import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import {
  actorFor,
  askToken,
  clientCaller,
  logIn,
  makeAccount,
  makeApp,
  makeClient,
  makeCompany,
  makeUser,
  password,
} from '../../../../test/support/identity.ts'
import { justBefore } from '../../../../test/support/just-before.ts'
import type { Context } from '../../context.ts'
import type { ClientCaller, UserCaller } from '../../tenant.ts'
import { operator, type User } from '../../users/user.ts'
import { readLiveToken } from '../callers/caller-store.ts'
import { handOverClient } from '../clients/hand-over-client.ts'
import { createIntent, findIntentAccount } from '../intents/create-intent.ts'
import type { TokenAnswer } from '../issue-token.ts'
import { endOtherSessions, endSessionsOf } from './end-sessions.ts'

let tested: TestContext
let context: Context
beforeAll(async () => {
  tested = await createTestContext()
  context = tested.context
})
afterAll(() => tested.close())

/** What the first one was given. */
const givenJustBefore = async <T>(first: (held: Context) => Promise<T>, second: () => Promise<unknown>) => {
  const [given] = await justBefore(context, first, second)
  return given.status === 'fulfilled' ? given.value : null
}

const isAlive = async (answer: TokenAnswer | null) => {
  const jti = answer && decodeJwt(answer.access_token).jti
  return jti != null && (await readLiveToken(context.db, jti)) !== null
}

describe('a program renews its token at the moment in which sessions are ended', () => {
  const ways: Record<string, (user: User) => Promise<void>> = {
    'all others, by the user': (user) => {
      const caller: UserCaller = {
        ...{ kind: 'user', tokenId: -1, clientId: 0, scopes: ['*'], subject: `user:${user.id}` },
        ...actorFor(user),
      }
      return endOtherSessions(context, caller)
    },
    'all, by somebody who manages users': (user) => endSessionsOf(context, operator, user),
  }
  test.each(Object.keys(ways))('%s: nothing is left open', async (way) => {
    const user = await makeUser(context)
    const client = await makeClient(context, { grant_types: ['password'] })
    const first = await logIn(context, client, user)
    const renewed = await givenJustBefore(
      (held) => askToken(held, { grant_type: 'refresh_token', ...client, refresh_token: first.refresh_token }),
      async () => await ways[way]?.(user),
    )
    expect(renewed).not.toBeNull()
    expect([await isAlive(first), await isAlive(renewed)]).toEqual([false, false])
    const next = askToken(context, { grant_type: 'refresh_token', ...client, refresh_token: renewed?.refresh_token })
    await expect(next).rejects.toThrow()
  })
})

describe('a client is given a token at the moment in which it changes hands', () => {
  const grants: Record<string, object> = {
    'for itself': { grant_type: 'client_credentials' },
    'for an account': { grant_type: 'client_credentials', account: 'merchant' },
    'for a user': { grant_type: 'password', password },
    'for a user, anew': { grant_type: 'refresh_token' },
  }
  const setUp = async () => {
    const company_id = await makeCompany(context)
    const user = await makeUser(context, { company_id })
    const app_id = await makeApp(context, { company_id })
    await makeAccount(context, app_id, 'merchant')
    const client = await makeClient(context, { app_id, grant_types: ['password', 'client_credentials'] })
    await context.db.updateTable('oauth_clients').set({ company_id }).where('id', '=', client.client_id).execute()
    const { refresh_token } = await logIn(context, client, user)
    const ask = (held: Context, grant: string) =>
      askToken(held, { ...client, username: user.email, refresh_token, ...grants[grant] })
    const handOver = () => handOverClient(context, actorFor(user), { id: client.client_id, keepSecret: false })
    return { client, ask, handOver }
  }

  test.each(Object.keys(grants))('%s, a moment before: it is closed', async (grant) => {
    const { ask, handOver } = await setUp()
    const given = await givenJustBefore((held) => ask(held, grant), handOver)
    expect(given).not.toBeNull()
    expect(await isAlive(given)).toBe(false)
  })

  test.each(Object.keys(grants))('%s, a moment after: the old secret gets nothing', async (grant) => {
    const { ask, handOver } = await setUp()
    let isHandedOver = false
    const transaction: Context['transaction'] = async (work) => {
      // The secret has been looked at by now.
      if (!isHandedOver) await handOver()
      isHandedOver = true
      return await context.transaction(work)
    }
    await expect(ask({ ...context, transaction }, grant)).rejects.toMatchObject({ oauth: { error: 'invalid_client' } })
  })

  const askIntent = async (held: Context, caller: ClientCaller) => {
    const account = await findIntentAccount(held, caller, 'merchant')
    return await createIntent(held, caller, { account, scopes: ['*'] })
  }

  test('that merchants may exchange, a moment before: it opens nothing', async () => {
    const { client, handOver } = await setUp()
    const caller = await clientCaller(context, client)
    const given = await givenJustBefore((held) => askIntent(held, caller), handOver)
    expect(given).not.toBeNull()
    const exchanged = askToken(context, { grant_type: 'intent_token', intent_token: given?.token })
    await expect(exchanged).rejects.toMatchObject({ oauth: { hint: 'Token has been revoked' } })
  })

  test('that merchants may exchange, a moment after: the old token gets nothing', async () => {
    const { client, handOver } = await setUp()
    const caller = await clientCaller(context, client)
    await handOver()
    await expect(askIntent(context, caller)).rejects.toMatchObject({ kind: 'unauthenticated' })
  })
})
