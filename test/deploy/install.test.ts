import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** What `npm ci` says on a Node that is older than packages want it, as of Node 20 and ours. */

const root = join(import.meta.dirname, '../..')
const manifest = { name: 'of-tomorrow', version: '1.0.0', engines: { node: '>=999' } }
const lock = { ...manifest, lockfileVersion: 3, packages: { '': manifest } }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'entrepot-install-'))
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What the npm that runs this test was told says nothing here. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)))
const install = async () => (await promisify(execFile)('npm', ['ci', '--dry-run'], { cwd: folder, env })).stderr

test('npm says nothing of packages that want a newer Node, which comes along', async () => {
  expect(await install()).toContain('EBADENGINE')
  await cp(join(root, '.npmrc'), join(folder, '.npmrc'))
  expect(await install()).toBe('')
})
