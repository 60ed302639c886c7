import { printed, startEntrepot } from '../../support/process.ts'

/** `entrepot simulator` as a process of its own, reached over its control only. */
export interface ShopProcess {
  baseUrl: string
  credentials: Record<string, unknown>
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
  parcels: number
}

export interface LedgerLine {
  seq: number
  kind: 'request' | 'effect' | 'webhook'
  operation: string
  path?: string
  status?: number | null
  key?: string | null
  subject?: string
}

export interface ShopOptions {
  dialect: 'shopify' | 'woo' | 'market'
  orders: number
  products?: number
  seed?: string
}

export async function startShop({ dialect, orders, products = 10, seed = '7' }: ShopOptions): Promise<ShopProcess> {
  const size = ['--orders', String(orders), '--products', String(products)]
  // A shop is a machine of its own; here it shares ours, and should not spend it on collecting its pages.
  const child = startEntrepot(['simulator', '--dialect', dialect, ...size, '--seed', seed, '--json'], { young: 16 })
  const line = (await printed(child, '}}')).trim()
  // Nobody reads what comes later, and a full pipe would stop it.
  child.stdout?.resume()
  child.stderr?.resume()
  const { base_url: baseUrl, credentials } = JSON.parse(line) as {
    base_url: string
    credentials: ShopProcess['credentials']
  }

  async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
    const answer = await fetch(baseUrl + path, init)
    if (!answer.ok) throw new Error(`The simulator says ${answer.status} to ${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  return {
    baseUrl,
    credentials,
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
