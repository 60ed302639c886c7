/** An order as the shop itself tells it, asked without any code of ours in between. */
export interface TrueOrder {
  remote_id: string
  number: string
  status: 'UNPAID' | 'PENDING' | 'SHIPPED' | 'DELIVERED' | 'CANCELLED'
  remote_status: string
  currency: string
  total: number
  /** Whether any of the money has been taken. */
  paid: boolean
  tracking: string[]
}

export interface TrueLevel {
  sku: string
  location: string
  available: number
}

/** A real store, by its own API. */
export interface RealStore {
  name: string
  settings: Record<string, unknown>
  /** Ways to open it, and one that is refused at this field. */
  credentials: readonly Record<string, unknown>[]
  wrong: { credentials: Record<string, unknown>; field: string }
  version: string
  order(count: number): Promise<void>
  orders(): Promise<TrueOrder[]>
  productCount(): Promise<number>
  levels(): Promise<TrueLevel[]>
  /** Takes the money. */
  settle(remoteId: string): Promise<void>
  ship(remoteId: string, tracking: string): Promise<void>
  cancel(remoteId: string): Promise<void>
  /** A change that no list of changes shows; null where there is none. */
  hiddenChange: ((remoteId: string) => Promise<void>) | null
  stop(): Promise<void>
}

type Json = Record<string, unknown>

export const records = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : [])
export const inner = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((found, name) => (found as Json | null | undefined)?.[name], value)

export async function fetchJson(
  url: string,
  options: { headers: Record<string, string>; body?: unknown; method?: string },
) {
  const answer = await fetch(url, {
    method: options.method ?? 'GET',
    headers: { 'content-type': 'application/json', ...options.headers },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${options.method ?? 'GET'} ${url}: ${answer.status} ${text.slice(0, 500)}`)
  return JSON.parse(text) as Json
}
