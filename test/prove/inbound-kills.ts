import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../../src/runtime/db/migrate.ts'
import { createLog } from '../../src/runtime/log.ts'
import { freePort } from '../support/process.ts'
import type { Settings } from '../support/program.ts'
import { withFleet } from './support/fleet.ts'
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts'
import { type Lab, proof } from './support/proof.ts'
import { type ServerProcess, startServer } from './support/server-process.ts'
import { settingsFor } from './support/settings.ts'
import { countStatuses, type Sent } from './support/steady-load.ts'
import { storedMessages, type TellingShop, tellingShop, toldMessage } from './support/told-messages.ts'
import { percentile, until } from './support/until.ts'

/** Whoever was answered that we have it can forget it. */
export const inboundKills = proof({
  name: 'inbound-kills',
  asked:
    '200 messages/s for 2 minutes, the API killed 10 times and PostgreSQL 3 times: 0 acknowledged and lost, all of them worked on, none acknowledged while the database is away',
  full: { perSecond: 200, seconds: 120, apiKills: 10, databaseKills: 3, settleSeconds: 300 },
  quick: { perSecond: 50, seconds: 6, apiKills: 1, databaseKills: 1, settleSeconds: 300 },
  async run({ perSecond, seconds, apiKills, databaseKills, settleSeconds }, lab) {
    const postgres = await startOwnPostgres()
    try {
      const url = postgres.urlOf('proof')
      await postgres.create('proof')
      await migrate({ url, log: createLog('warn') })
      return await withFleet(url, async (fleet) => {
        const [process, merchant] = await Promise.all([
          fleet.startShop({ platform: 'woocommerce', orders: 500 }),
          fleet.makeMerchant(),
          fleet.startWorker(),
        ])
        const settings = settingsFor(url, { ENTREPOT_ROLE: 'api', EGRESS_ALLOW: '127.0.0.1' })
        const id = await merchant.install(process)
        const shop = await tellingShop({ shop: process, merchant, id }, settings)
        const { sent, acknowledged, away } = await sendUnderFire(shop, {
          ...{ settings, postgres, perSecond, seconds, apiKills, databaseKills, lab },
        })
        lab.progress('all is sent')
        const stored = await storedMessages(fleet, shop, settleSeconds)
        const kept = new Set(stored.ids)
        const lost = acknowledged.filter((each) => !kept.has(each)).length
        const untimely = sent.filter(
          ({ sentAt, answeredAt, status }) =>
            status === 200 && away.some(({ from, to }) => sentAt > from && answeredAt < to),
        ).length
        const times = sent.filter(({ status }) => status === 200).map(({ sentAt, answeredAt }) => answeredAt - sentAt)
        return {
          measured: `${sent.length} sent: ${countStatuses(sent)}; ${acknowledged.length} acknowledged, ${lost} of them lost, ${untimely} while the database was away; ${stored.ids.length} stored, ${stored.failed} failed; acknowledged after ${Math.round(percentile(times, 0.5))} ms (p99 ${Math.round(percentile(times, 0.99))} ms)`,
          pass: lost === 0 && untimely === 0 && stored.failed === 0 && acknowledged.length > perSecond,
        }
      })
    } finally {
      await postgres.remove()
    }
  },
})

interface Fire {
  settings: Settings
  postgres: OwnPostgres
  perSecond: number
  seconds: number
  apiKills: number
  databaseKills: number
  lab: Lab
}

/** Two servers behind one name, as anybody has who wants to be there: one is up while the other is coming back. */
async function sendUnderFire(shop: TellingShop, fire: Fire) {
  const { settings, postgres, perSecond, seconds, apiKills, databaseKills, lab } = fire
  const ports = [await freePort(), await freePort()]
  const apis: ServerProcess[] = []
  // A database that has just come back may end a start as well.
  const startApi = async (at: number) => {
    const port = ports[at] ?? 0
    apis[at] = await until('the API starts', () => startServer(settings, { port }).catch(() => null), { seconds: 120 })
  }
  try {
    await Promise.all(ports.map((_, at) => startApi(at)))
    const load = keepSending({ origins: apis.map(({ url }) => url), perSecond, ...shop })
    const away: { from: number; to: number }[] = []
    const kills = [...Array(apiKills).fill('api'), ...Array(databaseKills).fill('database')]
    for (const [at, kill] of interleaved(kills).entries()) {
      await sleep((seconds * 1000) / (kills.length + 1) / 2)
      if (kill === 'api') {
        const turn = at % apis.length
        apis[turn]?.signal('SIGKILL')
        await apis[turn]?.exited
        await startApi(turn)
      } else {
        await postgres.stop('kill')
        const from = performance.now()
        await sleep(1500)
        away.push({ from, to: performance.now() })
        await postgres.start()
      }
      lab.progress('kills', at + 1, kills.length)
    }
    await until('the time is over', async () => load.seconds() >= seconds, { seconds: seconds + 60, everyMs: 200 })
    return { ...(await load.stop()), away }
  } finally {
    for (const api of apis) api?.signal('SIGKILL')
  }
}

/** Not all of one kind after all of the other. */
const interleaved = (kills: readonly string[]): string[] =>
  kills
    .map((kill, at) => ({ kill, place: kill === 'api' ? at : (at % 10) * 3 + 1.5 }))
    .sort((a, b) => a.place - b.place)
    .map(({ kill }) => kill)

/** So many a second, whether earlier ones have been answered or not; one that was not acknowledged is not sent again. */
function keepSending({ origins, perSecond, ...shop }: TellingShop & { origins: readonly string[]; perSecond: number }) {
  const sent: Sent[] = []
  const acknowledged: string[] = []
  const underWay = new Set<Promise<void>>()
  const begun = performance.now()
  let running = true

  async function send(n: number): Promise<void> {
    const { id, headers, body } = toldMessage(shop, n)
    const sentAt = performance.now()
    const signal = AbortSignal.timeout(10_000)
    const origin = origins[n % origins.length]
    const status = await fetch(`${origin}${shop.path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    }).then(
      async (answer) => {
        await answer.body?.cancel()
        return answer.status
      },
      () => 0,
    )
    if (status === 200) acknowledged.push(id)
    sent.push({ n, sentAt, answeredAt: performance.now(), status, what: 'POST' })
  }

  const loop = (async () => {
    for (let n = 0; running; n++) {
      const request = send(n).finally(() => underWay.delete(request))
      underWay.add(request)
      await sleep(Math.max(0, begun + ((n + 1) * 1000) / perSecond - performance.now()))
    }
  })()

  return {
    seconds: () => (performance.now() - begun) / 1000,
    async stop() {
      running = false
      await loop
      await Promise.all(underWay)
      return { sent, acknowledged }
    },
  }
}
