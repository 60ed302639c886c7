import { sql } from 'kysely'
import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { watchStatements } from '../../../test/support/watch-statements.ts'
import { Fault, invalidField } from '../../lib/fault.ts'
import { type Database, openDatabase } from '../db/connection.ts'
import { createLog } from '../log.ts'
import { every, type Job, job, type Running, type TakeTurns } from './job.ts'
import { openQueue, type Queue, queueConnections } from './queue.ts'
import { startWorker, type Worker } from './worker.ts'

const log = createLog('silent')
const input = Type.Object({ text: Type.String() })
type Input = { text: string }

/** What a test lets the jobs do. */
interface Context {
  run(name: string, input: Input, running: Running): Promise<void>
}

const define = (name: string, oneAtATime?: (input: Input) => string): Job<Input, Context> =>
  job({
    name,
    input,
    retry: { attempts: 2, delaySeconds: 0 },
    ...(oneAtATime ? { oneAtATime } : {}),
    run: (context: Context, given, running) => context.run(name, given, running),
  })

const plain = define('plain')
const ordered = define('ordered', ({ text }) => text.slice(0, 1))
const jobs = [plain, ordered]

let database: TestDatabase
let connection: Database
let queue: Queue
let worker: Worker
let received: string[]
const context: Context = { run: async () => undefined }

beforeAll(async () => {
  database = await createEmptyDatabase()
  connection = openDatabase({ url: database.url, log })
})

afterAll(async () => {
  await connection.close()
  await database.drop()
})

beforeEach(async () => {
  received = []
  context.run = async (name, { text }) => {
    received.push(`${name} ${text}`)
  }
  queue = await openQueue({ url: database.url, jobs, log, works: true })
  worker = await startWorker({ queue, jobs, context, log })
})

afterEach(async () => {
  await worker.stop({ timeoutMs: 1000 })
  await queue.boss.deleteAllJobs()
  await queue.close()
})

const enqueue = (target: Job<Input>, text: string, key?: string) =>
  connection.transaction((trx) => queue.enqueue(trx, target, { text }, key === undefined ? {} : { key }))
const deadLetters = (target: Job<Input>) => queue.boss.findJobs<{ input: Input }>(`${target.name}-dead`)

test('what claims jobs and what says that they are done is planned once', async () => {
  // A statement is planned from its third use on a connection: so many jobs that one of them has had it as often.
  for (let n = 0; n <= 2 * queueConnections; n++) {
    await enqueue(plain, `${n}`)
    await expect.poll(() => received.length).toBe(n + 1)
  }
  const planned = new Set<string>()
  const askAll = async () => {
    const asked = Array.from({ length: queueConnections }, () =>
      queue.boss.getDb().executeSql('select statement from pg_prepared_statements'),
    )
    for (const { rows } of await Promise.all(asked)) for (const { statement } of rows) planned.add(statement)
    return [...planned]
  }
  await expect.poll(askAll).toContainEqual(expect.stringMatching(/^\s*with\s+next .*update pgboss.job/is))
  await expect.poll(askAll).toContainEqual(expect.stringMatching(/^\s*with\s+input .*update pgboss.job/is))
})

test('a job of a committed transaction runs within a second', async () => {
  await enqueue(plain, 'one')
  await expect.poll(() => received).toEqual(['plain one'])
})

test('a job of a transaction that is taken back never runs', async () => {
  const work = connection.transaction(async (trx) => {
    await queue.enqueue(trx, plain, { text: 'lost' })
    throw new Error('taken back')
  })
  await expect(work).rejects.toThrow('taken back')
  await enqueue(plain, 'after it')
  await expect.poll(() => received).toEqual(['plain after it'])
})

test('a transaction that enqueues notifies nobody before it has committed: all that do queue behind each other', async () => {
  const watch = watchStatements()
  const { statements } = await watch
    .during(() =>
      connection.transaction(async (trx) => {
        await queue.enqueue(trx, plain, { text: 'one' })
        await queue.enqueue(trx, ordered, { text: 'a1' })
      }),
    )
    .finally(watch.stop)
  expect(statements).toContain('commit')
  const inside = statements.slice(0, statements.indexOf('commit'))
  expect(inside.filter((text) => /insert into pgboss\.job/i.test(text))).toHaveLength(2)
  expect(inside.filter((text) => text.includes('pg_notify'))).toEqual([])
  await expect.poll(() => [...received].sort()).toEqual(['ordered a1', 'plain one'])
})

