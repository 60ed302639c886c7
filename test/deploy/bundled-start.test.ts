import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bundleIfStale, startSources } from '../../scripts/program/bundle.ts'
import { runShell } from '../support/process.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'entrepot-bundle-'))
  for (const folder of ['src/lib', 'packages/client/src', 'scripts/program'])
    await mkdir(join(root, folder), { recursive: true })
  await Promise.all(
    ['src/main.ts', 'src/lib/a.ts', 'package-lock.json'].map((file) => writeFile(join(root, file), '1')),
  )
})
afterEach(() => rm(root, { recursive: true, force: true }))

describe('the program is bundled for `npm start`', () => {
  const place = () => ({ root, folder: join(root, 'cache') })
  const current = () => readFile(join(root, 'cache/current'), 'utf8')
  const bundle = () => bundleIfStale(place(), (out) => writeFile(join(out, 'main.js'), ''))

  test('once, and again when a file of it is changed, added or gone', async () => {
    expect([await bundle(), await bundle()]).toEqual(['made', 'fresh'])
    const seen = new Set([await current()])
    const changes = [
      () => writeFile(join(root, 'src/lib/a.ts'), '22'),
      // As long as before.
      () => utimes(join(root, 'src/lib/a.ts'), new Date(), new Date('2027-01-01T00:00:00Z')),
      () => writeFile(join(root, 'packages/client/src/b.ts'), '1'),
      () => rm(join(root, 'src/main.ts')),
      () => writeFile(join(root, 'package-lock.json'), '22'),
    ]
    for (const change of changes) {
      await change()
      expect([await bundle(), await bundle()]).toEqual(['made', 'fresh'])
      seen.add(await current())
    }
    expect(seen.size).toBe(changes.length + 1)
    // Those who started before find what they have not loaded yet; older ones go.
    const folders = (await readdir(join(root, 'cache'))).filter((name) => name !== 'current')
    expect(folders.length).toBe(3)
    expect(folders).toContain(await current())
  })

  test('not because of a test, and what was made before is taken again', async () => {
    await bundle()
    const first = await current()
    await writeFile(join(root, 'src/lib/a.test.ts'), '1')
    expect([await bundle(), await current()]).toEqual(['fresh', first])
    await writeFile(join(root, 'src/lib/b.ts'), '1')
    expect(await bundle()).toBe('made')
    await rm(join(root, 'src/lib/b.ts'))
    expect([await bundle(), await current()]).toEqual(['fresh', first])
  })

  test('and what a start has left that was killed meanwhile goes, but not what another one is making now', async () => {
    const name = (letter: string, process: number) => `${letter.repeat(32)}.${process}`
    const [killed, underWay] = [name('a', 1), name('b', 2)]
    for (const folder of [killed, underWay]) await mkdir(join(root, 'cache', folder), { recursive: true })
    const anHourAgo = new Date(Date.now() - 3_600_000)
    await utimes(join(root, 'cache', killed), anHourAgo, anHourAgo)
    await bundle()
    expect((await readdir(join(root, 'cache'))).sort()).toEqual([underWay, await current(), 'current'].sort())
  })

  test('or not at all, and then the sources are started', async () => {
    await bundle()
    await writeFile(join(root, 'src/lib/a.ts'), '22')
    const refused = bundleIfStale(place(), () => Promise.reject(new Error('no bundler')))
    await expect(refused).rejects.toThrow('no bundler')
    await startSources(place())
    await expect(current()).rejects.toThrow('ENOENT')
  })
})

test('`npm start` loads the bundle of the sources as they are, and other commands load the sources', async () => {
  const hook = join(root, 'hook.mjs')
  await writeFile(
    hook,
    `import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) {
      if (/\\/main\\.(js|ts)$/.test(url)) process.stdout.write('loads ' + url + '\\n')
      return next(url, context)
    } })`,
  )
  const here = join(import.meta.dirname, '../..')
  const node = JSON.stringify(process.execPath)
  const loadedWith = async (env: Record<string, string>) => {
    const command = `${node} --import ${JSON.stringify(pathToFileURL(hook).href)} bin/entrepot.js help`
    const { stdout } = await runShell(command, { cwd: here, env: { HOME: root, ...env } })
    return /loads (\S+)/.exec(stdout)?.[1]
  }
  const made = await runShell(`${node} scripts/build-program.ts`, { cwd: here, env: { HOME: root } })
  expect([made.code, made.stdout, made.stderr]).toEqual([0, '', ''])
  const started = { npm_lifecycle_event: 'start', npm_package_name: 'entrepot' }
  const bundles = `${pathToFileURL(join(here, 'node_modules/.cache/entrepot-program')).href}/`
  expect(await loadedWith(started)).toMatch(new RegExp(`^${bundles}[\\da-f]{32}/dist/main\\.js$`))
  const source = pathToFileURL(join(here, 'src/main.ts')).href
  expect(await loadedWith({})).toBe(source)
  expect(await loadedWith({ ...started, npm_lifecycle_event: 'entrepot' })).toBe(source)
  // A script of somebody else's that is called the same.
  expect(await loadedWith({ ...started, npm_package_name: 'shop' })).toBe(source)
})
