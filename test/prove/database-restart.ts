import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../../src/runtime/db/migrate.ts'
import { createLog } from '../../src/runtime/log.ts'
import { httpClient } from './support/http.ts'
import { type Login, makeLogin, withContext } from './support/identities.ts'
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts'
import { type Lab, proof } from './support/proof.ts'
import { type ServerProcess, withServers } from './support/server-process.ts'
import { settingsFor } from './support/settings.ts'
import { countStatuses, type SteadyLoad, steadyLoad } from './support/steady-load.ts'

const allowedMs = 5000

/** A database that goes away and comes back costs requests, never the process. */
export const databaseRestart = proof({
  name: 'database-restart',
  asked:
    'PostgreSQL stopped and started 10 times under 100 requests/s: 0 process exits, only 503 meanwhile, first 2xx within 5 s after it is back',
  full: { times: 10, perSecond: 100, awayMs: 2000, settleMs: 3000 },
  quick: { times: 1, perSecond: 50, awayMs: 500, settleMs: 500 },
  async run(figures, lab) {
    const postgres = await startOwnPostgres()
    try {
      await postgres.create('proof')
      const settings = settingsFor(postgres.urlOf('proof'))
      await migrate({ url: postgres.urlOf('proof'), log: createLog('warn') })
      const login = await withContext(settings, makeLogin)
      return await withServers([settings], async ([server]) => {
        if (!server) throw new Error('There is no server.')
        return await restartUnderLoad({ ...figures, postgres, server, login, lab })
      })
    } finally {
      await postgres.remove()
    }
  },
})

async function restartUnderLoad(options: {
  times: number
  perSecond: number
  awayMs: number
  settleMs: number
  postgres: OwnPostgres
  server: ServerProcess
  login: Login
  lab: Lab
}) {
  const { times, perSecond, awayMs, settleMs, postgres, server, login, lab } = options
  const load = steadyLoad({ perSecond, next: await mixedRequests(server, login) })
  const waits: number[] = []
  await sleep(settleMs)
  for (let time = 1; time <= times; time++) {
    // In turns, an orderly stop and one that looks like a crash.
    await postgres.stop(time % 2 === 1 ? 'fast' : 'immediate')
    await sleep(awayMs)
    await postgres.start()
    waits.push(await firstSuccess(load, performance.now()))
    lab.progress('restarts', time, times)
    await sleep(settleMs)
  }
  await load.stop()
  const slowest = Math.max(...waits)
  const other = load.sent.filter(({ status }) => status !== 503 && !(status >= 200 && status < 300))
  const exits = server.exitCode() === null ? 0 : 1
  const examples = [...new Set(other.map(({ what, status, problem }) => `${what}: ${problem ?? status}`))].slice(0, 5)
  return {
    measured: `${exits} exits; ${countStatuses(load.sent)}${examples.length > 0 ? ` (${examples.join('; ')})` : ''}; first 2xx at the latest ${Math.round(slowest)} ms after it was back`,
    pass: exits === 0 && other.length === 0 && slowest <= allowedMs,
  }
}

/** Reads from a token in memory, reads by a token, and writes. */
async function mixedRequests({ url }: ServerProcess, login: Login) {
  const http = httpClient(1)
  const grant = { method: 'POST', body: login.grant } as const
  const token = String((await http.call(`${url}/oauth/token`, grant)).json['access_token'])
  await http.close()
  const change = { method: 'PUT', token, body: { name: 'Ada' } } as const
  const requests = [
    { url: `${url}/api/1.0/users`, token },
    { url: `${url}/api/1.0/users/information`, token },
    { url: `${url}/api/1.0/users/${login.userId}`, ...change },
    { url: `${url}/api/1.0/users?filter[active]=true`, token },
  ]
  return (n: number) => requests[n % requests.length] ?? { url }
}

/** Milliseconds until a request that was sent after `since` is answered with success. */
async function firstSuccess(load: SteadyLoad, since: number): Promise<number> {
  for (;;) {
    const answer = load.sent.findLast(({ sentAt, status }) => sentAt >= since && status >= 200 && status < 300)
    if (answer) {
      const all = load.sent.filter(({ sentAt, status }) => sentAt >= since && status >= 200 && status < 300)
      return Math.min(...all.map(({ answeredAt }) => answeredAt)) - since
    }
    if (performance.now() - since > 10 * allowedMs) return Number.POSITIVE_INFINITY
    await sleep(20)
  }
}
