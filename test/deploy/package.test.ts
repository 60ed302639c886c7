import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '../../src/version.ts'
import { freePort, printed, stop } from '../support/process.ts'

/** `npm pack`, and what somebody has who installs the result in an empty folder. */

const root = join(import.meta.dirname, '../..')
let folder: string
let installed: string
const npm = (...args: string[]) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'entrepot-package-'))
  installed = join(folder, 'node_modules/entrepot')
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: root, stdio: 'pipe' })
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  npm('install', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', `./entrepot-${version}.tgz`)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the package holds what runs, and nothing else', async () => {
  const files = await readdir(installed, { recursive: true })
  expect(files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([])
  expect((await readdir(installed)).filter((name) => name !== 'node_modules').sort()).toEqual([
    '.env.example',
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin',
    'dist',
    'docs',
    'migrations',
    'package.json',
    'web',
  ])
  const { size } = await stat(join(folder, `entrepot-${version}.tgz`))
  // Words of seven languages are a fifth of it.
  expect(size).toBeLessThan(2_200_000)
})

test('none of the development packages come with it', async () => {
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const there = new Set(await readdir(join(folder, 'node_modules')))
  expect(['vite', 'vitest', 'typescript', 'node'].filter((name) => name in devDependencies && there.has(name))).toEqual(
    [],
  )
})

test('it starts in an empty folder, serves API and pages, and stops in order', async () => {
  const port = await freePort()
  const { HOME = '', PATH = '' } = process.env
  const child = spawn('npx', ['--no', 'entrepot', 'start'], {
    cwd: folder,
    env: { HOME, PATH, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    expect(await printed(child, 'Stop with Ctrl-C')).toContain('Example shops with a month of orders: entrepot demo')
    const url = `http://127.0.0.1:${port}`
    const answer = async (path: string) => {
      const { status, headers } = await fetch(url + path)
      return `${path} ${status} ${headers.get('content-type')?.split(';')[0]}`
    }
    expect(
      await Promise.all(['/ready', '/console', '/components/entrepot.js', '/docs/guides', '/docs'].map(answer)),
    ).toEqual([
      '/ready 200 application/json',
      '/console 200 text/html',
      '/components/entrepot.js 200 text/javascript',
      '/docs/guides 200 text/html',
      '/docs 200 text/html',
    ])
    child.kill('SIGTERM')
    await once(child, 'exit')
    const postmaster = join(folder, '.data/postgres/postmaster.pid')
    await expect.poll(() => stat(postmaster).catch(() => null)).toBe(null)
    await expect(fetch(`${url}/ready`)).rejects.toThrow()
  } finally {
    await stop(child)
  }
})

test('it is private, so that nobody publishes it by accident', async () => {
  expect(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).private).toBe(true)
})
