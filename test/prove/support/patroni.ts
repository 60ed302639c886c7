import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { chooseUser, type RunAs } from '../../../src/runtime/db/embedded/embedded-user.ts'
import { findProgram } from '../../support/find-program.ts'
import { freePort } from '../../support/process.ts'
import { until } from './until.ts'

/** PostgreSQL on several nodes of which Patroni makes one the primary; etcd knows which. All of it on this machine. */
export interface PatroniCluster {
  nodes: readonly PatroniNode[]
  /** All of them, as DATABASE_URL has it. */
  urlOf(database: string): string
  create(database: string): Promise<void>
  /** The primary, once all nodes follow it and one of them must have everything before it is acknowledged. */
  whole(): Promise<PatroniNode>
  remove(): Promise<void>
}

export interface PatroniNode {
  name: string
  urlOf(database: string): string
  start(): void
  /** Its PostgreSQL, every process of it, and its Patroni, without a word. */
  kill(): Promise<void>
}

/** What Debian calls the packages. */
const packages = { patroni: 'patroni, python3-etcd', etcd: 'etcd-server', pg_rewind: 'postgresql' }

/** What belongs to one version of PostgreSQL is not in PATH. */
const find = (program: string) => findProgram(program, ['/usr/lib/postgresql/*/bin'])

export function missingPatroni(): string | null {
  const missing = Object.entries(packages).filter(([program]) => find(program) === null)
  const words = missing.map(([program, names]) => `${program} (Debian: ${names})`)
  return words.length > 0 ? `no ${words.join(', no ')}` : null
}

/**
 * As short as they may be beside each other: a primary that is gone is missed after ten seconds. Nothing here depends on
 * it but how long the proof takes.
 */
const pace = { ttl: 10, loop_wait: 1, retry_timeout: 3 }

const login = { username: 'postgres', password: 'proof' }
const replication = { username: 'replicator', password: 'proof' }

interface Place {
  folder: string
  runAs: RunAs
  etcdPort: number
}

