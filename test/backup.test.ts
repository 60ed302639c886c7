import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginEra } from '../src/domain/inbound/eras/era-store.ts'
import { checkSealed } from '../src/domain/rotate-keys/check-sealed.ts'
import { queueRun } from '../src/domain/runs/queue-run.ts'
import { decodeFrames, encodeFrame } from '../src/runtime/db/backup/frames.ts'
import { restoreBackup, skippedNumbers } from '../src/runtime/db/backup/read-into.ts'
import { type BackupOptions, readBackup } from '../src/runtime/db/backup/write-backup.ts'
import { installed, makeMerchant } from './integrations/support.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from './support/database.ts'
import { finish, runEntrepot, startEntrepot } from './support/process.ts'
import { runsOver } from './support/runs-over.ts'
import { startTestServer, testKeys } from './support/server.ts'
import { until } from './support/until.ts'

let folder: string
let source: TestDatabase
let integration: number
const targets: TestDatabase[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'entrepot-backup-'))
  source = await createTestDatabase()
  // Somebody works until everything is there, and nobody after that: what is compared stays as it is.
  const working = await startTestServer({ databaseUrl: source.url, works: true })
  const merchant = await makeMerchant(working)
  integration = Number((await installed(merchant))['id'])
  await merchant.asApp('POST', `/integrations/${integration}/action`, { resource: 'sync_orders' })
  await runsOver(working.context, integration)
  await working.close()
  const queueing = await startTestServer({ databaseUrl: source.url })
  const { context } = queueing
  await context.transaction((trx) => queueRun(context, trx, integration, { resource: 'sync_orders', input: {} }))
  // Its keys are its own.
  await context.transaction((trx) => beginEra(trx, 2))
  await queueing.close()
})
afterAll(async () => {
  for (const database of [source, ...targets]) await database.drop()
  await rm(folder, { recursive: true })
})

