import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomSecret } from '../../../lib/secret.ts'
import { type Binaries, findBinaries } from './embedded-binaries.ts'
import { createFile, hasCode, isAlive } from './embedded-lock.ts'
import { superuser } from './embedded-role.ts'
import { findMachine, settingsFor } from './embedded-settings.ts'
import { chooseUser, type RunAs } from './embedded-user.ts'

/** One PostgreSQL cluster in a folder: how it is made, started and found running. */
export interface Cluster {
  folder: string
  lockFile: string
  logFile: string
  portFile: string
  password: string
  binaries: Binaries
  runAs: RunAs
  settings: Readonly<Record<string, string | number>>
}

const startDeadlineMs = 60_000
const maxLogBytes = 10_000_000

const standardSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 200,
  work_mem: '8MB',
  checkpoint_timeout: '15min',
  // After a crash: one call instead of one for each of a thousand files, which took over a second.
  ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
  random_page_cost: 1.1,
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
}

export async function describeCluster(dataDir: string, settings: Cluster['settings']): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true })
  const binaries = await findBinaries()
  const folder = join(await realpath(dataDir), 'postgres')
  const passwordFile = join(dataDir, 'postgres.password')
  return {
    folder,
    lockFile: join(dataDir, 'postgres.lock'),
    logFile: join(dataDir, 'postgres.log'),
    portFile: join(dataDir, 'postgres.port'),
    password: await readOrMakePassword(passwordFile),
    binaries,
    runAs: chooseUser([binaries.postgres, folder]),
    settings: { ...standardSettings, ...settingsFor(await findMachine(dataDir)), ...settings },
  }
}

async function readOrMakePassword(path: string): Promise<string> {
  if (!existsSync(path)) await createFile(path, randomSecret(32))
  for (;;) {
    const password = await readFile(path, 'utf8')
    // Empty: another process made the file a moment ago and has not written it yet.
    if (password !== '') return password
    await sleep(10)
  }
}

/** Made beside its place and moved there whole, so that a killed first start leaves no half of a cluster. */
export async function makeCluster(cluster: Cluster): Promise<void> {
  const made = await readFile(join(cluster.folder, 'PG_VERSION'), 'utf8').catch(() => null)
  if (made !== null) return assertSameMajor(made.trim(), cluster.folder)
  const draft = await mkdtemp(`${cluster.folder}.new-`)
  try {
    const passwordFile = join(draft, 'password')
    const data = join(draft, 'data')
    await mkdir(data, { mode: 0o700 })
    await writeFile(passwordFile, cluster.password, { mode: 0o600 })
    for (const path of [draft, data, passwordFile]) cluster.runAs.own(path)
    const options = [`--username=${superuser}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8']
    options.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C')
    options.push('--no-sync', '--no-instructions', `--pgdata=${data}`)
    await run(cluster, cluster.binaries.initdb, options)
    await rename(data, cluster.folder)
  } catch (error) {
    // Somebody else was faster.
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Of the PostgreSQL that comes with us. Its major versions do not read each other's files. */
export const embeddedMajor = '18'

function assertSameMajor(made: string, folder: string): void {
  if (made === embeddedMajor) return
  throw new Error(
    [
      `${folder} was made by PostgreSQL ${made}; this version of Entrepot brings ${embeddedMajor}. Take the data over in two steps:`,
      '  with the version that made it:  entrepot backup --to entrepot.backup',
      `  with this one, after moving ${folder} away:  entrepot restore --from entrepot.backup`,
    ].join('\n'),
  )
}

async function run(cluster: Cluster, program: string, args: readonly string[]): Promise<void> {
  const command = cluster.runAs.command(program, args)
  const child = spawn(command.program, command.args, {
    ...command.options,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (code !== 0) throw new Error(`initdb failed with ${code}: ${output.slice(-2000)}`)
}

/** What postmaster.pid says, if that postmaster lives. */
export interface Postmaster {
  pid: number
  port: number
  ready: boolean
}

export async function findPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster.folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!pid || !(await serves(cluster, pid))) return undefined
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}

/**
 * Whether the process is this cluster's server. A process id is used again after a restart of the machine or container,
 * and a dead process may wait for a long time to be reaped (it has neither a folder nor a command line then).
 */
async function serves(cluster: Cluster, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return true
  const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  if (workingFolder === cluster.folder) return true
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return commandLine.split('\0').includes(cluster.folder)
}

/** Starts PostgreSQL unless it runs, and comes back when it takes connections. */
export async function startCluster(cluster: Cluster, wantedPort?: number): Promise<Postmaster> {
  const deadline = Date.now() + startDeadlineMs
  for (let pause = 50; ; pause = Math.min(pause * 2, 400)) {
    const running = (await findPostmaster(cluster)) ?? (await spawnPostmaster(cluster, wantedPort))
    const ready = running && (await untilReady(cluster, running.pid, deadline))
    if (ready) return ready
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL does not start. Its log ends with: ${await endOfLog(cluster)}`)
    // After a kill, the old server's processes need a moment to let go of its memory.
    await sleep(pause)
  }
}