test('a process that works nothing can enqueue all the same', async () => {
  const sender = await openQueue({ url: database.url, jobs, log, works: false })
  await connection.transaction((trx) => sender.enqueue(trx, plain, { text: 'from afar' }))
  await expect.poll(() => received).toEqual(['plain from afar'])
  await sender.close()
})

test('a queue is as the last version that started says, and another start of it writes nothing', async () => {
  const { url, drop } = await createEmptyDatabase()
  const own = openDatabase({ url, log })
  const startWith = async (some: readonly Job<Input, Context>[]) => {
    await (await openQueue({ url, jobs: some, log, works: false })).close()
    const rows = await own.query<{ name: string; retry_limit: number; version: string }>(
      'select name, retry_limit, xmin::text as version from pgboss.queue order by name',
    )
    return new Map(rows.map(({ name, ...queue }) => [name, queue]))
  }
  const first = await startWith(jobs)
  expect([...first.keys()]).toEqual(['ordered', 'ordered-dead', 'plain', 'plain-dead'])
  expect(await startWith(jobs)).toEqual(first)
  const patient = { ...plain, retry: { ...plain.retry, attempts: 9 } }
  const second = await startWith([patient, ordered])
  expect([...second].filter(([name, { version }]) => version !== first.get(name)?.version)).toMatchObject([
    ['plain', { retry_limit: 8 }],
  ])
  expect((await startWith(jobs)).get('plain')?.retry_limit).toBe(1)
  await own.close()
  await drop()
})

test('a backlog is worked off without pauses', async () => {
  await connection.transaction(async (trx) => {
    for (let n = 0; n < 50; n++) await queue.enqueue(trx, plain, { text: String(n) })
  })
  await expect.poll(() => received.length).toBe(50)
})

test('a key that was busy when a process looked is free for it as soon as it is', async () => {
  const { promise: end, resolve: finish } = Promise.withResolvers<void>()
  context.run = async (_name, { text }) => {
    received.push(text)
    if (text === 'a1') await end
  }
  await enqueue(ordered, 'a1')
  await expect.poll(() => received).toEqual(['a1'])
  await sql`update pgboss.queue set monitor_on = null, monitor_claim_on = null`.execute(connection.db)
  await queue.boss.supervise()
  const other = await openQueue({ url: database.url, jobs, log })
  const colleague = await startWorker({ queue: other, jobs, context, log })
  finish()
  await worker.stop({ timeoutMs: 1000 })
  await enqueue(ordered, 'a2')
  await expect.poll(() => received).toEqual(['a1', 'a2'])
  await colleague.stop({ timeoutMs: 1000 })
  await other.close()
})

test('a job that fails is tried again and then goes to the dead letters', async () => {
  const attempts: number[] = []
  context.run = async (_name, _input, { attempt }) => {
    attempts.push(attempt)
    throw new Error('broken')
  }
  await enqueue(plain, 'bad')
  await expect.poll(() => deadLetters(plain)).toHaveLength(1)
  expect(attempts).toEqual([1, 2])
  expect(await deadLetters(plain)).toMatchObject([{ data: { input: { text: 'bad' } } }])
})

test('a fault that another try cannot mend goes to the dead letters at once, and can be revived', async () => {
  const attempts: number[] = []
  context.run = async (_name, _input, { attempt }) => {
    attempts.push(attempt)
    if (attempts.length === 1) throw invalidField('text', 'The text is wrong.')
  }
  await enqueue(plain, 'wrong')
  await expect.poll(() => deadLetters(plain)).toHaveLength(1)
  expect(attempts).toEqual([1])
  expect(await queue.revive(plain)).toBe(1)
  await expect.poll(() => attempts).toHaveLength(2)
})

