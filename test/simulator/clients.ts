import type { SimulatorOptions } from '../../src/simulator/options.ts'
import type { Credentials } from '../../src/simulator/platform.ts'
import { type MemorySimulator, openSimulator } from '../../src/simulator/simulator.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at, not trusted
export type Json = any

export interface Raw {
  status: number
  header(name: string): string | null
  text: string
  json: Json
}

export type Asked = (
  path: string,
  init?: { method?: string; body?: unknown; headers?: Record<string, string> },
) => Promise<Raw>

export interface RawClient {
  simulator: MemorySimulator
  /** A request with the credentials on it, as bare as it gets. */
  ask: Asked
}

/** How the keys of a platform travel. */
const headersFor: Readonly<Record<string, (keys: Credentials) => Record<string, string>>> = {
  sandbox: ({ api_key = '' }) => ({ 'x-api-key': api_key }),
  shopify: ({ access_token = '' }) => ({ 'x-shopify-access-token': access_token }),
  woocommerce: ({ consumer_key, consumer_secret }) => ({
    authorization: `Basic ${Buffer.from(`${consumer_key}:${consumer_secret}`).toString('base64')}`,
  }),
}

/** A shop that is asked without a connector, and without a socket. */
export function openRaw(platform: string, options: SimulatorOptions = {}): RawClient {
  const simulator = openSimulator({ platform, orders: 120, products: 20, ...options })
  const own = headersFor[platform]?.(simulator.kept) ?? {}
  return {
    simulator,
    async ask(path, { method = 'GET', body, headers = {} } = {}) {
      const { status, bytes, ...answer } = await simulator.answer({
        method,
        url: simulator.world.origin + path,
        headers: { 'content-type': 'application/json', ...own, ...headers },
        body: Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)),
      })
      const text = bytes.toString()
      const isJson = answer.headers['content-type']?.startsWith('application/json') && text !== ''
      return {
        status,
        header: (name) => answer.headers[name] ?? null,
        text,
        json: isJson ? JSON.parse(text) : undefined,
      }
    },
  }
}
