import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Agent } from 'undici'
import { emitEvents } from '../src/domain/events/event-store.ts'
import { createSubscription } from '../src/domain/webhooks/create-subscription.ts'
import { withFleet } from '../test/prove/support/fleet.ts'
import { withContext } from '../test/prove/support/identities.ts'
import { settingsFor } from '../test/prove/support/settings.ts'
import { someEvents } from '../test/prove/support/some-events.ts'
import { until } from '../test/prove/support/until.ts'
import { makeApp } from '../test/support/identity.ts'
import { listenHttp } from '../test/support/loopback.ts'

export interface DeliveriesResult {
  /** A second: by one worker, and by the bare HTTP client with the same number of requests at once. */
  ours: number[]
  bare: number[]
  /** What the worker holds once it is warm, and after the last round. */
  megabytes: { first: number; last: number }
}

const atOnce = 8
/** Until the heap has found its size. */
const warmUpRounds = 4

/** Deliveries of one worker to one endpoint that answers at once, and the same signed posts without anything around them. */
export async function measureDeliveries(options: {
  databaseUrl: string
  deliveries: number
  rounds: number
  /** For node of the worker, such as --cpu-prof. */
  nodeOptions?: string
  progress: (text: string) => void
}): Promise<DeliveriesResult> {
  const { databaseUrl, deliveries, rounds, nodeOptions = '', progress } = options
  const settings = settingsFor(databaseUrl, { WEBHOOK_ALLOW: '127.0.0.1' })
  let received = 0
  const endpoint = await listenHttp((request, response) => {
    request.resume().on('end', () => {
      received++
      response.end()
    })
  })
  const url = `http://127.0.0.1:${endpoint.port}/hook`
  const result: DeliveriesResult = { ours: [], bare: [], megabytes: { first: 0, last: 0 } }
  try {
    await withFleet(databaseUrl, (fleet) =>
      withContext(settings, async (context) => {
        const worker = await fleet.startWorker(nodeOptions)
        const appId = await makeApp(context)
        await createSubscription(context, { appId, integrationId: null }, { url, events: ['*'] })
        for (let round = 1 - warmUpRounds; round <= rounds; round++) {
          received = 0
          await context.transaction((trx) => emitEvents(trx, someEvents(appId, 0, deliveries)))
          const begun = performance.now()
          await until('all are delivered', async () => received >= deliveries, { seconds: 300, everyMs: 5 })
          const ours = (deliveries / (performance.now() - begun)) * 1000
          const megabytes = await residentMegabytes(worker.pid)
          result.megabytes.last = megabytes
          if (round <= 0) {
            result.megabytes.first = megabytes
            continue
          }
          const bare = await postByHand(url, deliveries)
          result.ours.push(ours)
          result.bare.push(bare)
          progress(
            `  round ${round} of ${rounds}: ${Math.round(ours)}/s, bare ${Math.round(bare)}/s, ${Math.round(megabytes)} MB`,
          )
        }
        // A profile is written on the way out.
        if (nodeOptions !== '') await worker.stop()
      }),
    )
  } finally {
    await endpoint.close()
  }
  return result
}

/** Signed as Standard Webhooks has it, with a key made once. */
async function postByHand(url: string, deliveries: number): Promise<number> {
  const { origin, pathname } = new URL(url)
  const agent = new Agent({ connections: atOnce })
  const body = JSON.stringify({ type: 'order.created', timestamp: '', data: someEvents(1, 1, 1)[0]?.data })
  const key = createSecretKey(randomBytes(24))
  const begun = performance.now()
  let left = deliveries
  const post = async () => {
    while (left-- > 0) {
      const id = `evt_${left}`
      const timestamp = String(Math.floor(Date.now() / 1000))
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
      const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
      const answer = await agent.request({ origin, path: pathname, method: 'POST', headers, body })
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, post))
  const perSecond = (deliveries / (performance.now() - begun)) * 1000
  await agent.close()
  return perSecond
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
