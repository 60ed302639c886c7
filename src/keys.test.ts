import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadMasterKeys } from './keys.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'entrepot-keys-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

const load = () => loadMasterKeys({ masterKeys: null, dataDir })
const path = () => join(dataDir, 'master-keys')

test('of many that start at once one makes the key, which is nobody else’s business', async () => {
  const rings = await Promise.all(Array.from({ length: 20 }, load))
  expect(new Set(rings.map(([first]) => first.key.toString('hex')))).toHaveLength(1)
  expect((await stat(path())).mode & 0o777).toBe(0o600)
  const made = await readFile(path(), 'utf8')
  expect(await load()).toEqual(rings[0])
  expect(await readFile(path(), 'utf8')).toBe(made)
})

test('a file that was left empty says what to do, and is not filled: what it held may be needed', async () => {
  await writeFile(path(), '')
  await expect(load()).rejects.toThrow(/master-keys is empty\..*put it back from the backup/)
  expect(await readFile(path(), 'utf8')).toBe('')
})