test('an outside service that is away is tried again', async () => {
  context.run = async (_name, { text }, { attempt }) => {
    if (attempt === 1) throw new Fault('upstream_retryable', 'away')
    received.push(text)
  }
  await enqueue(plain, 'patient')
  await expect.poll(() => received).toEqual(['patient'])
})

test('jobs that come due are found while others hang, whichever slot those have', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  context.run = async (_name, { text }) => {
    received.push(text)
    if (text.startsWith('hangs')) await released
  }
  for (const text of ['hangs 1', 'hangs 2', 'hangs 3']) await enqueue(plain, text)
  await expect.poll(() => received).toHaveLength(3)
  await connection.transaction((trx) => queue.enqueue(trx, plain, { text: 'due' }, { startAfterSeconds: 1 }))
  await expect.poll(() => received).toContain('due')
  release()
})

test('a job that is put off by a worker is found when it comes due, and not at its next look', async () => {
  context.run = async (_name, { text }) => {
    received.push(text)
    const left = Number(text) - 1
    if (left > 0) await putOff(`${left}`, 0.1)
  }
  const putOff = (text: string, startAfterSeconds: number) =>
    connection.transaction((trx) => queue.enqueue(trx, plain, { text }, { startAfterSeconds }))
  await putOff('12', 0.1)
  // Twelve looks of two seconds would take longer than that.
  await expect.poll(() => received).toHaveLength(12)
})

test('jobs with the same key run one after the other, and others do not wait for them', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let running = 0
  let peak = 0
  context.run = async (_name, { text }) => {
    if (text.startsWith('a')) {
      peak = Math.max(peak, ++running)
      await released
      running--
    }
    received.push(text)
  }
  await enqueue(ordered, 'a1')
  await enqueue(ordered, 'a2')
  await enqueue(ordered, 'a3')
  await enqueue(ordered, 'b1')
  await expect.poll(() => received).toEqual(['b1'])
  release()
  await expect.poll(() => received).toHaveLength(4)
  expect(peak).toBe(1)
})

test.each([plain, ordered])('of the jobs with one key only one waits ($name)', async (target) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  context.run = async (_name, { text }) => {
    received.push(text)
    await released
  }
  await connection.transaction(async (trx) => {
    await queue.enqueue(trx, target, { text: 'x first' }, { key: 'same' })
    await queue.enqueue(trx, target, { text: 'x second' }, { key: 'same' })
  })
  await expect.poll(() => received).toEqual(['x first'])
  release()
  await enqueue(target, 'x last')
  await expect.poll(() => received).toEqual(['x first', 'x last'])
})

test('a worker that stops lets a running job finish', async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  context.run = async (_name, { text }) => {
    start()
    await released
    received.push(text)
  }
  await enqueue(plain, 'slow')
  await started
  const stopping = worker.stop({ timeoutMs: 5000 })
  release()
  await stopping
  expect(received).toEqual(['slow'])
  const [left] = await queue.boss.findJobs('plain')
  expect(left).toMatchObject({ state: 'completed' })
})

test('what does not finish in time is given back and aborted', async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const { promise: aborted, resolve: abort } = Promise.withResolvers<void>()
  context.run = async (_name, _input, { signal }) => {
    signal.addEventListener('abort', () => abort())
    start()
    await aborted
  }
  await enqueue(plain, 'endless')
  await started
  await worker.stop({ timeoutMs: 100 })
  await aborted
  const [left] = await queue.boss.findJobs('plain')
  expect(left).toMatchObject({ state: 'retry' })
})

