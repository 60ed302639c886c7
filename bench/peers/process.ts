import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningPeer } from './peer.ts'

/** A program of a peer: what it says goes into a file, of which the end is shown if it fails. */
export interface Program {
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  log: string
}

async function begin({ args, cwd, env, log }: Program) {
  const { PATH = '', HOME = '' } = process.env
  const file = await open(log, 'a')
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH, HOME, NODE_ENV: 'production', ...env },
    stdio: ['ignore', file.fd, file.fd],
  })
  await file.close()
  return child
}

const endOf = async (log: string): Promise<string> =>
  (await readFile(log, 'utf8')).trimEnd().split('\n').slice(-20).join('\n')

export async function runToEnd(program: Program): Promise<void> {
  const child = await begin(program)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${program.args.join(' ')} ended with ${code}:\n${await endOf(program.log)}`)
}

/** Runs until it is stopped: once `health` answers it is prepared for what it is measured at. */
export async function startServer(
  program: Program,
  health: string,
  prepare: () => Promise<RunningPeer['ways']>,
): Promise<RunningPeer> {
  const { stop } = await runServer(program, health)
  try {
    return { ways: await prepare(), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function runServer(program: Program, health: string): Promise<Pick<RunningPeer, 'stop'>> {
  const child = await begin(program)
  const exited = once(child, 'exit')
  const deadline = performance.now() + 180_000
  const answers = () =>
    fetch(health).then(
      ({ ok }) => ok,
      () => false,
    )
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    // One that does not want to end has nothing that is needed.
    const patience = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await exited
    clearTimeout(patience)
  }
  while (!(await answers())) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop()
      throw new Error(`${program.args.join(' ')} does not answer:\n${await endOf(program.log)}`)
    }
    await sleep(100)
  }
  return { stop }
}

export const logIn = (folder: string, name: string): string => join(folder, `${name}.log`)
