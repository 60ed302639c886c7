import fc from 'fast-check'
import { Value } from 'typebox/value'
import { Agent } from 'undici'
import { endpoints } from '../../src/api/index.ts'
import type { Context } from '../../src/domain/context.ts'
import { sideBySide } from '../../src/lib/turns/side-by-side.ts'
import type { Endpoint } from '../../src/runtime/http/endpoint.ts'
import { successSchema } from '../../src/runtime/http/openapi/openapi.ts'
import { seedFor } from '../support/chance.ts'
import { makeWorld, nameOf, type World } from '../support/world.ts'
import { type FuzzRequest, requestsTo, type Worlds } from './support/fuzz-requests.ts'
import { withContext } from './support/identities.ts'
import { proof } from './support/proof.ts'
import { withServers } from './support/server-process.ts'
import { settingsFor } from './support/settings.ts'

const together = 8

/** Whoever has nothing to do with a shop waits for nobody. */
const allowedMs = 5000

/** Whatever is sent, the answer is never a mistake of ours, and what succeeds looks as documented. */
export const fuzzApi = proof({
  name: 'fuzz-api',
  asked:
    '100,000 generated requests over all endpoints of both versions, by users, apps, accounts and strangers: 0 status 500, 0 crashes, 0 answers after more than 5 s; every 2xx matches its schema',
  full: { requests: 100_000, seed: () => seedFor('fuzz-api') },
  quick: { requests: 2 * endpoints.length, seed: () => 1 },
  async run({ requests, seed: chooseSeed }, lab) {
    const seed = chooseSeed()
    const settings = settingsFor(await lab.database('migrated'))
    return await withServers([settings], ([server]) =>
      withContext(settings, async (context) => {
        const caller = openCaller(server?.url ?? '')
        const drafts = endpoints.map((endpoint) => ({ endpoint, arbitrary: requestsTo(endpoint) }))
        const next = inTurn(drafts, seed)
        const tally: Tally = { statuses: new Map(), slowestMs: 0, reached: new Set(), problems: [] }
        const spare = oneAhead(() => newWorld(context, caller))
        let worlds: Promise<Worlds> = Promise.all([spare.take(), spare.take()]).then(([own, foreign]) => ({
          own,
          foreign,
        }))
        let done = 0
        const one = async (number: number) => {
          const { endpoint, arbitrary } = next(number)
          const [draft] = fc.sample(arbitrary, { seed: seed + number, numRuns: 1 })
          const asked = worlds
          const known = await asked
          const isAlive = draft === undefined || (await judge(tally, endpoint, draft(known), { caller, worlds: known }))
          lab.progress(`seed ${seed}: requests`, ++done, requests)
          if (server?.exitCode() !== null) throw new Error(`The server ended: ${server?.printed().slice(-2000)}`)
          // Several may find out at once: the first replaces it, and all wait for that.
          if (!isAlive && worlds === asked) worlds = spare.take().then((own) => ({ ...known, own }))
        }
        await sideBySide(
          Array.from({ length: requests }, (_, number) => number),
          together,
          one,
        )
        await spare.end()
        await caller.close()
        const counts = [...tally.statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${n} × ${status}`)
        const kinds = [...new Set(tally.problems.map(({ kind }) => kind))]
        for (const problem of firstOfEachKind(tally.problems))
          process.stderr.write(`${JSON.stringify(problem).slice(0, 5000)}\n`)
        return {
          measured: `${counts.join(', ')}; 2xx on ${tally.reached.size} of ${endpoints.length} endpoints; 0 crashes; the slowest after ${(tally.slowestMs / 1000).toFixed(1)} s; ${tally.problems.length} problems${kinds.length > 0 ? ` (${kinds.slice(0, 8).join('; ')})` : ''}; seed ${seed}`,
          pass: tally.problems.length === 0,
        }
      }),
    )
  },
})

interface Tally {
  statuses: Map<number, number>
  slowestMs: number
  reached: Set<Endpoint>
  problems: { kind: string; request: FuzzRequest; answer: string }[]
}

const firstOfEachKind = (problems: Tally['problems']) => [
  ...new Map([...problems].reverse().map((problem) => [problem.kind, problem])).values(),
]

/** One is made while nobody needs it yet: making a world takes as long as many requests, and some end it. */
function oneAhead<T>(make: () => Promise<T>) {
  const begin = () => {
    const making = make()
    // Whoever takes it hears of what went wrong.
    making.catch(() => undefined)
    return making
  }
  let next = begin()
  return {
    take(): Promise<T> {
      const taken = next
      next = taken.then(begin, begin)
      next.catch(() => undefined)
      return taken
    },
    end: async () => void (await next),
  }
}

/** Every endpoint once, then every endpoint again in another order. */
function inTurn<T>(all: readonly T[], seed: number): (number: number) => T {
  const whole = { minLength: all.length, maxLength: all.length }
  let shuffled: { cycle: number; order: T[] } | undefined
  return (number) => {
    const cycle = Math.floor(number / all.length)
    if (shuffled?.cycle !== cycle) {
      const [order = []] = fc.sample(fc.shuffledSubarray([...all], whole), { seed: seed + cycle, numRuns: 1 })
      shuffled = { cycle, order }
    }
    return shuffled.order[number % all.length] as T
  }
}

/** False if the token of the own world opens nothing any more: requests delete users and apps, and revoke clients. */
async function judge(
  tally: Tally,
  endpoint: Endpoint,
  request: FuzzRequest,
  { caller, worlds }: { caller: Caller; worlds: Worlds },
): Promise<boolean> {
  const complain = (what: string, answer: string) =>
    tally.problems.push({ kind: `${nameOf(endpoint)}: ${what}`, request, answer: answer.slice(0, 500) })
  const answer = await caller.send(request).catch((error: unknown) => {
    complain('no answer', error instanceof Error ? error.message : String(error))
    return null
  })
  if (!answer) return true
  const { status, text, ms } = answer
  tally.slowestMs = Math.max(tally.slowestMs, ms)
  if (ms > allowedMs) complain('too late', `${Math.round(ms)} ms`)
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
  if (status === 500 || status > 503) complain(String(status), text)
  if (
    status >= 400 &&
    typeof (answer.json() as { message?: unknown })?.message !== 'string' &&
    !isPage(endpoint, text)
  ) {
    complain(`${status} without a message`, text)
  }
  if (status >= 300)
    return status !== 401 || request.headers['authorization'] !== `Bearer ${worlds.own.tokenFor(endpoint)}`
  tally.reached.add(endpoint)
  const schema = successSchema(endpoint)
  if (!schema || status === 204) return true
  const [problem] = Value.Errors(schema, answer.json())
  if (problem) complain(`${status} against its schema: ${problem.instancePath} ${problem.message}`, text)
  return true
}

/** People who come with a browser read the reason on a page. */
const isPage = ({ returns }: Endpoint, text: string) =>
  returns.kind === 'answer' && text.startsWith('<!doctype html>') && /id="message">[^<]/.test(text)

interface Caller {
  send(request: FuzzRequest): Promise<{ status: number; text: string; ms: number; json(): unknown }>
  close(): Promise<void>
}

function openCaller(origin: string): Caller {
  // And one for whoever makes the next world.
  const agent = new Agent({ connections: together + 1, pipelining: 1 })
  return {
    async send({ method, path, headers, body }) {
      const begun = performance.now()
      const answer = await agent.request({
        origin,
        path,
        method: method as 'GET',
        signal: AbortSignal.timeout(120_000),
        headers,
        ...(body === undefined ? {} : { body }),
      })
      const text = await answer.body.text()
      return { status: answer.statusCode, text, ms: performance.now() - begun, json: () => parse(text) }
    },
    close: () => agent.destroy(),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function newWorld(context: Context, caller: Caller): Promise<World> {
  const server: Parameters<typeof makeWorld>[0] = {
    context,
    async call(method, path, { token, body, headers } = {}) {
      const answer = await caller.send({
        method,
        path,
        headers: {
          'content-type': 'application/json',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      return { status: answer.status, headers: {}, text: answer.text, json: Object(answer.json()) }
    },
  }
  return await makeWorld(server)
}
