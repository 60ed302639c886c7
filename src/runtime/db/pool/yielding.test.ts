import { connect } from 'node:net'
import { getPriority } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { listenTcp, through } from '../../../../test/support/loopback.ts'
import { createLog } from '../../log.ts'
import { openDatabase } from '../connection.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createEmptyDatabase()
})
afterAll(() => database.drop())

async function priorityOf(url: string, options: { yields?: boolean }): Promise<number> {
  const connection = openDatabase({ url, log: createLog('silent'), ...options })
  try {
    const [row] = await connection.query<{ pid: number }>('select pg_backend_pid() as pid')
    return getPriority(row?.pid)
  } finally {
    await connection.close()
  }
}

// PostgreSQL is on this machine, and is ours; other systems than Linux show nobody what a process is called.
test.skipIf(process.platform !== 'linux')('PostgreSQL does last what is done for those who yield', async () => {
  const usual = await priorityOf(database.url, {})
  expect(await priorityOf(database.url, { yields: true })).toBe(usual + 5)
})

test.skipIf(process.platform !== 'linux')(
  'and leaves processes alone that serve another connection than ours',
  async () => {
    const { hostname, port } = new URL(database.url)
    const between = await listenTcp((near) => {
      const far = connect(Number(port), hostname)
      near
        .on('error', () => undefined)
        .pipe(far.on('error', () => undefined))
        .pipe(near)
    })
    const usual = await priorityOf(database.url, {})
    expect(await priorityOf(through(database.url, between.port), { yields: true })).toBe(usual)
    await between.close()
  },
)
