import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSecret } from '../../src/domain/webhooks/create-subscription.ts'
import { signedHeaders, signingKey } from '../../src/domain/webhooks/sender/sign-delivery.ts'
import { type CliStage, openCliStage } from '../command-line/stage.ts'
import { freePort } from '../support/process.ts'
import { until } from '../support/until.ts'

/** The snippets of the quick starts in other languages, run as they stand by the language itself. */

interface Language {
  name: string
  program: string
  /** What Debian calls it, where it has to be fetched. */
  packages: readonly string[]
  isThere: readonly string[]
  serve(file: string, port: number): string[]
  orders: [file: string, environment?: Record<string, string>][]
  hooks: [file: string][]
}

/** Debian's own way to load them, where a project would have Composer's. */
const phpLibraries = [
  'GuzzleHttp',
  ...['Http', 'Cache', 'Config', 'Container'].map((part) => `Illuminate/${part}`),
].map((library) => `${library}/autoload.php`)

const languages: readonly Language[] = [
  {
    name: 'php',
    program: 'php',
    packages: [
      ...['php-cli', 'php-curl', 'php-guzzlehttp-guzzle', 'php-illuminate-http'],
      ...['php-illuminate-cache', 'php-illuminate-config', 'php-illuminate-container'],
    ],
    isThere: [
      '-r',
      `exit(extension_loaded("curl") && !array_filter(${JSON.stringify(phpLibraries)}, fn ($one) => !stream_resolve_include_path($one)) ? 0 : 1);`,
    ],
    serve: (file, port) => ['-S', `127.0.0.1:${port}`, file],
    orders: [
      ['orders.php'],
      ['orders-guzzle.php'],
      ['orders-laravel.php'],
      ['orders-laravel.php', { STALE_TOKEN: 'a-token-of-last-year' }],
    ],
    hooks: [['hooks.php'], ['hooks-laravel.php']],
  },
  {
    name: 'python',
    program: 'python3',
    packages: ['python3'],
    isThere: ['-c', 'import json'],
    serve: (file) => [file],
    orders: [['orders.py']],
    hooks: [['hooks.py']],
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

/** Each snippet of a guide into the file that it says it is. */
async function writeSnippets(name: string): Promise<void> {
  const guide = await readFile(`docs/guides/quick-start-${name}.md`, 'utf8')
  const fenced = guide.matchAll(new RegExp(`^\`\`\`${name}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))
  for (const [, code = ''] of fenced) {
    const file = /^(?:<\?php\n)?(?:\/\/|#) ([\w./-]+\.(?:php|py))/.exec(code)?.[1]
    if (file === undefined) throw new Error(`A snippet of ${name} does not say which file it is`)
    const path = join(folder, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, code)
  }
}

/** What a Laravel project has around the snippets: settings, a cache, and facades that find both. */
async function writeProject(): Promise<void> {
  await mkdir(join(folder, 'vendor'), { recursive: true })
  const loaded = phpLibraries.map((library) => `require_once '${library}';`).join('\n')
  await writeFile(join(folder, 'vendor/autoload.php'), `<?php\n${loaded}\n`)
  await writeFile(
    join(folder, 'project.php'),
    `<?php
require 'vendor/autoload.php';
$settings = ['url' => 'ENTREPOT_URL', 'client_id' => 'CLIENT_ID', 'client_secret' => 'CLIENT_SECRET', 'webhook_secret' => 'WEBHOOK_SECRET'];
$project = new Illuminate\\Container\\Container();
$project->instance('config', new Illuminate\\Config\\Repository(['services' => ['entrepot' => array_map('getenv', $settings)]]));
$project->instance('cache', new Illuminate\\Cache\\Repository(new Illuminate\\Cache\\ArrayStore()));
Illuminate\\Support\\Facades\\Facade::setFacadeApplication($project);
`,
  )
  await writeFile(
    join(folder, 'orders-laravel.php'),
    `<?php
require 'project.php';
require 'app/Services/Entrepot.php';
if (getenv('STALE_TOKEN')) Illuminate\\Support\\Facades\\Cache::forever('entrepot.token', getenv('STALE_TOKEN'));
foreach ((new App\\Services\\Entrepot())->orders() as [$shop, $order]) echo "{$shop['name']}: {$order['number']} {$order['status']}\\n";
`,
  )
  await writeFile(
    join(folder, 'hooks-laravel.php'),
    `<?php
require 'project.php';
require 'app/Http/Middleware/VerifyEntrepotWebhook.php';
$verify = new App\\Http\\Middleware\\VerifyEntrepotWebhook();
$verify->handle(Illuminate\\Http\\Request::capture(), fn () => new Illuminate\\Http\\Response('', 204))->send();
`,
  )
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
      test.each(language.orders)('%s gets a token and lists orders', async (file, extra = {}) => {
        await writeSnippets(language.name)
        await writeProject()
        const { client_id: id, client_secret: secret } = stage.merchant.appClient
        const env = {
          PATH: process.env['PATH'] ?? '',
          ENTREPOT_URL: stage.url,
          CLIENT_ID: String(id),
          CLIENT_SECRET: secret,
          ...extra,
        }
        const child = spawn(language.program, [file], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
        const [said, complaints] = await Promise.all([text(child.stdout), text(child.stderr)])
        expect(complaints).toBe('')
        expect(said).toContain(`${stage.shop.name}: ${stage.order.number} `)
        expect(said.trim().split('\n').length).toBeGreaterThanOrEqual(5)
      })

      test.each(language.hooks)('%s takes genuine webhooks and no others', async (file) => {
        await writeSnippets(language.name)
        await writeProject()
        const [port, secret] = [await freePort(), newSecret()]
        const env = { PATH: process.env['PATH'] ?? '', PORT: String(port), WEBHOOK_SECRET: secret }
        const started = { cwd: folder, env, stdio: 'ignore' } as const
        const child: ChildProcess = spawn(language.program, language.serve(file, port), started)
        try {
          await until(() => isOpen(port))
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
