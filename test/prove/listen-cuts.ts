import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Context } from '../../src/domain/context.ts'
import { newEvent } from '../../src/domain/events/event.ts'
import { emitEvents } from '../../src/domain/events/event-store.ts'
import { samples } from '../../src/domain/events/samples.ts'
import { drawLots } from '../support/chance.ts'
import { listenHttp, listenTcp } from '../support/loopback.ts'
import { printed, startEntrepot, stop } from '../support/process.ts'
import { withFleet } from './support/fleet.ts'
import { isGenuine } from './support/hook-endpoint.ts'
import { withContext } from './support/identities.ts'
import { type Lab, proof } from './support/proof.ts'
import { settingsFor } from './support/settings.ts'
import { until } from './support/until.ts'

interface Figures {
  events: number
  perSecond: number
  cuts: number
}

/** So many records are changed in turn: the events of each must stay in their order. */
const subjects = 7

/** A command line that listens loses its connection again and again: its receiver notices nothing. */
export const listenCuts = proof<Figures>({
  name: 'listen-cuts',
  asked:
    '`entrepot listen` while its connection is cut 20 times under 10 events/s for a minute: all 600 delivered once, in order per subject, every signature valid',
  full: { events: 600, perSecond: 10, cuts: 20 },
  quick: { events: 40, perSecond: 20, cuts: 4 },
  async run(figures, lab) {
    const url = await lab.database('migrated')
    return await withFleet(url, (fleet) =>
      withContext(settingsFor(url), async (context) => {
        const { appId, userToken } = await fleet.makeMerchant()
        const proxy = await openCutter(fleet.api.url)
        const receiver = await openReceiver()
        const child = startEntrepot(['listen', '--forward-to', receiver.url, '--json'], {
          env: { ENTREPOT_URL: proxy.url, ENTREPOT_TOKEN: userToken, ENTREPOT_APP: String(appId) },
        })
        try {
          const { secret } = JSON.parse((await printed(child, '"secret"')).split('\n')[0] ?? '') as { secret: string }
          child.stdout?.resume()
          child.stderr?.resume()
          receiver.verifyWith(secret)
          await Promise.all([emitAll(context, appId, figures), cutAll(proxy, figures, lab)])
          await until('all have arrived', async () => receiver.seen.size >= figures.events, { seconds: 120 })
          return judge(receiver, proxy.cuts(), figures)
        } finally {
          await stop(child)
          await receiver.close()
          await proxy.close()
        }
      }),
    )
  },
})

async function emitAll(context: Context, appId: number, { events, perSecond }: Figures): Promise<void> {
  const begun = performance.now()
  for (let n = 0; n < events; n++) {
    const data = { ...samples['order.updated'], id: n % subjects, number: String(n) }
    const event = newEvent('order.updated', { appId }, { subject: `order:1:${n % subjects}`, data })
    await context.transaction((trx) => emitEvents(trx, [event]))
    await sleep(Math.max(0, begun + ((n + 1) / perSecond) * 1000 - performance.now()))
  }
}

/** Evenly over the time that the events take, each by chance a little sooner or later. */
async function cutAll(proxy: Cutter, { events, perSecond, cuts }: Figures, lab: Lab): Promise<void> {
  const lots = drawLots('listen-cuts')
  const everyMs = ((events / perSecond) * 1000) / (cuts + 1)
  for (let n = 0; n < cuts; n++) {
    await sleep(everyMs * (0.5 + lots.fraction()))
    // One that is between two connections is cut off from the next one.
    await until('there is a connection', async () => proxy.cut() > 0, { everyMs: 5 })
    lab.progress('cuts', n + 1, cuts)
  }
}

interface Cutter {
  url: string
  /** Ends all connections at once, in the middle of whatever they carry; how many. */
  cut(): number
  cuts(): number
  close(): Promise<void>
}

async function openCutter(target: string): Promise<Cutter> {
  const { hostname, port } = new URL(target)
  const live = new Set<Socket>()
  let cuts = 0
  const server = await listenTcp((near) => {
    const far = connect(Number(port), hostname)
    live.add(near)
    near.pipe(far).pipe(near)
    far.on('error', () => undefined)
    near.on('close', () => {
      live.delete(near)
      far.destroy()
    })
    far.on('close', () => near.destroy())
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    cut() {
      const count = live.size
      for (const near of live) near.resetAndDestroy()
      live.clear()
      if (count > 0) cuts++
      return count
    },
    cuts: () => cuts,
    close: server.close,
  }
}

async function openReceiver() {
  /** By the number of the event: how often it came. */
  const seen = new Map<number, number>()
  const last = new Map<number, number>()
  let webhook: Webhook | null = null
  let disordered = 0
  let unverified = 0
  const server = await listenHttp(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    if (!webhook || !isGenuine(webhook, body, request.headers)) unverified++
    const { id, number } = JSON.parse(body).data as { id: number; number: string }
    const n = Number(number)
    seen.set(n, (seen.get(n) ?? 0) + 1)
    if (n <= (last.get(id) ?? -1)) disordered++
    last.set(id, n)
    response.writeHead(204).end()
  })
  return {
    url: `http://127.0.0.1:${server.port}/hooks`,
    seen,
    disordered: () => disordered,
    unverified: () => unverified,
    verifyWith(secret: string) {
      webhook = new Webhook(secret)
    },
    close: server.close,
  }
}

function judge(receiver: Awaited<ReturnType<typeof openReceiver>>, cuts: number, { events, cuts: wanted }: Figures) {
  const twice = [...receiver.seen.values()].filter((times) => times > 1).length
  const [disordered, unverified] = [receiver.disordered(), receiver.unverified()]
  return {
    measured: `${cuts} cuts; ${receiver.seen.size} of ${events} delivered, ${twice} twice, ${disordered} out of order, ${unverified} signatures that do not verify`,
    pass: cuts === wanted && receiver.seen.size === events && twice === 0 && disordered === 0 && unverified === 0,
  }
}
