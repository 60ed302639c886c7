import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import {
  describeCluster,
  findPostmaster,
  makeCluster,
  startCluster,
  stopCluster,
} from '../../../src/runtime/db/embedded/embedded-cluster.ts'
import { superuser } from '../../../src/runtime/db/embedded/embedded-role.ts'
import { until } from './until.ts'

/** A PostgreSQL that the proof stops and starts as it likes, always at the same address. */
export interface OwnPostgres {
  urlOf(database: string): string
  create(database: string, template?: string): Promise<void>
  start(): Promise<void>
  /**
   * `fast` is an orderly stop, `immediate` one without a checkpoint, as in a crash, `kill` the crash itself. Resolves when
   * nobody is there any more.
   */
  stop(how: 'fast' | 'immediate' | 'kill'): Promise<void>
  remove(): Promise<void>
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'entrepot-prove-'))
  const cluster = await describeCluster(dataDir, { max_connections: 300 })
  await makeCluster(cluster)
  const { port } = await startCluster(cluster)
  const urlOf = (database: string) => `postgres://${superuser}:${cluster.password}@127.0.0.1:${port}/${database}`
  return {
    urlOf,
    async create(database, template = 'template1') {
      const client = new pg.Client({ connectionString: urlOf('postgres') })
      await client.connect()
      await client.query(`create database ${database} template ${template}`)
      await client.end()
    },
    async start() {
      await startCluster(cluster, port)
    },
    async stop(how) {
      const postmaster = await findPostmaster(cluster)
      if (how === 'immediate' && postmaster) process.kill(postmaster.pid, 'SIGQUIT')
      if (how === 'kill' && postmaster) await kill(postmaster.pid, urlOf('postgres'))
      else await stopCluster(cluster)
    },
    async remove() {
      await stopCluster(cluster)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Those who serve connections end by themselves when the first process is gone, but not before they have finished a statement. */
async function kill(postmaster: number, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
  process.kill(postmaster, 'SIGKILL')
  await client.end().catch(() => undefined)
  await until('all processes of the database are gone', async () => !rows.some(({ pid }) => isAlive(pid)), {
    everyMs: 5,
  })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
