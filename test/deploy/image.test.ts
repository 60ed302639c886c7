import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, printed, stop } from '../support/process.ts'
import { buildImage, type Image } from './support/build-image.ts'

/** What the Dockerfile says, done without a container engine: base image, user and read-only root are not tried here. */

let folder: string
let image: Image
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'entrepot-image-'))
  image = await buildImage(join(import.meta.dirname, '../..'), folder)
}, 900_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the image holds what runs: no sources, no development packages', async () => {
  expect((await readdir(image.workdir)).sort()).toEqual([
    ...['LICENSE', 'bin', 'dist', 'docs', 'migrations', 'node_modules', 'package.json', 'web'],
  ])
  const packages = await readdir(join(image.workdir, 'node_modules'))
  expect(['node', 'typescript', 'vite', 'vitest'].filter((name) => packages.includes(name))).toEqual([])
})

test('it is run by Node itself, as nobody that rules', () => {
  expect(image.command).toEqual(['node', 'bin/entrepot.js', 'start'])
  expect(image.user).toBe('node')
})

test('a container of it starts, is healthy, serves the console, and ends in order', async () => {
  const [port, probePort] = [await freePort(), await freePort()]
  const { HOME = '', PATH = '' } = process.env
  const env = {
    ...{ HOME, PATH, ...image.environment, HOST: '127.0.0.1' },
    ...{ PORT: String(port), PROBE_PORT: String(probePort), ENTREPOT_DATA_DIR: join(folder, 'volume') },
  }
  const health = () => {
    const [, ...args] = image.healthcheck
    return spawnSync(process.execPath, args, { env }).status
  }
  expect(health()).toBe(1)
  const [, ...args] = image.command
  const child = spawn(process.execPath, args, { cwd: image.workdir, env, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    await printed(child, 'Stop with Ctrl-C')
    expect(health()).toBe(0)
    expect((await fetch(`http://127.0.0.1:${probePort}/ready`)).status).toBe(200)
    expect((await fetch(`http://127.0.0.1:${port}/console`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(health()).toBe(1)
  } finally {
    await stop(child)
  }
})
