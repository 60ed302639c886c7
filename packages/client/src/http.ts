import { ConnectionError, errorFor, retryAfter } from './errors.ts'
import { type Auth, type Granted, type Tokens, tokensFor } from './tokens.ts'

export interface ClientOptions {
  /** Where the service is, such as `https://entrepot.example.com`. */
  baseUrl: string
  auth: Auth
  /** Attempts in all, the first one included; 5 unless set. */
  maxAttempts?: number
  /** For each attempt; 30 unless set. */
  timeoutSeconds?: number
  /** A `Retry-After` beyond this is not waited for, but thrown; 60 unless set. */
  maxWaitSeconds?: number
  /** In the place of the global `fetch`. */
  fetch?: typeof fetch
  /** Told of every attempt: for logs and measurements. */
  onAttempt?: (attempt: Attempt) => void
}

export interface Attempt {
  method: string
  url: string
  number: number
  /** 0 where no answer came. */
  status: number
  milliseconds: number
  requestId: string | null
}

export interface CallOptions {
  query?: Query
  body?: unknown
  /** A POST gets a key of its own, the same for all attempts; yours, if you may have to repeat it after a restart. */
  idempotencyKey?: string
  signal?: AbortSignal
}

export type QueryValue = string | number | boolean | Date | null | undefined | readonly (string | number)[]
export type Query = Readonly<Record<string, QueryValue>>

export interface Http {
  /** The parsed answer, or undefined where it has no body. */
  call(method: string, path: string, options?: CallOptions): Promise<unknown>
}

const usual = { maxAttempts: 5, timeoutSeconds: 30, maxWaitSeconds: 60 }
/** Before the second attempt; twice as long before each further one, and up to as long again by chance. */
const firstDelayMs = 250
const maxDelayMs = 10_000

export function createHttp(options: ClientOptions): Http {
  const base = options.baseUrl.replace(/\/+$/, '')
  const send = options.fetch ?? fetch
  const { maxAttempts, timeoutSeconds, maxWaitSeconds } = { ...usual, ...withoutGaps(options) }

  /** One attempt: the answer, and what it says. */
  async function attempt(request: Request, number: number, signal: AbortSignal | undefined): Promise<Answered> {
    const began = Date.now()
    const limit = AbortSignal.timeout(timeoutSeconds * 1000)
    const report = (response: Response | null) =>
      options.onAttempt?.({
        method: request.method,
        url: request.url,
        number,
        status: response?.status ?? 0,
        milliseconds: Date.now() - began,
        requestId: response?.headers.get('x-request-id') ?? null,
      })
    try {
      const response = await send(request, { signal: signal ? AbortSignal.any([signal, limit]) : limit })
      const body = await readBody(response)
      report(response)
      return { response, body }
    } catch (cause) {
      report(null)
      signal?.throwIfAborted()
      const why = limit.aborted ? `no answer within ${timeoutSeconds} seconds` : reasonOf(cause)
      throw new ConnectionError(`${request.method} ${request.url}: ${why}.`, { cause })
    }
  }

  /** Attempt after attempt, as long as another one may help and does no harm. */
  async function persist(make: () => Promise<Request>, { signal, repeatable }: Persistence): Promise<Answered> {
    for (let number = 1; ; number++) {
      const last = number >= maxAttempts || !repeatable
      let wait = delayMs(number)
      try {
        const answered = await attempt(await make(), number, signal)
        const seconds = retryAfter(answered.response)
        if (!mayPass(answered.response, seconds) || last) return answered
        if ((seconds ?? 0) > maxWaitSeconds) return answered
        wait = Math.max(wait, (seconds ?? 0) * 1000)
      } catch (error) {
        if (last || !(error instanceof ConnectionError)) throw error
      }
      await pause(wait, signal)
    }
  }

  const grant = async (fields: Readonly<Record<string, string>>): Promise<Granted> => {
    const make = async () => new Request(`${base}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })
    // A refresh token and an intent are good once: whether a lost answer has used it up, nobody knows.
    const repeatable = fields['grant_type'] === 'client_credentials' || fields['grant_type'] === 'password'
    const { response, body } = await persist(make, { signal: undefined, repeatable })
    if (!response.ok) throw errorFor(response, body)
    return body as Granted
  }
  const tokens: Tokens = tokensFor(options.auth, grant)

  return {
    async call(method, path, { query, body, idempotencyKey, signal } = {}) {
      const url = base + path + queryText(query)
      const verb = method.toUpperCase()
      const key = verb === 'POST' ? (idempotencyKey ?? crypto.randomUUID()) : idempotencyKey
      let used = ''
      const make = async () => {
        used = await tokens.get()
        const headers: Record<string, string> = { accept: 'application/json', authorization: `Bearer ${used}` }
        if (key !== undefined) headers['idempotency-key'] = key
        const content = contentOf(body)
        if (typeof content === 'string') headers['content-type'] = 'application/json'
        return new Request(url, { method: verb, headers, ...(content === undefined ? {} : { body: content }) })
      }
      let answered = await persist(make, { signal, repeatable: true })
      if (answered.response.status === 401 && tokens.drop(used)) {
        answered = await persist(make, { signal, repeatable: true })
      }
      const { response } = answered
      if (!response.ok) throw errorFor(response, answered.body)
      return answered.body
    },
  }
}

interface Answered {
  response: Response
  body: unknown
}

interface Persistence {
  signal: AbortSignal | undefined
  repeatable: boolean
}

/** Every call may be repeated: those that change something have a key, or say what is to be so afterwards. */
function mayPass({ status }: Response, retryAfterSeconds: number | null): boolean {
  if (status === 409) return retryAfterSeconds !== null
  return status === 429 || status === 502 || status === 503 || status === 504
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  if (!/\bjson\b/.test(response.headers.get('content-type') ?? '')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function contentOf(body: unknown): string | FormData | undefined {
  if (body === undefined) return undefined
  return body instanceof FormData ? body : JSON.stringify(body)
}

export function queryText(query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    if (value instanceof Date) params.set(name, value.toISOString())
    else params.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

const delayMs = (number: number): number => Math.min(maxDelayMs, firstDelayMs * 2 ** (number - 1)) * (1 + Math.random())

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(done, ms)
    function done() {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    function stop() {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}

const reasonOf = (cause: unknown): string => {
  const { message, cause: inner } = cause as { message?: string; cause?: { message?: string } }
  return inner?.message ?? message ?? String(cause)
}

const withoutGaps = <T extends object>(options: T): Partial<T> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>
