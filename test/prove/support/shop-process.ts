import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Install } from '../../../src/simulator/platform.ts'
import { printed, startEntrepot } from '../../support/process.ts'

/** `entrepot simulator` as a process of its own, reached over its control only. */
export interface ShopProcess {
  platform: string
  baseUrl: string
  install: Install
  get<T>(path: string): Promise<T>
  post<T = unknown>(path: string, body: object): Promise<T>
  truth(): Promise<TrueOrder[]>
  /** Everything that happened after that entry. */
  ledger(after?: number): Promise<LedgerLine[]>
  kill(): void
}

export interface TrueOrder {
  remote_id: string
  number: string
  status: string
  total: string
  remote_status: string
  stage: string
  custom_status: string | null
  acknowledged: boolean
  parcels: number
  updated_at: string
  cancelled_at: string | null
}

export interface LedgerLine {
  seq: number
  kind: 'request' | 'effect' | 'webhook'
  operation: string
  path?: string
  status?: number | null
  key?: string | null
  subject?: string
  /** Of an effect: the request that had it. */
  request?: number
}

export interface ShopOptions {
  platform: string
  orders: number
  products?: number
  seed?: string
  /** Any free one by default. */
  port?: number
  tokenSeconds?: number
  /** Answers as it is told to by `/_manner`, and has no other control. */
  hostile?: boolean
}

/** Where parcels are fulfilments, every order that has some costs a request of its own, at five a second. */
const variants: Readonly<Record<string, readonly string[]>> = { woocommerce: ['--variant', 'tracking=plug-in'] }

const hostileShop = fileURLToPath(new URL('./hostile-shop.ts', import.meta.url))

export const usualSeed = '7'

export async function startShop(options: ShopOptions): Promise<ShopProcess> {
  const { platform, orders, products = 10, seed = usualSeed, port = 0, tokenSeconds } = options
  const size = ['--orders', String(orders), '--products', String(products)]
  const life = tokenSeconds === undefined ? [] : ['--token-seconds', String(tokenSeconds)]
  const args = [
    'simulator',
    '--platform',
    platform,
    ...size,
    '--seed',
    seed,
    '--port',
    String(port),
    ...life,
    ...(variants[platform] ?? []),
    '--json',
  ]
  // A shop is a machine of its own; here it shares ours, and should not spend it on collecting its pages.
  const child = options.hostile
    ? spawn(process.execPath, [hostileShop, JSON.stringify({ platform, orders, seed, port })])
    : startEntrepot(args, { young: 16 })
  // What a hostile one makes up, it makes up with its own processor: here, with what nobody else wants of ours.
  if (options.hostile && child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const line = (await printed(child, '}}')).trim()
  // Nobody reads what comes later, and a full pipe would stop it.
  child.stdout?.resume()
  child.stderr?.resume()
  const { base_url: baseUrl, install } = JSON.parse(line) as { base_url: string; install: Install }

  async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
    const answer = await fetch(baseUrl + path, init)
    if (!answer.ok) throw new Error(`The simulator says ${answer.status} to ${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  return {
    platform,
    baseUrl,
    install,
    get: (path) => ask(path),
    post: (path, body) =>
      ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    truth: () => ask('/_truth/orders'),
    async ledger(after = 0) {
      const lines: LedgerLine[] = []
      for (let last = after; ; ) {
        const more = await ask<LedgerLine[]>(`/_ledger?after=${last}`)
        lines.push(...more)
        last = more.at(-1)?.seq ?? last
        if (more.length === 0) return lines
      }
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
