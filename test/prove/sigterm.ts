import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pruneTokens } from '../../src/domain/oauth/prune-tokens.ts'
import type { Settings } from '../support/program.ts'
import { balancer } from './support/balancer.ts'
import { httpClient } from './support/http.ts'
import { type Login, makeLogin, withContext } from './support/identities.ts'
import { type Lab, proof } from './support/proof.ts'
import { type ServerProcess, startServer } from './support/server-process.ts'
import { settingsFor } from './support/settings.ts'
import { steadyLoad } from './support/steady-load.ts'

/** A process that is told to end finishes what it has begun; told twice, it ends at once. */
export const sigterm = proof({
  name: 'sigterm',
  asked:
    'requests under way finish on SIGTERM, a second signal exits at once, jobs are released; rolling restarts of 2 processes under 200 requests/s lose 0 requests',
  full: { underWay: 50, restarts: 10, perSecond: 200 },
  quick: { underWay: 10, restarts: 1, perSecond: 50 },
  async run({ underWay, restarts, perSecond }, lab) {
    const settings = settingsFor(await lab.database('migrated'))
    const login = await withContext(settings, (context) => makeLogin(context))
    const url = settings['DATABASE_URL'] ?? ''
    lab.progress('requests under way')
    const finished = await finishUnderWay({ settings, login, url, underWay })
    lab.progress('second signal')
    const exitMs = await exitAtOnce({ settings, login, url })
    lab.progress('a job under way')
    const jobs = await releaseJobs({ settings, url })
    const rolled = await rollingRestarts({ settings, login, restarts, perSecond, lab })
    return {
      measured: `${finished.answered} of ${underWay} under way finished, exit code ${finished.code}; second signal: gone after ${Math.round(exitMs)} ms; ${jobs.left} of ${jobs.all} jobs left behind as running; ${rolled.lost} of ${rolled.sent} requests lost in ${2 * restarts} restarts${rolled.example ? ` (${rolled.example})` : ''}`,
      pass:
        finished.answered === underWay && finished.code === 0 && exitMs < 1000 && jobs.left === 0 && rolled.lost === 0,
    }
  },
})

/** Nobody gets at the table until `release`: whatever needs it waits. */
async function holdTable(url: string, table: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  return {
    async waiting(count: number): Promise<void> {
      const text = `select count(*)::int as n from pg_locks where not granted and relation = $1::regclass`
      // Others may come to wait as well.
      while (((await client.query<{ n: number }>(text, [table])).rows[0]?.n ?? 0) < count) await sleep(10)
    },
    async release(): Promise<void> {
      await client.query('commit')
      await client.end()
    },
  }
}

async function logIn({ url }: ServerProcess, login: Login): Promise<string> {
  const http = httpClient(1)
  const { json } = await http.call(`${url}/oauth/token`, { method: 'POST', body: login.grant })
  const token = String(json['access_token'])
  // Remembered from now on.
  await http.call(`${url}/api/1.0/users`, { token })
  await http.close()
  return token
}

interface Setting {
  settings: Settings
  login: Login
  url: string
}

/** A third of those that a server has: all of these requests are one caller's. */
const connectionsOfCaller = 3

async function finishUnderWay({ settings, login, url, underWay }: Setting & { underWay: number }) {
  const server = await startServer(settings)
  const http = httpClient(underWay)
  const token = await logIn(server, login)
  const table = await holdTable(url, 'users')
  const answers = Array.from({ length: underWay }, () => http.call(`${server.url}/api/1.0/users`, { token }))
  await table.waiting(Math.min(underWay, connectionsOfCaller))
  server.signal('SIGTERM')
  await sleep(300)
  await table.release()
  const settled = await Promise.allSettled(answers)
  const code = await server.exited
  await http.close()
  return { code, answered: settled.filter((each) => each.status === 'fulfilled' && each.value.status === 200).length }
}

async function exitAtOnce({ settings, login, url }: Setting): Promise<number> {
  const server = await startServer(settings)
  const http = httpClient(1)
  const token = await logIn(server, login)
  const table = await holdTable(url, 'users')
  const answer = http.call(`${server.url}/api/1.0/users`, { token }).catch(() => undefined)
  await table.waiting(1)
  server.signal('SIGTERM')
  await sleep(300)
  const begun = performance.now()
  server.signal('SIGTERM')
  await server.exited
  const took = performance.now() - begun
  await table.release()
  await answer
  await http.close()
  return took
}

/** A job is made to wait for a table while its worker is told to end: it is done, or waits for the next worker. */
async function releaseJobs({ settings, url }: Pick<Setting, 'settings' | 'url'>) {
  const worker = await startServer({ ...settings, ENTREPOT_ROLE: 'worker' })
  const table = await holdTable(url, 'access_tokens')
  await withContext(settings, (context) => context.transaction((trx) => context.enqueue(trx, pruneTokens, {})))
  await table.waiting(1)
  worker.signal('SIGTERM')
  await sleep(300)
  await table.release()
  await worker.exited
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ state: string }>('select state from pgboss.job where name = $1', [
    pruneTokens.name,
  ])
  await client.end()
  return { all: rows.length, left: rows.filter(({ state }) => state === 'active').length }
}

/** Behind a balancer that looks at /ready and asks the next one if a connection is refused, as balancers do. */
async function rollingRestarts(
  options: Omit<Setting, 'url'> & { restarts: number; perSecond: number; lab: Lab },
): Promise<{ sent: number; lost: number; example?: string }> {
  const { settings, login, restarts, perSecond, lab } = options
  const servers = [await startServer(settings), await startServer(settings)]
  const [first] = servers
  const token = first ? await logIn(first, login) : ''
  const balanced = balancer(servers.map(({ url }) => url))
  const load = steadyLoad({ perSecond, next: () => ({ url: '/api/1.0/users', token }), http: balanced })
  for (let restart = 1; restart <= restarts; restart++) {
    for (const [place, server] of servers.entries()) {
      await sleep(500)
      await server.stop()
      servers[place] = await startServer(settings, { port: Number(new URL(server.url).port) })
    }
    lab.progress('rolling restarts', restart, restarts)
  }
  await sleep(500)
  await load.stop()
  await Promise.all(servers.map((server) => server.stop()))
  const lost = load.sent.filter(({ status }) => status !== 200)
  const [bad] = lost
  return { sent: load.sent.length, lost: lost.length, ...(bad ? { example: bad.problem ?? String(bad.status) } : {}) }
}