test('the end of all server connections does not end the worker', async () => {
  await enqueue(plain, 'before')
  await expect.poll(() => received).toEqual(['plain before'])
  await connection.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'entrepot jobs' and datname = current_database()`,
  )
  await enqueue(plain, 'after')
  await expect.poll(() => received).toEqual(['plain before', 'plain after'])
})

test('what the clock starts is taken up at once', async () => {
  const hand = define('hand')
  const own = await openQueue({ url: database.url, jobs: [hand], log, works: true })
  const recurring = [every('60 seconds', hand, { text: 'moves' })]
  const keeper = await startWorker({ queue: own, jobs: [hand], recurring, context, log })
  // Sooner than whoever looks around every two seconds.
  await expect.poll(() => received).toEqual(['hand moves'])
  await keeper.stop({ timeoutMs: 1000 })
  await own.close()
})

test('what came due by the calendar while no worker ran is done once, as soon as one does', async () => {
  const nightly = define('nightly')
  const recurring = [every('0 3 * * *', nightly, { text: 'clears up' })]
  const open = () => openQueue({ url: database.url, jobs: [nightly], log, works: true })
  const before = await open()
  const first = await startWorker({ queue: before, jobs: [nightly], recurring, context, log })
  await first.stop({ timeoutMs: 1000 })
  await before.close()
  await sql`update pgboss.schedule set created_on = now() - interval '9 days'`.execute(connection.db)
  await sql`update pgboss.version set cron_on = now() - interval '3 days'`.execute(connection.db)

  const after = await open()
  const second = await startWorker({ queue: after, jobs: [nightly], recurring, context, log })
  await expect.poll(() => received).toEqual(['nightly clears up'])
  await second.stop({ timeoutMs: 1000 })
  expect(await after.boss.findJobs('nightly')).toHaveLength(1)
  await after.boss.unschedule('nightly')
  await after.close()
})

test('what looks for work by the clock is not queued while there is none', async () => {
  let [asked, work] = [0, false]
  const look = job({
    name: 'look',
    input,
    hasWork: async () => {
      asked += 1
      return work
    },
    run: (given: Context, found, running) => given.run('look', found, running),
  })
  const own = await openQueue({ url: database.url, jobs: [look], log, works: true })
  const recurring = [every('1 second', look, { text: 'around' })]
  const keeper = await startWorker({ queue: own, jobs: [look], recurring, context, log })
  await expect.poll(() => asked).toBeGreaterThanOrEqual(3)
  expect(await own.boss.findJobs('look')).toEqual([])
  work = true
  await expect.poll(() => received[0]).toBe('look around')
  await keeper.stop({ timeoutMs: 1000 })
  await own.close()
})

test('a recurring job runs once in each interval, however many workers keep the time', async () => {
  const tick = define('tick')
  const more = { jobs: [tick], recurring: [every('1 second', tick, { text: 'now' })], context, log }
  const queues = await Promise.all(
    [1, 2, 3].map(() => openQueue({ url: database.url, jobs: [tick], log, works: true })),
  )
  const workers = await Promise.all(queues.map((own) => startWorker({ queue: own, ...more })))
  await expect.poll(() => received.length).toBeGreaterThanOrEqual(3)
  await Promise.all(workers.map((own) => own.stop({ timeoutMs: 1000 })))
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pgboss.job where name = 'tick' group by singleton_on`.execute(connection.db)
  expect(rows.every(({ n }) => n === 1)).toBe(true)
  await Promise.all(queues.map((own) => own.close()))
})

test('who has many waiting takes turns with the others, however long they have waited', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  context.run = async (_name, { text }) => {
    received.push(text)
    await released
  }
  const latest = new Map<number, number>()
  const take: TakeTurns = async (_trx, of, reached) =>
    of.map((tenant) => {
      const own = Math.max((latest.get(tenant) ?? -1) + 1, reached ?? Math.max(0, ...latest.values()))
      latest.set(tenant, own)
      return own
    })
  const add = (of: number, texts: readonly string[]) =>
    connection.transaction(async (trx) => {
      for (const text of texts) await queue.enqueue(trx, ordered, { text }, { turn: { take, of } })
    })
  // Those of one key run one after the other: four keys, so that all that is done at once is the first tenant's.
  const many = Array.from({ length: 40 }, (_, n) => `${'abcd'[n % 4]}x${n}`)
  await add(1, many)
  await expect.poll(() => received).toHaveLength(4)
  await add(2, ['e1'])
  await add(2, ['e2'])
  release()
  await expect.poll(() => received).toHaveLength(42)
  // Which of the two is first nobody promises: they came in the same moment, and run one after the other.
  const [first, second] = [received.indexOf('e1'), received.indexOf('e2')].sort((a, b) => a - b)
  expect(first).toBeLessThan(10)
  expect(second).toBeLessThan(20)
})
