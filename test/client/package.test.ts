import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../packages/client/src/index.ts'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { signedHeaders, signingKey } from '../../src/domain/webhooks/sender/sign-delivery.ts'
import { version } from '../../src/version.ts'
import { openBrowser } from '../browser/support/chromium.ts'
import { makeIntegration } from '../support/gateway.ts'
import { orderInput } from '../support/orders.ts'
import { freePort } from '../support/process.ts'
import { makeTenant, startTestServer, type TestServer } from '../support/server.ts'

/** The client library as somebody has it who installs the file in an empty folder, and what the guide says of it. */
const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
let folder: string
let tarball: string
let server: TestServer
let env: NodeJS.ProcessEnv
let baseUrl: string
let remoteId: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'entrepot-client-'))
  await run('npm', ['pack', '--workspace', '@entrepot/client', '--pack-destination', folder], { cwd: root })
  tarball = join(folder, `entrepot-client-${version}.tgz`)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
  server = await startTestServer()
  const tenant = await makeTenant(server.context)
  const { appId, accountId } = tenant
  remoteId = tenant.remoteId
  const { integration } = await makeIntegration(server.context, { appId, accountId })
  await createOrder(server.context, integration, orderInput({ number: '#1001' }))
  baseUrl = await server.listen()
  env = {
    PATH: process.env['PATH'],
    ENTREPOT_URL: baseUrl,
    CLIENT_ID: String(tenant.appClient.client_id),
    CLIENT_SECRET: tenant.appClient.client_secret,
  }
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

test('it has the version of the service, no dependency, and is small', async () => {
  const about = JSON.parse(await readFile(join(folder, 'node_modules/@entrepot/client/package.json'), 'utf8'))
  expect([about.version, about.dependencies]).toEqual([version, undefined])
  const parts = await Promise.all(
    ['index.js', 'webhooks/index.js'].map((file) => readFile(join(root, 'packages/client/dist', file))),
  )
  expect(gzipSync(Buffer.concat(parts)).length).toBeLessThan(12_000)
})

test('those who look at packages find nothing to complain of', async () => {
  const { messages } = await publint({ pkgDir: join(root, 'packages/client'), strict: true })
  expect(messages).toEqual([])
  const packed = createPackageFromTarballData(new Uint8Array(await readFile(tarball)))
  expect(await checkPackage(packed)).toMatchObject({ types: { kind: 'included' }, problems: [] })
})

test.each([
  ['a module', 'a.mjs', "import { createClient } from '@entrepot/client'"],
  ['CommonJS', 'a.cjs', "const { createClient } = require('@entrepot/client')"],
])('%s loads it', async (_, file, line) => {
  await writeFile(join(folder, file), `${line}\nprocess.stdout.write(typeof createClient)`)
  expect((await run(process.execPath, [file], { cwd: folder })).stdout).toBe('function')
})

test('a page of the merchant loads it, on an origin of its own', async () => {
  const app = createClient({
    baseUrl,
    auth: { clientId: env['CLIENT_ID'] ?? '', clientSecret: env['CLIENT_SECRET'] ?? '' },
  })
  const { token } = await app.accounts.intent(remoteId, { scopes: ['*'] })
  const script = `import { createAccountClient, NotFoundError } from '/index.js'
    const client = createAccountClient({ baseUrl: ${JSON.stringify(baseUrl)}, auth: { intentToken: async () => ${JSON.stringify(token)} } })
    const shops = await client.integrations.list().take(5)
    const orders = await client.orders.list({ integration_id: shops[0].id }).take(5)
    const missing = await client.orders.find('#404').catch((error) => error instanceof NotFoundError)
    document.title = JSON.stringify([shops.length, orders.map(({ number }) => number), missing])`
  const library = await readFile(join(folder, 'node_modules/@entrepot/client/dist/index.js'))
  const host = createServer(({ url }, response) => {
    const scripts: Record<string, string | Buffer> = { '/index.js': library, '/page.js': script }
    const found = scripts[url ?? '']
    response.setHeader('content-type', found === undefined ? 'text/html' : 'text/javascript')
    response.end(found ?? '<!doctype html><script type="module" src="/page.js"></script>')
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  const browser = await openBrowser()
  try {
    const page = await browser.context.newPage()
    await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`)
    await expect.poll(() => page.title()).toBe(JSON.stringify([1, ['#1001'], true]))
  } finally {
    await browser.close()
    host.close()
  }
})

describe('the guide', () => {
  let snippets: string[]
  beforeAll(async () => {
    const guide = await readFile(join(root, 'docs/guides/client.md'), 'utf8')
    snippets = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
    await mkdir(join(folder, 'guide'))
    for (const [n, code] of snippets.entries()) await writeFile(join(folder, `guide/${n}.ts`), code)
  })

  test('has snippets that the compiler takes', async () => {
    expect(snippets.length).toBeGreaterThan(4)
    const options = {
      ...{ strict: true, noEmit: true, target: 'esnext', module: 'nodenext', skipLibCheck: false },
      ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['guide'] }))
    const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
    const said = await run(process.execPath, [compiler, '--project', folder]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    )
    expect(said).toBe('')
  })

  test('has snippets that do what they say', async () => {
    const shown = ['1 orders wait', 'shop-', '#1001 is PENDING', '']
    for (const [n, text] of shown.entries()) {
      await expect
        .poll(async () => (await run(process.execPath, [`${n}.ts`], { cwd: join(folder, 'guide'), env })).stdout)
        .toContain(text)
    }
  })

  test('has a receiver that takes what is signed', async () => {
    const port = await freePort()
    const secret = `whsec_${Buffer.from('a secret').toString('base64')}`
    const receiver = snippets.findIndex((code) => code.includes('nodeHandler'))
    const code = (snippets[receiver] ?? '').replace('8080', String(port))
    await writeFile(join(folder, 'guide/receiver.ts'), code)
    const child = execFile(process.execPath, ['receiver.ts'], {
      cwd: join(folder, 'guide'),
      env: { ...env, WEBHOOK_SECRET: secret },
    })
    try {
      const payload = '{"type":"order.created","timestamp":"","data":{"number":"#7","total":"1.00"}}'
      const headers = signedHeaders([signingKey(secret)], {
        id: 'evt_7',
        timestamp: Math.floor(Date.now() / 1000),
        payload,
      })
      const post = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: payload })
      await expect
        .poll(() =>
          post().then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(204)
    } finally {
      child.kill()
    }
  })
})
