import type { Call, HttpClient } from './support/http.ts'
import { httpClient } from './support/http.ts'
import { type Login, makeLogin, withContext } from './support/identities.ts'
import { proof } from './support/proof.ts'
import { type ServerProcess, withServers } from './support/server-process.ts'
import { settingsFor } from './support/settings.ts'

const allowedMs = 1000

/** What is taken away is gone in every process, though each answers from memory who a token belongs to. */
export const revocation = proof({
  name: 'revocation',
  asked: '2 processes; token revoked, user deactivated or permission removed, 100 times: refused on both within 1 s',
  full: { times: 100 },
  quick: { times: 3 },
  async run({ times }, lab) {
    const settings = settingsFor(await lab.database('migrated'))
    return await withServers([settings, settings], (servers) =>
      withContext(settings, async (context) => {
        const http = httpClient(8)
        const manager = await makeLogin(context)
        const managerToken = await logIn(http, servers, manager)
        const delays: number[] = []
        for (let time = 0; time < times; time++) {
          const { companyId } = manager
          const login = await makeLogin(context, { permissions: ['read-user'], companyId })
          const token = await logIn(http, servers, login)
          const way = ways[time % ways.length] ?? revokeToken
          delays.push(await timeToRefusal({ http, servers, token, change: way({ login, token, managerToken }) }))
          lab.progress('taken away', time + 1, times)
        }
        await http.close()
        const slowest = Math.max(...delays)
        return { measured: `${times} times, the slowest after ${Math.round(slowest)} ms`, pass: slowest <= allowedMs }
      }),
    )
  },
})

interface Subject {
  login: Login
  token: string
  managerToken: string
}

/** How a right is taken away, and what the token gets from then on. */
interface Change extends Call {
  path: string
  refusal: number
}

const revokeToken = ({ login, token }: Subject): Change => ({
  method: 'POST',
  path: '/oauth/revoke',
  body: { ...login.client, token },
  refusal: 401,
})

const deactivateUser = ({ login, managerToken }: Subject): Change => ({
  method: 'PUT',
  path: `/api/1.0/users/${login.userId}`,
  token: managerToken,
  body: { active: false },
  refusal: 401,
})

const removePermission = ({ login, managerToken }: Subject): Change => ({
  method: 'PUT',
  path: `/api/1.0/users/${login.userId}`,
  token: managerToken,
  body: { permissions: [] },
  refusal: 403,
})

const ways = [revokeToken, deactivateUser, removePermission]

async function logIn(http: HttpClient, [server]: readonly ServerProcess[], login: Login): Promise<string> {
  const answer = await http.call(`${server?.url}/oauth/token`, { method: 'POST', body: login.grant })
  return String(answer.json['access_token'])
}

async function timeToRefusal(options: {
  http: HttpClient
  servers: readonly ServerProcess[]
  token: string
  change: Change
}): Promise<number> {
  const { http, servers, token, change } = options
  const ask = async ({ url }: ServerProcess) => (await http.call(`${url}/api/1.0/users`, { token })).status
  // Once, so that both processes remember the caller.
  for (const server of servers) {
    const status = await ask(server)
    if (status !== 200) throw new Error(`The token got ${status} before anything was taken away.`)
  }
  const { path, refusal, ...call } = change
  const changed = await http.call(`${servers[0]?.url}${path}`, call)
  if (changed.status !== 200) throw new Error(`${call.method} ${path} was answered with ${changed.status}.`)
  const begun = performance.now()
  const waited = await Promise.all(
    servers.map(async (server) => {
      for (;;) {
        const elapsed = performance.now() - begun
        if ((await ask(server)) === refusal) return elapsed
        if (elapsed > 10 * allowedMs) return Number.POSITIVE_INFINITY
      }
    }),
  )
  return Math.max(...waited)
}