export async function startPatroni(count: number): Promise<PatroniCluster> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'entrepot-patroni-')))
  await chmod(folder, 0o755)
  const runAs = chooseUser([join(folder, 'any')])
  runAs.own(folder)
  const etcdPort = await freePort()
  const place: Place = { folder, runAs, etcdPort }
  const etcd = await startEtcd(place)
  const nodes: Node[] = []
  for (let n = 1; n <= count; n++) nodes.push(await makeNode(place, `node-${n}`))
  for (const node of nodes) node.start()
  const urlOf = (database: string) => {
    const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')
    return `postgres://${login.username}:${login.password}@${hosts}/${database}?target_session_attrs=read-write`
  }
  const whole = () =>
    until('all nodes follow a primary', () => findWhole(nodes), { seconds: 120, everyMs: 100 }).catch(
      async (error: unknown) => {
        throw new Error(`${error instanceof Error ? error.message : error}\n${await endOfLogs(folder)}`)
      },
    )
  return {
    nodes,
    urlOf,
    whole,
    async create(database) {
      const client = new pg.Client({ connectionString: (await whole()).urlOf('postgres') })
      await client.connect()
      await client.query(`create database ${database}`)
      await client.end()
    },
    async remove() {
      await Promise.all(nodes.map((node) => node.stop()))
      etcd.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function endOfLogs(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'))
  const ends = names.map(async (name) => {
    const lines = (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n')
    return `${name}: ${lines.slice(-4).join(' | ')}`
  })
  return (await Promise.all(ends)).join('\n')
}

function run({ folder, runAs }: Place, name: string, path: string, args: readonly string[]): ChildProcess {
  const { program, args: given, options } = runAs.command(path, args)
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, LANG: 'C.UTF-8' }
  // A file and no pipe: PostgreSQL writes to it as well, and outlives the Patroni that started it.
  const log = openSync(join(folder, `${name}.log`), 'a')
  try {
    const child = spawn(program, given, { ...options, env, cwd: folder, stdio: ['ignore', log, log] })
    child.on('error', () => undefined)
    return child
  } finally {
    closeSync(log)
  }
}

async function startEtcd(place: Place): Promise<ChildProcess> {
  const [clients, peers] = [`http://127.0.0.1:${place.etcdPort}`, `http://127.0.0.1:${await freePort()}`]
  const child = run(place, 'etcd', find('etcd') ?? '', [
    ...['--name', 'proof', '--data-dir', join(place.folder, 'etcd')],
    ...['--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `proof=${peers}`],
  ])
  await until('etcd answers', async () => (await fetch(`${clients}/health`).catch(() => null))?.ok)
  return child
}

interface Node extends PatroniNode {
  /** In good order, so that nothing stays behind. */
  stop(): Promise<void>
  port: number
  restUrl: string
}

async function makeNode(place: Place, name: string): Promise<Node> {
  const [port, restPort] = [await freePort(), await freePort()]
  const home = join(place.folder, name)
  const data = join(home, 'data')
  const file = join(home, 'patroni.yml')
  await mkdir(home, { mode: 0o755 })
  place.runAs.own(home)
  // JSON is YAML.
  await writeFile(file, JSON.stringify(describe(place, { name, port, restPort, home, data })), { mode: 0o644 })
  let patroni: ChildProcess | null = null
  const node: Node = {
    name,
    port,
    restUrl: `http://127.0.0.1:${restPort}`,
    urlOf: (database) => `postgres://${login.username}:${login.password}@127.0.0.1:${port}/${database}`,
    start() {
      patroni = run(place, name, find('patroni') ?? '', [file])
    },
    async kill() {
      const gone = over(patroni)
      const postmaster = await postmasterOf(data)
      const children = await childrenOf(postmaster)
      patroni?.kill('SIGKILL')
      for (const pid of [postmaster, ...children]) kill(pid)
      await gone
    },
    async stop() {
      const gone = over(patroni)
      patroni?.kill('SIGTERM')
      await Promise.race([gone, sleep(10_000)])
      await node.kill()
    },
  }
  return node
}

async function over(child: ChildProcess | null): Promise<void> {
  if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

function describe(
  { etcdPort }: Place,
  { name, port, restPort, home, data }: { name: string; port: number; restPort: number; home: string; data: string },
): object {
  const access = ['local all all trust', 'host all all 127.0.0.1/32 scram-sha-256']
  return {
    scope: 'proof',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...pace,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 150, wal_keep_size: '256MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: dirname(find('pg_rewind') ?? ''),
      pgpass: join(home, 'pgpass'),
      pg_hba: [...access, 'host replication all 127.0.0.1/32 scram-sha-256'],
      authentication: { superuser: login, replication },
      parameters: { unix_socket_directories: home, jit: 'off', timezone: 'UTC' },
    },
  }
}

/** As any node tells it, while all agree. */
async function findWhole(nodes: readonly Node[]): Promise<Node | null> {
  const views = await Promise.all(nodes.map(viewOf))
  const [first] = views
  if (!first || views.some((view) => view === null)) return null
  const leader = first.find(({ role }) => role === 'leader')
  const isSame = views.every((view) => view?.find(({ role }) => role === 'leader')?.name === leader?.name)
  const isSound = first.every(
    ({ state, timeline }) => (state === 'running' || state === 'streaming') && timeline === leader?.timeline,
  )
  const isSafe = first.some(({ role }) => role === 'sync_standby')
  if (!isSame || !isSound || !isSafe || first.length < nodes.length) return null
  return nodes.find(({ name }) => name === leader?.name) ?? null
}

interface Member {
  name: string
  role: string
  state: string
  timeline?: number
}

async function viewOf({ restUrl }: Node): Promise<Member[] | null> {
  try {
    const answer = await fetch(`${restUrl}/cluster`, { signal: AbortSignal.timeout(2000) })
    return ((await answer.json()) as { members: Member[] }).members
  } catch {
    return null
  }
}

/** Null if there is none: a number in the file may be somebody else's by now. */
async function postmasterOf(data: string): Promise<number | null> {
  const pid = Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => ''), 10)
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null)
  return folder === data ? pid : null
}

/** Whoever serves a connection outlives the first process by a statement, and could still acknowledge it. */
async function childrenOf(parent: number | null): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const parents = await Promise.all(pids.map(parentOf))
  return pids.filter((_, at) => parent !== null && parents[at] === parent)
}

async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name of the program, which may hold anything, is in brackets.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function kill(pid: number | null): void {
  try {
    if (pid !== null) process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
