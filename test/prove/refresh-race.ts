import { sql } from 'kysely'
import type { Context } from '../../src/domain/context.ts'
import { digest } from '../../src/lib/secret.ts'
import { type HttpClient, httpClient, type Reply } from './support/http.ts'
import { type Login, makeLogin, withContext } from './support/identities.ts'
import { proof } from './support/proof.ts'
import { withServers } from './support/server-process.ts'
import { settingsFor } from './support/settings.ts'

/** A refresh token works once, however many ask at the same time; used again later, it takes its family along. */
export const refreshRace = proof({
  name: 'refresh-race',
  asked: '20 parallel uses of one refresh token, 100 times: exactly 1 wins; later reuse kills the family',
  full: { times: 100, parallel: 20 },
  quick: { times: 2, parallel: 10 },
  async run({ times, parallel }, lab) {
    const settings = settingsFor(await lab.database('migrated'), { ENTREPOT_PROCESSES: '2' })
    return await withServers([settings], ([server]) =>
      withContext(settings, async (context) => {
        const http = httpClient(parallel)
        const race = { http, url: server?.url ?? '', context, login: await makeLogin(context), parallel }
        const tally = { oneWinner: 0, survivorWorks: 0, familyDead: 0 }
        for (let time = 1; time <= times; time++) {
          const { winners, survivorWorks, familyDead } = await runRace(race)
          if (winners === 1) tally.oneWinner++
          if (survivorWorks) tally.survivorWorks++
          if (familyDead) tally.familyDead++
          lab.progress('races', time, times)
        }
        await http.close()
        const { oneWinner, survivorWorks, familyDead } = tally
        return {
          measured: `exactly 1 of ${parallel} won in ${oneWinner} of ${times}; its tokens worked in ${survivorWorks}; later reuse killed the family in ${familyDead}`,
          pass: oneWinner === times && survivorWorks === times && familyDead === times,
        }
      }),
    )
  },
})

interface Race {
  http: HttpClient
  url: string
  context: Context
  login: Login
  parallel: number
}

async function runRace(race: Race) {
  const { http, url, context, login, parallel } = race
  const first = tokensOf(await http.call(`${url}/oauth/token`, { method: 'POST', body: login.grant }))
  const refresh = (token: string) =>
    http.call(`${url}/oauth/token`, {
      method: 'POST',
      body: { grant_type: 'refresh_token', ...login.client, refresh_token: token },
    })
  const answers = await Promise.all(Array.from({ length: parallel }, () => refresh(first.refresh)))
  const won = answers.filter(({ status }) => status === 200)
  const second = tokensOf(won[0])
  const probe = () => http.call(`${url}/api/1.0/users/information`, { token: second.access })
  const survivorWorks = (await probe()).status === 200

  // Ten seconds pass, after which a second use is no accident any more.
  await context.db
    .updateTable('refresh_tokens')
    .set({ used_at: sql<string>`used_at - interval '11 seconds'` })
    .where('token_hash', '=', digest(first.refresh))
    .execute()
  const reuse = await refresh(first.refresh)
  const successor = await refresh(second.refresh)
  const dead = await refusedWithin(1000, probe)
  return { winners: won.length, survivorWorks, familyDead: reuse.status >= 400 && successor.status >= 400 && dead }
}

async function refusedWithin(ms: number, probe: () => Promise<Reply>): Promise<boolean> {
  const deadline = performance.now() + ms
  do {
    if ((await probe()).status === 401) return true
  } while (performance.now() < deadline)
  return false
}

const tokensOf = (answer: Reply | undefined) => ({
  access: String(answer?.json['access_token']),
  refresh: String(answer?.json['refresh_token']),
})
