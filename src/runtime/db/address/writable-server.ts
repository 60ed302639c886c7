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
const answerMs = 2000

export function writableServer(urls: readonly string[]): WritableServer {
  let known: string | null = null
  let asking: Promise<string> | null = null
  let askingSince = 0
  let open = 0

  async function ask(): Promise<string> {
    for (;;) {
      const found = await firstWritable(urls)
      if (found !== null) return found
      await sleep(askEveryMs, undefined, { ref: false })
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

/** All are asked at once: one that the network has lost keeps nobody waiting for the others. */
async function firstWritable(urls: readonly string[]): Promise<string | null> {
  const answers = urls.map(async (url) => ((await takesWrites(url)) ? url : Promise.reject(new Error('read-only'))))
  return await Promise.any(answers).catch(() => null)
}

async function takesWrites(url: string): Promise<boolean> {
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
    await client.end().catch(() => undefined)
  }
}
