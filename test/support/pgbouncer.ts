import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from './find-program.ts'
import { through } from './loopback.ts'
import { freePort } from './process.ts'

/** A real PgBouncer in transaction mode, in front of every database of a server. */
export interface PgBouncer {
  port: number
  /** The same database, reached through it. */
  through(url: string): string
  close(): Promise<void>
}

/** Distributions put it where programs of administrators are, which not everybody has in PATH. */
const findPgBouncer = () => findProgram('pgbouncer', ['/usr/sbin'])

/** A package of that name in most distributions. */
export const hasPgBouncer = findPgBouncer() !== null

export async function startPgBouncer(serverUrl: string): Promise<PgBouncer> {
  const program = findPgBouncer()
  if (program === null) throw new Error('The program pgbouncer is not installed.')
  const { hostname, port: serverPort, username, password } = new URL(serverUrl)
  const folder = await mkdtemp(join(tmpdir(), 'entrepot-pgbouncer-'))
  const port = await freePort()
  const users = join(folder, 'users')
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`)
  await writeFile(
    file,
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      // A server of one's own (TEST_DATABASE_URL) may trust whoever is on the machine.
      `auth_type = ${password === '' ? 'trust' : 'scram-sha-256'}`,
      `auth_file = ${users}`,
      'pool_mode = transaction',
      'default_pool_size = 10',
      'max_client_conn = 1000',
      // Whoever drops a database must not wait for connections that rest.
      'server_idle_timeout = 1',
    ].join('\n'),
  )
  // It refuses to run as root, and then reads its files as somebody else.
  const isRoot = process.getuid?.() === 0
  if (isRoot)
    for (const [path, mode] of [
      [folder, 0o755],
      [users, 0o644],
      [file, 0o644],
    ] as const)
      await chmod(path, mode)
  const child = spawn(program, [...(isRoot ? ['-u', 'nobody'] : []), file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  child.stderr.on('data', (bytes) => {
    words = `${words}${bytes}`.slice(-4000)
  })
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`PgBouncer ended: ${words}`)))
  })
  failed.catch(() => undefined)
  await Promise.race([answers(port), failed])
  return {
    port,
    through: (url) => through(url, port),
    async close() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answers(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    await sleep(50)
  }
}
