import autocannon from 'autocannon'
import { median } from '../support/statistics.ts'

/** Somebody who is asked over HTTP. */
export interface Answering {
  url: string
  headers?: Readonly<Record<string, string>>
  /** For each request: its path, and what is posted, if anything, with headers of its own. */
  next?: () => { path?: string; body?: string; headers?: Readonly<Record<string, string>> }
}

export interface Pace {
  perSecond: number
  /** Milliseconds, half of all answers. */
  p50: number
}

/**
 * So many requests over keep-alive connections, one at a time on each. It ends with the last answer and not by the clock: a server that is
 * slow would go on with what nobody waits for any more, beside whoever is measured next.
 */
export async function ask(
  { url, headers, next }: Answering,
  { connections, amount }: { connections: number; amount: number },
): Promise<Pace> {
  const begun = performance.now()
  let ended = begun
  const run = autocannon({
    ...{ url, connections, amount, pipelining: 1, timeout: 120 },
    ...(headers && { headers: { ...headers } }),
    ...(next && {
      requests: [
        {
          setupRequest(request) {
            const { path, body, headers: own } = next()
            return {
              ...request,
              ...(path && { path }),
              ...(own && { headers: { ...request.headers, ...own } }),
              ...(body !== undefined && { method: 'POST', body }),
            }
          },
        },
      ],
    }),
  })
  run.on('response', () => {
    ended = performance.now()
  })
  const result = await run
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) {
    const how = JSON.stringify(result.statusCodeStats)
    throw new Error(`${failed} of ${amount} requests to ${new URL(url).pathname} went wrong: ${how}.`)
  }
  return { perSecond: (result['2xx'] * 1000) / (ended - begun), p50: result.latency.p50 }
}

/** As many as keep somebody of that pace busy for so long, and at least two on each connection. */
export const amountFor = (perSecond: number, { seconds, connections }: { seconds: number; connections: number }) =>
  Math.max(2 * connections, Math.round((perSecond * seconds) / connections) * connections)

export interface Turns {
  ours: Pace[]
  theirs: Pace[]
  /** How many times as much we did in each round. */
  ratios: number[]
}

interface Circumstances {
  rounds: number
  seconds: number
  connections: number
  progress(text: string): void
}

/** The same work asked of us and of a peer, in turns, and in turns first. The first round of both counts for nothing but their pace. */
export async function inTurns(ours: Answering, theirs: Answering, circumstances: Circumstances): Promise<Turns> {
  const { rounds, connections, progress } = circumstances
  const warm = async (who: Answering) => {
    const { perSecond } = await ask(who, { connections, amount: 2 * connections })
    const amount = amountFor(perSecond, circumstances)
    const settled = await ask(who, { connections, amount })
    return amountFor(settled.perSecond, circumstances)
  }
  const amounts = { ours: await warm(ours), theirs: await warm(theirs) }
  const askUs = () => ask(ours, { connections, amount: amounts.ours })
  const askThem = () => ask(theirs, { connections, amount: amounts.theirs })
  const turns: Turns = { ours: [], theirs: [], ratios: [] }
  for (let round = 1; round <= rounds; round++) {
    const areWeFirst = round % 2 === 1
    const first = await (areWeFirst ? askUs() : askThem())
    const second = await (areWeFirst ? askThem() : askUs())
    const [our, their] = areWeFirst ? [first, second] : [second, first]
    turns.ours.push(our)
    turns.theirs.push(their)
    turns.ratios.push(our.perSecond / their.perSecond)
  }
  progress(
    `ours ${median(turns.ours.map((pace) => pace.perSecond)).toFixed(0)}/s against ` +
      `${median(turns.theirs.map((pace) => pace.perSecond)).toFixed(1)}/s: ${median(turns.ratios).toFixed(1)} times`,
  )
  return turns
}
