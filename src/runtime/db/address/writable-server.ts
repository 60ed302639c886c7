import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Of several servers, the one that takes writes. */
export interface WritableServer {
  /** Its address; waits while none of them does, unless all have been asked in vain for so long already. */
  find(signal: AbortSignal, patienceMs: number): Promise<string>
  /** The one that was found may no longer be it: all are asked. */
  doubt(): void
  /** A connection to it is open, until what is returned is called: whoever has none would not notice that it has gone. */
  join(): () => void
}

const askEveryMs = 200
const defaultAnswerMs = 2000

/** A server that has not answered after `answerMs` is asked again. */
export function writableServer(urls: readonly string[], { answerMs = defaultAnswerMs } = {}): WritableServer {
  let known: string | null = null
  let asking: Promise<string> | null = null
  let askingSince = 0
  let open = 0

  /** Each by itself: one that the network has lost keeps nobody waiting for the others. */
  async function ask(): Promise<string> {
    const over = new AbortController()
    try {
      return await Promise.any(urls.map((url) => untilWritable(url, answerMs, over.signal)))
    } finally {
      over.abort()
    }
  }

  function search(): Promise<string> {
    if (asking === null) {
      askingSince = performance.now()
      asking = ask().then((found) => {
        known = found
        asking = null
        return found
      })
    }
    return asking
  }

  return {
    async find(signal, patienceMs) {
      if (known !== null && open > 0) return known
      const found = search()
      const over = new AbortController()
      const leftMs = askingSince + patienceMs - performance.now()
      try {
        const ways = [found, aborted(signal, over.signal)]
        if (patienceMs !== Number.POSITIVE_INFINITY) ways.push(givenUp(leftMs, over.signal))
        return await Promise.race(ways)
      } finally {
        over.abort()
      }
    },
    doubt() {
      known = null
      void search()
    },
    join() {
      open++
      return () => {
        open--
      }
    },
  }
}

async function aborted(signal: AbortSignal, over: AbortSignal): Promise<never> {
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true, signal: over }))
  throw new Error('Connection terminated')
}

async function givenUp(afterMs: number, signal: AbortSignal): Promise<never> {
  if (afterMs > 0) await sleep(afterMs, undefined, { signal, ref: false }).catch(() => undefined)
  throw new Error('Connection terminated')
}

async function untilWritable(url: string, answerMs: number, over: AbortSignal): Promise<string> {
  while (!over.aborted) {
    if (await takesWrites(url, answerMs).catch(() => false)) return url
    await sleep(askEveryMs, undefined, { ref: false })
  }
  throw new Error('Another one was found.')
}

async function takesWrites(url: string, answerMs: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'entrepot search',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
    return rows[0]?.transaction_read_only === 'off'
  } finally {
    // Nobody waits for the good-bye.
    client.end().catch(() => undefined)
  }
}
