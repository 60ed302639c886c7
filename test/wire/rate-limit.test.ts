import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/runtime/db/connection.ts'
import { createLog } from '../../src/runtime/log.ts'
import { logIn } from '../support/identity.ts'
import { makeTenant, startTestServer, type TestServer } from '../support/server.ts'

/** Exactly the limit passes, however many programs answer. */

const limit = 60
let first: TestServer
let database: Database

beforeAll(async () => {
  first = await startTestServer({ limit })
  database = openDatabase({ url: first.databaseUrl, log: createLog('silent') })
})

afterAll(async () => {
  await database.close()
  await first.close()
})

const join = () => startTestServer({ limit, databaseUrl: first.databaseUrl })

/** A user who has logged in several times. */
async function makeSubject(tokens: number) {
  const tenant = await makeTenant(first.context)
  const more = Array.from({ length: tokens - 1 }, async () => {
    const { access_token } = await logIn(first.context, tenant.passwordClient, { email: tenant.email })
    return access_token
  })
  return { key: `user:${tenant.userId}`, tokens: [tenant.userToken, ...(await Promise.all(more))] }
}

type Subject = Awaited<ReturnType<typeof makeSubject>>

async function burst(servers: readonly TestServer[], subject: Subject, times: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: times }, (_, index) =>
      servers[index % servers.length]?.call('GET', '/api/1.0/users/information', {
        token: subject.tokens[index % subject.tokens.length] ?? null,
      }),
    ),
  )
  const others = answers.filter((answer) => answer?.status !== 200 && answer?.status !== 429)
  expect(others.map((answer) => [answer?.status, answer?.text])).toEqual([])
  return answers.filter((answer) => answer?.status === 200).length
}

/** How many hits the database knows of. */
async function shared(subject: Subject): Promise<number> {
  const { rows } = await database.pool.query('select hits from rate_windows where key = $1', [subject.key])
  return Number(rows[0]?.['hits'] ?? 0)
}

const left = async (server: TestServer, subject: Subject) => {
  const { headers } = await server.call('GET', '/api/1.0/users/information', { token: subject.tokens[0] ?? null })
  return Number(headers['x-ratelimit-remaining'])
}

describe('one program alone', () => {
  test('lets exactly the limit pass, and counts in memory', async () => {
    const subject = await makeSubject(3)
    expect(await burst([first], subject, 300)).toBe(limit)
    expect(await shared(subject)).toBe(0)
  })
})

describe('two programs', () => {
  test('let exactly the limit pass together, over several tokens', async () => {
    const second = await join()
    const subject = await makeSubject(5)
    expect(await burst([first, second], subject, 300)).toBe(limit)
    expect(await burst([first, second], subject, 20)).toBe(0)
    await second.close()
  })

  test('a second one that joins in the middle of a minute goes on with the count', async () => {
    const subject = await makeSubject(2)
    expect(await burst([first], subject, 25)).toBe(25)
    const second = await join()
    expect(await shared(subject)).toBe(25)
    expect(await left(second, subject)).toBe(limit - 26)
    expect(await burst([second, first], subject, 100)).toBe(limit - 26)
    await second.close()
  })

  test('when one leaves, the other goes on with the count, in memory again', async () => {
    const second = await join()
    const subject = await makeSubject(2)
    expect(await burst([first, second], subject, 20)).toBe(20)
    await second.close()
    // The good-bye is on its way: from some request on the database is not asked any more.
    let requests = 20
    await expect
      .poll(async () => {
        const before = await shared(subject)
        await left(first, subject)
        requests++
        return (await shared(subject)) - before
      })
      .toBe(0)
    expect(await burst([first], subject, 100)).toBe(limit - requests)
  })

  test('one that comes again counts nothing twice', async () => {
    const subject = await makeSubject(1)
    let requests = 0
    for (let round = 0; round < 3; round++) {
      const second = await join()
      requests += await burst([first, second], subject, 6)
      await second.close()
      requests += await burst([first], subject, 4)
    }
    expect(requests).toBe(30)
    expect(await left(first, subject)).toBe(limit - 31)
  })

  test('that are three share one count as well', async () => {
    const others = await Promise.all([join(), join()])
    const subject = await makeSubject(3)
    expect(await burst([first, ...others], subject, 300)).toBe(limit)
    await Promise.all(others.map((server) => server.close()))
  })
})
