import type { Context } from '../../src/domain/context.ts'
import { askToken, makeClient } from '../support/identity.ts'
import type { Settings } from '../support/program.ts'
import { type HttpClient, httpClient } from './support/http.ts'
import { makeLogin, withContext } from './support/identities.ts'
import { type Lab, proof } from './support/proof.ts'
import { type ServerProcess, startServer, withServers } from './support/server-process.ts'
import { settingsFor } from './support/settings.ts'

const limit = 60

/** A limit is exact over all processes and all tokens of a subject, also while processes come and go. */
export const rateExact = proof({
  name: 'rate-exact',
  asked: '1,000 parallel requests of one subject over 2 processes with several tokens: exactly the limit (60) passes',
  full: { requests: 1000, rounds: 5 },
  quick: { requests: 200, rounds: 1 },
  async run({ requests, rounds }, lab) {
    const settings = settingsFor(await lab.database('migrated'), { RATE_LIMIT_USER: String(limit) })
    return await withContext(settings, async (context) => {
      const flood = { context, requests, rounds, lab }
      const forked = await withServers([{ ...settings, ENTREPOT_PROCESSES: '2' }], (servers) =>
        floods({ ...flood, servers, what: 'one start with two processes' }),
      )
      const separate = await withServers([settings, settings], (servers) =>
        floods({ ...flood, servers, what: 'two starts' }),
      )
      const changing: number[] = []
      for (let round = 1; round <= rounds; round++) {
        changing.push(await floodWhileOneComesAndGoes({ ...flood, settings }))
        lab.progress('one joins and leaves', round, rounds)
      }
      const exact = [...forked, ...separate, ...changing].every((passed) => passed === limit)
      return {
        measured: `passed: ${forked.join(', ')} (ENTREPOT_PROCESSES=2); ${separate.join(', ')} (two separate starts); ${changing.join(', ')} (the second joins and leaves meanwhile)`,
        pass: exact,
      }
    })
  },
})

interface Flood {
  context: Context
  requests: number
  rounds: number
  lab: Lab
}

async function floods(options: Flood & { servers: readonly ServerProcess[]; what: string }): Promise<number[]> {
  const { context, requests, rounds, servers, lab, what } = options
  const passed: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const http = httpClient(requests)
    // So that connections to the database are open, as they are in a server that has been running.
    await flood({ http, servers, tokens: await severalTokens(context), requests: 40 })
    passed.push(await flood({ http, servers, tokens: await severalTokens(context), requests }))
    await http.close()
    lab.progress(what, round, rounds)
  }
  return passed
}

/** Counts in memory, then in company, then alone again: no hit may get lost or count twice on the way. */
async function floodWhileOneComesAndGoes({ context, requests, settings }: Flood & { settings: Settings }) {
  return await withServers([settings], async ([first]) => {
    if (!first) throw new Error('There is no server.')
    const http = httpClient(requests)
    const tokens = await severalTokens(context)
    const few = Math.floor(limit / 4)
    let passed = await flood({ http, servers: [first], tokens, requests: few })
    const second = await startServer(settings)
    passed += await flood({ http, servers: [first, second], tokens, requests: few })
    await second.stop()
    passed += await flood({ http, servers: [first], tokens, requests })
    await http.close()
    return passed
  })
}

/** Logins of one person with two clients; the subject is the same. */
async function severalTokens(context: Context): Promise<string[]> {
  const login = await makeLogin(context, { permissions: ['read-user'] })
  const other = await makeClient(context, { grant_types: ['password'] })
  const grants = [login.grant, login.grant, { ...login.grant, ...other }, { ...login.grant, ...other }]
  const answers = await Promise.all(grants.map((grant) => askToken(context, grant)))
  return answers.map((answer) => answer.access_token)
}

/** How many of so many requests at the same moment get through. */
async function flood(options: {
  http: HttpClient
  servers: readonly ServerProcess[]
  tokens: readonly string[]
  requests: number
}): Promise<number> {
  const { http, servers, tokens, requests } = options
  const answers = await Promise.all(
    Array.from({ length: requests }, (_, n) => {
      const token = tokens[n % tokens.length]
      const url = `${servers[Math.floor(n / tokens.length) % servers.length]?.url}/api/1.0/users/information`
      return http.call(url, token === undefined ? {} : { token })
    }),
  )
  const odd = answers.find(({ status }) => status !== 200 && status !== 429)
  if (odd) throw new Error(`A request was answered with ${odd.status}: ${JSON.stringify(odd.json)}`)
  return answers.filter(({ status }) => status === 200).length
}
