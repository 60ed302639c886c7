import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, globSync, openSync } from 'node:fs'
import { appendFile, chmod, mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { chooseUser } from '../../../src/runtime/db/embedded/embedded-user.ts'
import { freePort } from '../../support/process.ts'
import { until } from './until.ts'

/**
 * A PostgreSQL that archives what it writes, and is brought back from a base backup and that archive as of any moment, by the
 * commands of docs/guides/operate.md. The one that comes with us has no `pg_basebackup`, so this is one of the machine.
 */
export interface ArchivingPostgres {
  /** Of the one that runs. */
  urlOf(database: string): string
  create(database: string): Promise<void>
  baseBackup(): Promise<void>
  /** Until all that is committed by now is in the archive. */
  archived(): Promise<void>
  /** It dies on the spot, and its files are gone. */
  lose(): Promise<void>
  /** As it was then, at another address. */
  restore(moment: string): Promise<void>
  remove(): Promise<void>
}

const login = { username: 'postgres', password: 'proof' }

const programs = ['initdb', 'pg_ctl', 'pg_basebackup']

/** Where all of them lie, of one version: in PATH, Debian has something that chooses among several. */
const findPrograms = (): string | null => {
  const versions = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  const folders = [...versions, ...(process.env['PATH'] ?? '').split(delimiter)]
  return folders.find((folder) => programs.every((program) => existsSync(join(folder, program)))) ?? null
}

export const missingArchiving = (): string | null =>
  findPrograms() === null ? `no ${programs.join(', ')} (Debian: postgresql)` : null

export async function startArchivingPostgres(): Promise<ArchivingPostgres> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'entrepot-archive-')))
  const [data, base, archive] = [join(home, 'data'), join(home, 'base'), join(home, 'archive')]
  const runAs = chooseUser([join(home, 'any')])
  await chmod(home, 0o755)
  await mkdir(archive)
  for (const path of [home, archive]) runAs.own(path)
  let port = 0
  const urlOf = (database: string) => `postgres://${login.username}:${login.password}@127.0.0.1:${port}/${database}`

  async function run(name: string, ...args: string[]): Promise<void> {
    const { program, args: given, options } = runAs.command(join(findPrograms() ?? '', name), args)
    // A file and no pipe: the server that pg_ctl starts keeps it open.
    const log = openSync(join(home, `${name}.log`), 'a')
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', PGPASSWORD: login.password }
    const child = spawn(program, given, { ...options, env, cwd: home, stdio: ['ignore', log, log] })
    closeSync(log)
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`${name} ends with ${code}: ${await readFile(join(home, `${name}.log`), 'utf8')}`)
  }

  async function start(): Promise<void> {
    port = await freePort()
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${home}`
    await run('pg_ctl', '--pgdata', data, '--log', join(home, 'server.log'), '--options', options, '--wait', 'start')
  }

  const query = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: urlOf('postgres') })
    await client.connect()
    try {
      return (await client.query<Row>(text, [...values])).rows
    } finally {
      await client.end()
    }
  }

  const passwordFile = join(home, 'password')
  await writeFile(passwordFile, login.password, { mode: 0o644 })
  await run('initdb', '--pgdata', data, '--username', login.username, '--pwfile', passwordFile, '--auth=scram-sha-256')
  await appendFile(
    join(data, 'postgresql.conf'),
    `\nmax_connections = 150\njit = off\ntimezone = 'UTC'
archive_mode = on\narchive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'\n`,
  )
  await start()
  return {
    urlOf,
    create: async (database) => void (await query(`create database ${database}`)),
    baseBackup: () => run('pg_basebackup', '--pgdata', base, '--checkpoint', 'fast', '--dbname', urlOf('postgres')),
    async archived() {
      const [last] = await query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file')
      const text = 'select 1 as there from pg_stat_archiver where last_archived_wal >= $1'
      await until('it is archived', async () => (await query(text, [last?.file])).length > 0)
    },
    async lose() {
      await run('pg_ctl', '--pgdata', data, '--mode', 'immediate', 'stop')
      await rm(data, { recursive: true })
    },
    async restore(moment) {
      await rename(base, data)
      await appendFile(
        join(data, 'postgresql.conf'),
        `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${moment}'\nrecovery_target_action = 'promote'\n`,
      )
      await writeFile(join(data, 'recovery.signal'), '')
      runAs.own(join(data, 'recovery.signal'))
      await start()
      const text = 'select 1 as there where not pg_is_in_recovery()'
      await until('it takes writes', async () => (await query(text)).length > 0, { seconds: 300 })
    },
    async remove() {
      await run('pg_ctl', '--pgdata', data, '--mode', 'immediate', 'stop').catch(() => undefined)
      await rm(home, { recursive: true, force: true })
    },
  }
}
