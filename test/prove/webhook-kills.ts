import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../src/domain/context.ts'
import { emitEvents } from '../../src/domain/events/event-store.ts'
import { createSubscription } from '../../src/domain/webhooks/create-subscription.ts'
import { drawLots } from '../support/chance.ts'
import { makeApp } from '../support/identity.ts'
import { type Fleet, type WorkerProcess, withFleet } from './support/fleet.ts'
import { type HookEndpoint, openHookEndpoint } from './support/hook-endpoint.ts'
import { withContext } from './support/identities.ts'
import { type Lab, proof } from './support/proof.ts'
import { settingsFor } from './support/settings.ts'
import { someEvents } from './support/some-events.ts'
import { percentile, until } from './support/until.ts'

interface Figures {
  events: number
  perSecond: number
  kills: number
  senders: number
}

/** Senders die, endpoints come and go: everything arrives, hardly anything twice, and the good endpoint hears at once. */
export const webhookKills = proof<Figures>({
  name: 'webhook-kills',
  asked:
    '10,000 events to 3 endpoints (good, flapping, hanging) while senders are killed 20 times: each delivered, the same id on repeats, ≤ 1 % repeats, the good endpoint hears within 2 s at p95',
  full: { events: 10_000, perSecond: 25, kills: 20, senders: 3 },
  quick: { events: 300, perSecond: 20, kills: 1, senders: 2 },
  async run(figures, lab) {
    const url = await lab.database('migrated')
    const settings = settingsFor(url, { WEBHOOK_ALLOW: '127.0.0.1' })
    const endpoints = [await openHookEndpoint(), await openHookEndpoint(), await openHookEndpoint()] as const
    const [good, flapping, hanging] = endpoints
    try {
      return await withFleet(url, (fleet) =>
        withContext(settings, async (context) => {
          const appId = await makeApp(context)
          for (const endpoint of endpoints) await subscribe(context, appId, endpoint)
          flapping.behave(() => (Math.floor(Date.now() / 3000) % 2 === 0 ? 200 : 500))
          hanging.behave(() => null)
          const workers = Array.from({ length: figures.senders }, () => start(fleet))
          await Promise.all(workers)
          await warmUp(context, appId, good)
          await Promise.all([emitAll(context, appId, figures), killAll(fleet, workers, figures, lab)])
          const lags = [...good.taken.values()].slice(warmUpEvents).map(({ lagMs }) => lagMs)
          for (const endpoint of [flapping, hanging]) endpoint.behave(() => 200)
          await settle(fleet, lab)
          return judge(endpoints, lags, figures)
        }),
      )
    } finally {
      for (const endpoint of endpoints) await endpoint.close()
    }
  },
})

async function subscribe(context: Context, appId: number, endpoint: HookEndpoint): Promise<void> {
  const owner = { appId, integrationId: null }
  const { secret } = await createSubscription(context, owner, { url: endpoint.url, events: ['order.created'] })
  endpoint.verifyWith(secret)
}

const warmUpEvents = 10

/** Nobody has sent anything yet: that the first takes longer is not what is measured. */
async function warmUp(context: Context, appId: number, good: HookEndpoint): Promise<void> {
  await context.transaction((trx) => emitEvents(trx, someEvents(appId, 0, warmUpEvents)))
  await until('the first have arrived', async () => good.taken.size === warmUpEvents)
}

/** Ten transactions a second, each with its share of the events. */
async function emitAll(context: Context, appId: number, { events, perSecond }: Figures): Promise<void> {
  const share = Math.ceil(perSecond / 10)
  const begun = performance.now()
  for (let made = warmUpEvents; made < events; made += share) {
    await context.transaction((trx) => emitEvents(trx, someEvents(appId, made, Math.min(share, events - made))))
    const due = begun + ((made + share - warmUpEvents) / perSecond) * 1000
    await sleep(Math.max(0, due - performance.now()))
  }
}

/** On a machine that is busy a start may fail. */
const start = (fleet: Fleet): Promise<WorkerProcess> => fleet.startWorker().catch(() => fleet.startWorker())

/** One after the other, evenly over the time that the events take; another one starts in its place. */
async function killAll(
  fleet: Fleet,
  workers: Promise<WorkerProcess>[],
  { events, perSecond, kills }: Figures,
  lab: Lab,
): Promise<void> {
  const lots = drawLots('webhook-kills')
  const everyMs = ((events / perSecond) * 1000) / (kills + 1)
  for (let n = 0; n < kills; n++) {
    await sleep(everyMs * (0.5 + lots.fraction()))
    const worker = await workers.shift()
    await worker?.kill()
    const next = start(fleet)
    next.catch(() => undefined)
    workers.push(next)
    lab.progress('kills', n + 1, kills)
  }
}

/** What waits for its next attempt is not waited for: the clock is put forward. */
async function settle(fleet: Fleet, lab: Lab): Promise<void> {
  await until(
    'everything is delivered',
    async () => {
      await fleet.query(
        `update webhook_deliveries set due_at = now() where state = 'pending' and lease_until is null and due_at > now()`,
      )
      const [left] = await fleet.query<{ n: number }>(
        `select count(*)::int as n from webhook_deliveries where state <> 'delivered'`,
      )
      lab.progress(`${left?.n} left`)
      return left?.n === 0
    },
    { seconds: 600, everyMs: 2000 },
  )
}

function judge(endpoints: readonly HookEndpoint[], lags: readonly number[], { events, kills }: Figures) {
  const delivered = endpoints.map(({ taken }) => taken.size)
  const times = endpoints.flatMap(({ taken }) => [...taken.values()].map((each) => each.times))
  const repeats = times.reduce((sum, each) => sum + each - 1, 0)
  const share = (100 * repeats) / (events * endpoints.length)
  const unverified = endpoints.reduce((sum, endpoint) => sum + endpoint.unverified(), 0)
  const p95 = percentile(lags, 0.95) / 1000
  return {
    measured: `${kills} kills; ${delivered.join(' + ')} delivered of ${events} each; ${repeats} repeats (${share.toFixed(2)} %); good endpoint p95 ${p95.toFixed(2)} s, median ${(percentile(lags, 0.5) / 1000).toFixed(2)} s; ${unverified} signatures that do not verify`,
    pass: delivered.every((count) => count === events) && share <= 1 && p95 <= 2 && unverified === 0,
  }
}
