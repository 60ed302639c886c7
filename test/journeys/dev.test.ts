import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { freePort, printed, stop } from '../support/process.ts'

/** `npm run dev`: pages and API at one address, each as it stands in the sources. */

const root = join(import.meta.dirname, '../..')
let database: TestDatabase
let folder: string
let child: ChildProcess
let origin: string

beforeAll(async () => {
  database = await createTestDatabase()
  // A copy, since it is changed; the packages are those of the repository.
  folder = await mkdtemp(join(tmpdir(), 'entrepot-dev-'))
  const web = join(folder, 'web')
  await cp(join(root, 'web'), web, { recursive: true, filter: (path) => !path.endsWith('/dist') })
  await cp(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  const { PATH = '', HOME = '' } = process.env
  child = spawn(process.execPath, [join(root, 'scripts/dev.ts'), '--web', web], {
    env: {
      ...{ PATH, HOME, PORT: String(port), DATABASE_URL: database.url, LOG_LEVEL: 'warn' },
      ENTREPOT_MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await printed(child, 'Entrepot runs at')
})
afterAll(async () => {
  await stop(child)
  await rm(folder, { recursive: true, force: true })
  await database.drop()
})

const get = (path: string, accept = '*/*') => fetch(origin + path, { headers: { accept } })

test('the console is served from its sources, at every one of its addresses', async () => {
  for (const path of ['/console', '/console/orders/5']) {
    const page = await get(path, 'text/html')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toBeNull()
    const text = await page.text()
    expect(text).toContain('<ep-console>')
    expect(text).toContain('/@vite/client')
    expect(text).toContain('begin.ts')
  }
  const module = await get('/console/begin.ts')
  expect(module.headers.get('content-type')).toContain('javascript')
  expect((await get('/components/entrepot.js')).status).toBe(200)
})

test('the API answers at the same address', async () => {
  expect((await get('/ready')).status).toBe(200)
  expect((await get('/api/2.0/user/apps')).status).toBe(401)
  expect(await (await get('/.well-known/oauth-authorization-server')).json()).toMatchObject({ issuer: origin })
})

test('what is changed is served at once', async () => {
  const path = join(folder, 'web/console/money.ts')
  expect(await (await get('/console/money.ts')).text()).not.toContain('changedJustNow')
  await writeFile(path, `${await readFile(path, 'utf8')}\nexport const changedJustNow = 1\n`)
  await expect.poll(async () => await (await get('/console/money.ts')).text()).toContain('changedJustNow')
})

test('it stops, and with it the API', async () => {
  expect(await stop(child)).toBe(0)
  await expect(get('/ready')).rejects.toThrow()
})