/** With its queue, as a program has left it that was started once. */
async function freshTarget(): Promise<string> {
  const target = await createTestDatabase()
  targets.push(target)
  await (await startTestServer({ databaseUrl: target.url })).close()
  return target.url
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** How many rows every table has, and a sum over all that is in them. */
async function contents(url: string): Promise<{ name: string; n: number; sum: string }[]> {
  const tables = await query<{ name: string }>(
    url,
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname <> 'migrations' order by 1`,
  )
  const each = ({ name }: { name: string }) =>
    `select '${name}' as name, count(*)::int as n, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as sum from ${name} t`
  return await query(url, `${tables.map(each).join(' union all ')} order by 1`)
}

async function saved(part: BackupOptions['part'] = 'all'): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const frame of readBackup({ url: source.url, part })) pieces.push(...encodeFrame(frame))
  return Buffer.concat(pieces)
}

/** In pieces that end anywhere, as they come from a file. */
function restore(url: string, bytes: Buffer, pieceBytes = 10_007) {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, n) =>
    bytes.subarray(n * pieceBytes, (n + 1) * pieceBytes),
  )
  return restoreBackup({ url, frames: decodeFrames(Readable.from(pieces)), prepare: async () => undefined })
}

test('what is restored is every row of every table, and numbers that go on further on', async () => {
  const target = await freshTarget()
  const head = await restore(target, await saved())
  expect(head).toMatchObject({ part: 'all', at: expect.stringMatching(/^\d{4}-/) })
  const before = await contents(source.url)
  expect(await contents(target)).toEqual(before)
  expect(before.find(({ name }) => name === 'orders')?.n).toBeGreaterThan(0)
  const numbers = `select sequencename as name, coalesce(last_value, 0)::int as last from pg_sequences
    where schemaname = 'public' order by 1`
  const ahead = (await query<{ name: string; last: number }>(source.url, numbers)).map(({ name, last }) => ({
    name,
    last: last + skippedNumbers,
  }))
  expect(await query(target, numbers)).toEqual(ahead)
  const keys = `select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as words from pg_constraint
    where contype in ('p', 'u', 'f') order by 1, 2, 3`
  expect(await query(target, keys)).toEqual(await query(source.url, keys))
})

test('a restored service works: what was sealed opens, jobs that waited are done, new numbers collide with none', async () => {
  const target = await freshTarget()
  await restore(target, await saved())
  const other = await startTestServer({ databaseUrl: target, works: true })
  try {
    expect(await checkSealed(other.context)).toMatchObject({ unreadable: [] })
    await runsOver(other.context, integration)
    // Whoever works there may compare the shop as well.
    const runs = `select resource, status from runs where integration_id = ${integration} and resource <> 'reconcile'
      order by id desc limit 1`
    expect(await query(target, runs)).toEqual([{ resource: 'sync_orders', status: 'completed' }])
    expect(Number((await installed(await makeMerchant(other)))['id'])).toBeGreaterThan(skippedNumbers)
  } finally {
    await other.close()
  }
})

test('a database that has been used is left alone', async () => {
  const before = await contents(source.url)
  await expect(restore(source.url, await saved())).rejects.toThrow('The database is not empty.')
  expect(await contents(source.url)).toEqual(before)
})

test('keys of customer data that are kept apart are in a file of their own, and nowhere else', async () => {
  const target = await freshTarget()
  await restore(target, await saved('without keys'))
  expect(await query(target, 'select count(*)::int as n from privacy_keys')).toEqual([{ n: 0 }])
  await restore(target, await saved('keys'))
  expect(await contents(target)).toEqual(await contents(source.url))
})

test('a shop that was connected between the backup and its keys keeps neither from being restored', async () => {
  const target = await freshTarget()
  const data = await saved('without keys')
  const id = 987_654_321
  await query(source.url, `insert into integration_state (integration_id) values (${id})`)
  await query(
    source.url,
    `insert into privacy_keys (integration_id, sealed, key_id)
     select ${id}, sealed, key_id from privacy_keys where integration_id = ${integration}`,
  )
  const keys = await saved('keys')
  await query(source.url, `delete from integration_state where integration_id = ${id}`)
  await restore(target, data)
  await restore(target, keys)
  const restored = 'select integration_id, sealed from privacy_keys order by 1'
  expect(await query(target, restored)).toEqual(await query(source.url, restored))
})

test('a backup that was cut short anywhere is refused, and leaves nothing behind', async () => {
  const whole = await saved()
  const target = await freshTarget()
  for (const share of [0.3, 1]) {
    const cut = whole.subarray(0, Math.floor(whole.length * share) - 1)
    await expect(restore(target, cut)).rejects.toThrow(/not whole|not a backup/)
  }
  expect(await query(target, 'select count(*)::int as n from users')).toEqual([{ n: 0 }])
  await restore(target, whole)
})

test('from one place to another at the command line, in one line', async () => {
  const target = await createEmptyDatabase()
  targets.push(target)
  const file = join(folder, 'backup')
  const [{ id, key }] = testKeys
  const entrepot = (url: string, ...args: string[]) =>
    runEntrepot(args, { env: { DATABASE_URL: url, ENTREPOT_MASTER_KEYS: `${id}:${key.toString('base64')}` } })
  expect(await entrepot(source.url, 'backup', '--to', file)).toMatchObject({ code: 0, stderr: '' })
  expect((await stat(file)).mode & 0o077).toBe(0)
  const done = await entrepot(target.url, 'restore', '--from', file)
  expect(done.stderr).toBe('')
  expect(done.stdout).toMatch(/Restored as of .*\. [1-9]\d* sealed values open with the master keys\./)
  expect(await contents(target.url)).toEqual(await contents(source.url))
  const waiting = `select name, data, priority, singleton_key from pgboss.job
    where name = 'perform-run' and state < 'completed' order by created_on`
  expect(await query(target.url, waiting)).toEqual(await query(source.url, waiting))
  expect(await query(target.url, waiting)).not.toEqual([])
  await writeFile(file, 'Hello.')
  const wrong = await entrepot(target.url, 'restore', '--from', file)
  expect([wrong.code, wrong.stderr]).toEqual([1, 'This file is not an Entrepot backup, or it is incomplete.\n'])
})

describe('a file that is being written', () => {
  const env = () => {
    const [{ id, key }] = testKeys
    return { DATABASE_URL: source.url, ENTREPOT_MASTER_KEYS: `${id}:${key.toString('base64')}` }
  }
  const held = `select pid from pg_stat_activity
    where datname = current_database() and application_name = 'entrepot backup' and wait_event_type = 'Lock'`

  /** What is begun comes to the middle, so many at once, and goes on after `then`. */
  async function inTheMiddle<Begun>(count: number, begin: () => Begun, then?: (begun: Begun) => void): Promise<Begun> {
    const client = new pg.Client({ connectionString: source.url })
    await client.connect()
    try {
      await client.query('begin')
      await client.query('lock table users in access exclusive mode')
      const begun = begin()
      await until(async () => (await query(source.url, held)).length === count)
      then?.(begun)
      await client.query('commit')
      return begun
    } finally {
      await client.end()
    }
  }

  test('by two at once is whole, and that of one of them', async () => {
    const own = await mkdtemp(join(folder, 'two-'))
    const file = join(own, 'backup')
    const backup = () => runEntrepot(['backup', '--to', file], { env: env() })
    const both = await inTheMiddle(2, () => [backup(), backup()])
    const ends = (await Promise.all(both)).map(({ code, stderr }) => [code, stderr])
    expect(ends).toEqual(Array(2).fill([0, '']))
    expect(await readdir(own)).toEqual(['backup'])
    const frames: unknown[] = []
    for await (const frame of decodeFrames(createReadStream(file).pipe(createZstdDecompress()))) frames.push(frame)
    expect(frames.at(-1)).toEqual({ kind: 'line', value: { whole: true } })
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('until %s is not there, and the one before it stays', async (signal) => {
    const own = await mkdtemp(join(folder, 'stopped-'))
    const file = join(own, 'backup')
    await writeFile(file, 'That of yesterday.')
    const begin = () => {
      const child = startEntrepot(['backup', '--to', file], { env: env() })
      return { child, end: finish(child) }
    }
    const { end } = await inTheMiddle(1, begin, ({ child }) => child.kill(signal))
    expect(await end).toMatchObject({ code: 1, stderr: 'The backup was stopped before it was whole.\n' })
    expect(await readdir(own)).toEqual(['backup'])
    expect(await readFile(file, 'utf8')).toBe('That of yesterday.')
  })

  test('is on the disk before it has its name, and then the name is', async () => {
    const file = join(await mkdtemp(join(folder, 'disk-')), 'backup')
    const steps = join(folder, 'steps')
    // Of the process that writes: what it asks of the disk, in its order.
    const watch = `import { appendFileSync } from 'node:fs'
      import fs from 'node:fs/promises'
      import { syncBuiltinESMExports } from 'node:module'
      const say = (step) => appendFileSync(${JSON.stringify(steps)}, step + '\\n')
      const { open, rename } = fs
      fs.open = async (path, ...rest) => {
        const file = await open(path, ...rest)
        const { sync } = file
        file.sync = async () => { await sync.call(file); say('sync ' + path) }
        return file
      }
      fs.rename = async (from, to) => { await rename(from, to); say('rename ' + to) }
      syncBuiltinESMExports()`
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(watch)}`
    expect(await runEntrepot(['backup', '--to', file], { env: { ...env(), NODE_OPTIONS } })).toMatchObject({ code: 0 })
    const seen = (await readFile(steps, 'utf8')).trim().split('\n')
    expect(seen.map((step) => step.replace(/\.[^/]*part$/, '.part'))).toEqual([
      `sync ${file}.part`,
      `rename ${file}`,
      `sync ${dirname(file)}`,
    ])
  })

  test('takes the place of no other, and has no words of ours in it', async () => {
    const file = join(await mkdtemp(join(folder, 'keys-')), 'backup')
    const same = await runEntrepot(['backup', '--to', file, '--keys-to', `${dirname(file)}/./backup`], { env: env() })
    expect(same).toMatchObject({ code: 1, stderr: expect.stringContaining('two files') })
    const keys = await runEntrepot(['backup', '--to', file, '--keys-to', '-'], { env: env() })
    expect(keys).toMatchObject({ code: 0, stderr: '' })
    expect(keys.stdout.slice(0, 1) + keys.stdout.slice(2, 3)).toBe('(/')
    expect(keys.stdout).not.toMatch(/ MB$|Everything is in/m)
  })
})

