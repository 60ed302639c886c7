import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newSecret } from '../../src/domain/webhooks/create-subscription.ts'
import { signedHeaders, signingKey } from '../../src/domain/webhooks/sender/sign-delivery.ts'
import { type CliStage, openCliStage } from '../command-line/stage.ts'
import { freePort } from '../support/process.ts'

/** The snippets of the quick starts in other languages, run as they stand by the language itself. */

interface Language {
  name: string
  program: string
  /** What Debian calls it, where it has to be fetched. */
  packages: readonly string[]
  isThere: readonly string[]
  serve(file: string, port: number): string[]
}

const languages: readonly Language[] = [
  {
    name: 'php',
    program: 'php',
    packages: ['php-cli', 'php-curl'],
    isThere: ['-r', 'exit(extension_loaded("curl") ? 0 : 1);'],
    serve: (file, port) => ['-S', `127.0.0.1:${port}`, file],
  },
  {
    name: 'python',
    program: 'python3',
    packages: ['python3'],
    isThere: ['-c', 'import json'],
    serve: (file) => [file],
  },
]

const isInstalled = ({ program, isThere }: Language) => spawnSync(program, isThere).status === 0

/** Where it is missing it is fetched, as Chromium is; where that cannot be, the test says so and is left out. */
function isReady(language: Language): boolean {
  if (isInstalled(language)) return true
  if (process.getuid?.() !== 0) return false
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...language.packages], { stdio: 'pipe', env })
  } catch {
    return false
  }
  return isInstalled(language)
}

let stage: CliStage
let folder: string
beforeAll(async () => {
  stage = await openCliStage()
  folder = await mkdtemp(join(tmpdir(), 'entrepot-quick-starts-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await stage.close()
})

async function snippets(name: string): Promise<[orders: string, hooks: string]> {
  const guide = await readFile(`docs/guides/quick-start-${name}.md`, 'utf8')
  const found = [...guide.matchAll(new RegExp(`^\`\`\`${name}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  )
  expect(found).toHaveLength(2)
  const files = ['orders', 'hooks'].map((file) => join(folder, `${file}-${name}`)) as [string, string]
  for (const [n, file] of files.entries()) await writeFile(file, found[n] ?? '')
  return files
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.end() !== null))
    socket.on('error', () => resolve(false))
  })

for (const language of languages) {
  const ready = isReady(language)
  describe.skipIf(!ready)(
    `the quick start in ${language.name}${ready ? '' : `, which needs ${language.packages.join(' and ')}`}`,
    () => {
      test('gets a token and lists orders', async () => {
        const [orders] = await snippets(language.name)
        const { client_id: id, client_secret: secret } = stage.merchant.appClient
        const env = {
          PATH: process.env['PATH'] ?? '',
          ENTREPOT_URL: stage.url,
          CLIENT_ID: String(id),
          CLIENT_SECRET: secret,
        }
        const child = spawn(language.program, [orders], { env, stdio: ['ignore', 'pipe', 'pipe'] })
        const [said, complaints] = await Promise.all([text(child.stdout), text(child.stderr)])
        expect(complaints).toBe('')
        expect(said).toContain(`${stage.shop.name}: ${stage.order.number} `)
        expect(said.trim().split('\n').length).toBeGreaterThanOrEqual(5)
      })

      test('takes genuine webhooks and no others', async () => {
        const [, hooks] = await snippets(language.name)
        const [port, secret] = [await freePort(), newSecret()]
        const env = { PATH: process.env['PATH'] ?? '', PORT: String(port), WEBHOOK_SECRET: secret }
        const child: ChildProcess = spawn(language.program, language.serve(hooks, port), { env, stdio: 'ignore' })
        try {
          await vi.waitUntil(() => isOpen(port), { timeout: 20_000, interval: 100 })
          const now = Math.floor(Date.now() / 1000)
          const payload = '{"type":"order.created","timestamp":"2026-11-15T10:00:00Z","data":{"id":7}}'
          const signed = (timestamp = now, by = secret) =>
            signedHeaders([signingKey(by)], { id: 'evt_1', timestamp, payload })
          const post = async (headers: Record<string, string>, body = payload) =>
            (await fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', headers, body })).status
          expect(await post(signed())).toBe(204)
          const both = { ...signed(), 'webhook-signature': `v1,AAAA ${signed()['webhook-signature']}` }
          expect(await post(both)).toBe(204)
          expect(await post(signed(), payload.replace('7', '8'))).toBe(400)
          expect(await post(signed(now, newSecret()))).toBe(400)
          expect(await post(signed(now - 301))).toBe(400)
          expect(await post({ ...signed(), 'webhook-id': 'evt_2' })).toBe(400)
          expect(await post({})).toBe(400)
        } finally {
          const exited = once(child, 'exit')
          child.kill()
          await exited
        }
      })
    },
  )
}
