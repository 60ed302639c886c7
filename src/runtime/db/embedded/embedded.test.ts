import { spawn } from 'node:child_process'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDataFolder } from '../../../../test/support/data-folder.ts'
import { createLog } from '../../log.ts'
import { openDatabase } from '../connection.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded.ts'
import { embeddedMajor } from './embedded-cluster.ts'
import { findMachine, settingsFor } from './embedded-settings.ts'

const log = createLog('silent')
let dataDir: string
let opened: EmbeddedPostgres[]

beforeEach(async () => {
  dataDir = await makeDataFolder()
  opened = []
})

afterEach(async () => {
  for (const postgres of opened) await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function open(): Promise<EmbeddedPostgres> {
  const postgres = await openEmbeddedPostgres({ dataDir, log })
  opened.push(postgres)
  return postgres
}

async function ask(url: string, text: string): Promise<unknown> {
  const database = openDatabase({ url, log })
  try {
    return await database.query(text)
  } finally {
    await database.close()
  }
}

const postmasterPid = async (): Promise<number> =>
  Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '0'), 10)

test('it is made once, stops in order, and holds its data', async () => {
  const first = await open()
  await ask(first.url, 'create table things as select 1 as id')
  await first.stop()
  expect(await postmasterPid()).toBe(0)
  const second = await open()
  expect(second.url).toBe(first.url)
  expect(await ask(second.url, 'select id from things')).toEqual([{ id: 1 }])
})

test('it takes of the machine what suits it', async () => {
  const { url } = await open()
  const expected = settingsFor(await findMachine(dataDir))
  const names = Object.keys(expected)
  const rows = (await ask(
    url,
    `select name, setting::bigint * (case unit when '8kB' then 8192 when 'kB' then 1024 else 1048576 end) / 1048576 as mb
     from pg_settings where name = any('{${names}}')`,
  )) as { name: string; mb: number }[]
  expect(Object.fromEntries(rows.map(({ name, mb }) => [name, `${mb}MB`]))).toEqual(expected)
})

test('what is committed is on disk, and the password is for us alone', async () => {
  const { url } = await open()
  expect(
    await ask(url, `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`),
  ).toEqual([{ fsync: 'on', commit: 'on' }])
  expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600)
  const wrong = new URL(url)
  wrong.password = 'wrong'
  await expect(ask(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
})

const refusedBy = 'insufficient privilege'
const codes: Record<string, string> = { 42501: refusedBy }

test('the service reads no files, starts no programs and makes no roles', async () => {
  const { url } = await open()
  const attempts = [
    `select pg_read_file('/etc/passwd')`,
    `copy (select 1) to program 'true'`,
    `copy (select 1) to '/tmp/entrepot-never'`,
    'create role somebody superuser',
    `alter role current_user superuser`,
    `select pg_ls_dir('/')`,
    'set role entrepot',
  ]
  for (const attempt of attempts) {
    const outcome = await ask(url, attempt).then(
      () => 'done',
      (error: { code?: string }) => codes[error.code ?? ''] ?? error.code,
    )
    expect([attempt, outcome]).toEqual([attempt, refusedBy])
  }
})

test('a folder in which the superuser worked is handed over whole, once', async () => {
  const first = await open()
  await ask(first.superuserUrl, 'create schema boss')
  await ask(first.superuserUrl, `create type boss.state as enum ('new', 'done')`)
  await ask(
    first.superuserUrl,
    'create table boss.jobs (id bigint generated always as identity, n bigserial, state boss.state) partition by list (state)',
  )
  await ask(first.superuserUrl, `create table boss.new_jobs partition of boss.jobs for values in ('new')`)
  await ask(first.superuserUrl, 'create table things as select 1 as id')
  await ask(first.superuserUrl, 'create view some_things as select id from things')
  await ask(first.superuserUrl, 'create sequence loose')
  await ask(first.superuserUrl, 'create function one() returns int language sql as $$ select 1 $$')
  await ask(first.superuserUrl, 'alter database entrepot owner to entrepot')
  await expect(ask(first.url, 'insert into things values (2)')).rejects.toMatchObject({ code: '42501' })
  await first.stop()
  const { url } = await open()
  await ask(url, `insert into boss.jobs (state) values ('new')`)
  await ask(url, 'alter table boss.jobs add column more text')
  await ask(url, `alter type boss.state add value 'other'`)
  await ask(url, 'drop function one')
  await ask(url, 'drop view some_things')
  await ask(url, 'drop table things')
  await ask(url, 'drop sequence loose')
  expect(
    await ask(url, 'select pg_get_userbyid(datdba) as owner from pg_database where datname = current_database()'),
  ).toEqual([{ owner: 'entrepot_service' }])
})

test('files of another major version are refused with the two commands that take the data over', async () => {
  const [version] = (await ask((await open()).url, `select current_setting('server_version_num') as n`)) as {
    n: string
  }[]
  expect(embeddedMajor).toBe(String(Math.floor(Number(version?.n) / 10_000)))
  await opened.pop()?.stop()
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
  await expect(openEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
    /was made by PostgreSQL 17; .* brings 18[\s\S]*entrepot backup --to[\s\S]*entrepot restore --from/,
  )
})

test('a server that was killed comes back with its data', async () => {
  const { url } = await open()
  await ask(url, 'create table things as select 1 as id')
  const killed = await postmasterPid()
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => ask(url, 'select id from things').catch(() => 'away'), { interval: 20 }).toEqual([{ id: 1 }])
  expect(await postmasterPid()).not.toBe(killed)
})

test('processes that start together share one server, and the last one stops it', async () => {
  const [one, ...others] = await Promise.all(Array.from({ length: 4 }, open))
  expect(new Set(opened.map(({ url }) => url)).size).toBe(1)
  await Promise.all(others.map((other) => other.stop()))
  expect(await ask(one?.url ?? '', 'select 1 as one')).toEqual([{ one: 1 }])
  await one?.stop()
  expect(await postmasterPid()).toBe(0)
})

test('the server of a process that was killed is used again', async () => {
  const script = `
    const { openEmbeddedPostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))})
    const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, '../../log.ts'))})
    await openEmbeddedPostgres({ dataDir: process.argv[1], log: createLog('silent') })
    process.stdout.write('ready')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const orphan = await postmasterPid()
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  const { url } = await open()
  expect(await postmasterPid()).toBe(orphan)
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a lock and a process id that were left behind do not matter', async () => {
  const first = await open()
  await first.stop()
  const { pid: gone } = await new Promise<{ pid: number | undefined }>((resolve) => {
    const child = spawn(process.execPath, ['-e', ''])
    child.once('exit', () => resolve({ pid: child.pid }))
  })
  await writeFile(join(dataDir, 'postgres.lock'), String(gone))
  // Our own id stands for one that now belongs to some other program.
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n${join(dataDir, 'postgres')}\n`)
  const { url } = await open()
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
})