test('a database that PostgreSQL has restored goes on with numbers further on, and is told whether the keys open it', async () => {
  const target = await freshTarget()
  await restore(target, await saved())
  const before = await contents(target)
  const next = async () => (await query<{ n: string }>(target, `select nextval('accounts_id_seq') as n`))[0]?.n
  const reached = Number(await next())
  const entrepot = (key: Buffer, ...args: string[]) =>
    runEntrepot(['restore', ...args], {
      env: { DATABASE_URL: target, ENTREPOT_MASTER_KEYS: `${testKeys[0].id}:${key.toString('base64')}` },
    })
  const done = await entrepot(testKeys[0].key, '--in-place')
  expect([done.code, done.stderr]).toEqual([0, ''])
  expect(done.stdout).toMatch(
    /^New numbers begin 1000000 further on\. [1-9]\d* sealed values open with the master keys\.$/m,
  )
  expect(Number(await next())).toBeGreaterThan(reached + skippedNumbers)
  expect(await contents(target)).toEqual(before)
  expect((await entrepot(Buffer.alloc(32, 9), '--in-place')).code).toBe(1)
  for (const args of [[], ['--in-place', '--from', join(folder, 'backup')]]) {
    expect(await entrepot(testKeys[0].key, ...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--in-place'),
    })
  }
})
