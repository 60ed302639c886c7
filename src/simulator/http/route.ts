/** A request, read. */
export interface Call {
  method: string
  /** What the caller takes for our address: `https://api.ebay.com`, wherever the call was led on the way. */
  origin: string
  path: string
  query: URLSearchParams
  raw: Buffer
  header(name: string): string | null
  /** Fields of a JSON or form body; none for anything else. */
  fields(): Readonly<Record<string, unknown>>
  /** The user and password of Basic authentication. */
  basic(): readonly [user: string, password: string] | null
  bearer(): string | null
}

export interface Answer {
  status: number
  headers?: Readonly<Record<string, string>>
  /** Goes out as JSON; text goes out as it is. */
  body?: unknown
}

/** What a request turned out to ask for. */
export interface Route {
  /** As the ledger calls it. */
  operation: string
  /** Whether it changes anything. */
  writes: boolean
  /** For people's browsers: no bad weather there. */
  sheltered?: boolean
  /** Bad weather comes before it is done, never after. */
  careful?: boolean
  run(record: Recorder): Answer | Promise<Answer>
}

/** How a handler tells the ledger who called and what was done. */
export interface Recorder {
  caller(name: string): void
  /**
   * Something has changed in the shop. Without a key of its own it is known by what was asked for. `record`: see
   * `Ledger`.
   */
  effect(operation: string, subject: string, key?: string | null, record?: string | null): void
}

export const answer = (status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  body,
  headers,
})

/** For readers of a question that may refuse it. */
export const isAnswer = (made: object): made is Answer => 'status' in made && 'body' in made

/** Of a path, those that vary. */
export type Parts = readonly [string, string]

export type Handle = (call: Call, record: Recorder, parts: Parts) => Answer | Promise<Answer>

/** `open`: nobody has to show who they are, as on pages for people and where tokens are given. */
export type RouteFlags = Partial<Pick<Route, 'writes' | 'sheltered' | 'careful'>> & { open?: true }

/** What is asked by which path; parts of it that vary come to the handler, at most two. */
export type RouteRow = readonly [
  method: string,
  pattern: string,
  operation: string,
  handle: Handle,
  flags?: Readonly<RouteFlags>,
]

/** Handlers of one record that the path names: where there is none, the platform says so in its own words. */
export const forOne =
  <T>(find: (...parts: Parts) => T | null | undefined, missing: Answer | ((...parts: Parts) => Answer)) =>
  (use: (found: T, call: Call, record: Recorder, parts: Parts) => Answer | Promise<Answer>): Handle =>
  (call, record, parts) => {
    const found = find(...parts)
    if (found != null) return use(found, call, record, parts)
    return typeof missing === 'function' ? missing(...parts) : missing
  }

export const below = (base: string, rows: readonly RouteRow[]): readonly RouteRow[] =>
  rows.map(([method, pattern, ...rest]) => [method, `${base}${pattern}`, ...rest])

type Run = () => Answer | Promise<Answer>

export interface Door {
  /** Whose credentials a call carries; null where they are not taken. */
  holder(call: Call): string | null
  denied(call: Call): Answer
  /** What those who are known may not do all the same; null for what they may. */
  refuses?(operation: string, call: Call): Answer | null
  unknown(call: Call): Answer
  /** Stands around everything that is not open: limits, and the headers of every answer. */
  around?(call: Call, operation: string, run: Run): Answer | Promise<Answer>
}

/** Credentials that lack rights: the variant `lacks` names operations, or how their names begin. */
export const lacking =
  ({ settings: { variant } }: { settings: { variant: Readonly<Record<string, string>> } }, refusal: () => Answer) =>
  (operation: string): Answer | null =>
    variant['lacks'] !== undefined && operation.startsWith(variant['lacks']) ? refusal() : null

/** The first row that fits; nobody gets to it without credentials, unless it is open. */
export function routeIn(rows: readonly RouteRow[], door: Door, call: Call): Route {
  const { holder, denied, unknown, refuses, around = (_, __, run) => run() } = door
  for (const [method, pattern, operation, handle, { open, ...flags } = {}] of rows) {
    const parts = method === call.method ? match(pattern, call.path) : null
    if (!parts) continue
    return {
      operation,
      writes: method !== 'GET',
      ...flags,
      run(record) {
        const run = () => handle(call, record, [parts[0] ?? '', parts[1] ?? ''])
        if (open) return run()
        return around(call, operation, () => {
          const name = holder(call)
          if (name === null) return denied(call)
          record.caller(name)
          return refuses?.(operation, call) ?? run()
        })
      },
    }
  }
  return { operation: 'unknown', writes: false, run: () => unknown(call) }
}

/** Paths with parts that vary: `match('/orders/:id', '/orders/5')` is `['5']`; null if they differ. */
function match(pattern: string, path: string): readonly string[] | null {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return null
  const found: string[] = []
  for (const [i, part] of wanted.entries()) {
    const text = given[i] ?? ''
    if (part.startsWith(':')) {
      if (text === '') return null
      found.push(decode(text))
    } else if (part !== text) return null
  }
  return found
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