async function spawnPostmaster(cluster: Cluster, wantedPort: number | undefined): Promise<{ pid: number } | undefined> {
  await forgetForeignPid(cluster)
  const port = wantedPort ?? (await choosePort(cluster))
  const settings = Object.entries({ ...cluster.settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { program, args, options } = cluster.runAs.command(cluster.binaries.postgres, [
    '-D',
    cluster.folder,
    ...settings,
  ])
  const grown = await stat(cluster.logFile).catch(() => undefined)
  const log = await open(cluster.logFile, grown && grown.size > maxLogBytes ? 'w' : 'a', 0o600)
  try {
    // In a session of its own: Ctrl-C at our terminal must not stop it before we have finished.
    const child = spawn(program, args, { ...options, cwd: '/', detached: true, stdio: ['ignore', log.fd, log.fd] })
    child.on('error', () => undefined)
    child.unref()
    return child.pid === undefined ? undefined : { pid: child.pid }
  } finally {
    await log.close()
  }
}

/** PostgreSQL believes a process id in its file that now belongs to somebody else, and would refuse to start. */
async function forgetForeignPid(cluster: Cluster): Promise<void> {
  const path = join(cluster.folder, 'postmaster.pid')
  const pid = Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10)
  if (pid > 0 && isAlive(pid) && !(await serves(cluster, pid))) await rm(path, { force: true })
}

async function untilReady(cluster: Cluster, pid: number, deadline: number): Promise<Postmaster | undefined> {
  while (Date.now() < deadline) {
    const postmaster = await findPostmaster(cluster)
    if (postmaster?.ready) return postmaster
    if (!(await serves(cluster, postmaster?.pid ?? pid))) return undefined
    await sleep(15)
  }
  return undefined
}

const endOfLog = async (cluster: Cluster): Promise<string> =>
  (await readFile(cluster.logFile, 'utf8').catch(() => '')).trimEnd().split('\n').slice(-5).join(' | ')

/** The port of the last time if it is free, so that addresses others noted stay good. */
async function choosePort(cluster: Cluster): Promise<number> {
  const last = Number(await readFile(cluster.portFile, 'utf8').catch(() => ''))
  const port = (last > 0 ? await freePort(last) : undefined) ?? (await freePort(0))
  if (port === undefined) throw new Error('There is no free port on 127.0.0.1.')
  await writeFile(cluster.portFile, String(port))
  return port
}

const freePort = (wanted: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(undefined))
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(address && typeof address === 'object' ? address.port : undefined))
    })
  })

/** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
export async function stopCluster(cluster: Cluster): Promise<void> {
  const postmaster = await findPostmaster(cluster)
  if (!postmaster) return
  process.kill(postmaster.pid, 'SIGINT')
  while (await serves(cluster, postmaster.pid)) await sleep(15)
}
