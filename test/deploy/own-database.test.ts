import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDataFolder } from '../support/data-folder.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { freePort, printed, runShell, startEntrepot } from '../support/process.ts'

/** The line of docs/guides/operate.md by which somebody leaves the embedded database, typed as it stands there. */

const root = join(import.meta.dirname, '../..')
let folder: string
let target: TestDatabase
const { HOME = '' } = process.env

beforeAll(async () => {
  folder = await makeDataFolder()
  target = await createEmptyDatabase()
  const env = { HOME, ENTREPOT_DATA_DIR: folder, PORT: String(await freePort()), LOG_LEVEL: 'warn' }
  const child = startEntrepot(['start', '--json'], { env })
  const ended = once(child, 'exit')
  await printed(child, '"role"')
  child.stdout?.resume()
  child.stderr?.resume()
  child.kill('SIGTERM')
  await ended
})
afterAll(async () => {
  await target.drop()
  await rm(folder, { recursive: true, force: true })
})

test('what the embedded database holds goes to another PostgreSQL in one line, and opens there', async () => {
  const moved = await runShell(
    `entrepot() { "${process.execPath}" bin/entrepot.js "$@"; }
    entrepot backup --to - | DATABASE_URL=${target.url} ENTREPOT_MASTER_KEYS=$(cat ${folder}/master-keys) entrepot restore --from -`,
    { cwd: root, env: { HOME, ENTREPOT_DATA_DIR: folder } },
  )
  expect([moved.code, moved.stderr]).toEqual([0, ''])
  expect(moved.stdout).toMatch(/Restored as of .*\. [1-9]\d* sealed values open with the master keys\.$/m)
  const client = new pg.Client({ connectionString: target.url })
  await client.connect()
  const { rows } = await client.query('select count(*)::int as users from users')
  await client.end()
  expect(rows).toEqual([{ users: 1 }])
})
