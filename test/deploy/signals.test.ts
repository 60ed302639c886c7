import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeDataFolder } from '../support/data-folder.ts'
import { freePort, printed } from '../support/process.ts'

/** Whoever stops what they started stops all of it: the service, its port and its database. */

const root = join(import.meta.dirname, '../..')
let folder: string
let port: number

beforeAll(async () => {
  folder = await makeDataFolder()
})
beforeEach(async () => {
  port = await freePort()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** In a group of its own, as a terminal makes one for each line that is typed. */
async function started(command: string, args: readonly string[], until = 'Stop with Ctrl-C'): Promise<number> {
  const { HOME = '', PATH = '' } = process.env
  const env = { PATH, HOME, PORT: String(port), ENTREPOT_DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'info' }
  const child = spawn(command, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  ended = once(child, 'exit').then(([code, signal]) => code ?? signal)
  await printed(child, until)
  child.stdout?.resume()
  child.stderr?.resume()
  return pidOf(child)
}
let ended: Promise<unknown>

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('It did not start.')
  return pid
}

const postmaster = () => join(folder, 'data/postgres/postmaster.pid')

async function databaseProcess(): Promise<number> {
  return Number((await readFile(postmaster(), 'utf8')).split('\n')[0])
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function isListening(): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const answer = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return answer
}

/** Port free, PostgreSQL gone, and gone in order: it takes its file away. */
async function everythingIsGone(database: number): Promise<void> {
  await expect.poll(isListening).toBe(false)
  await expect.poll(() => isAlive(database)).toBe(false)
  expect(existsSync(postmaster())).toBe(false)
}

// The first, because there is nothing to migrate later on.
test('a service that is still migrating takes its database along when it is stopped', async () => {
  const launched = await started('node', ['bin/entrepot.js', 'start'], '"migrated"')
  const database = await databaseProcess()
  process.kill(launched, 'SIGTERM')
  expect(await ended).toBe(0)
  expect([isAlive(database), existsSync(postmaster())]).toEqual([false, false])
})

describe('npm start', () => {
  test('ends in order when npm is asked to, and npm waits for that', async () => {
    const npm = await started('npm', ['start'])
    const database = await databaseProcess()
    process.kill(npm, 'SIGTERM')
    expect(await ended).toBe(0)
    expect([await isListening(), isAlive(database), existsSync(postmaster())]).toEqual([false, false, false])
  })

  test('ends in order with Ctrl-C, which reaches it twice', async () => {
    const npm = await started('npm', ['start'])
    const database = await databaseProcess()
    process.kill(-npm, 'SIGINT')
    expect(await ended).toBe(0)
    expect([await isListening(), isAlive(database), existsSync(postmaster())]).toEqual([false, false, false])
  })

  test('ends in order when npm is killed', async () => {
    const npm = await started('npm', ['start'])
    const database = await databaseProcess()
    process.kill(npm, 'SIGKILL')
    await everythingIsGone(database)
  })
})

describe('npx', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'with %s ends what it has started, although a shell is in between',
    async (signal) => {
      const npx = await started('npx', ['--no', '--', 'node', 'bin/entrepot.js', 'start'])
      const database = await databaseProcess()
      process.kill(npx, signal)
      await everythingIsGone(database)
    },
  )
})
