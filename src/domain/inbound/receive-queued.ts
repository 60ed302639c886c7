import { Type } from 'typebox'
import type { MessageQueue } from '../../commerce/connector/webhooks.ts'
import type { Connector } from '../../commerce/connector.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { Fault } from '../../lib/fault.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { platformClientsOf } from '../services/platform-client-store.ts'
import { receiveQueuedDelivery } from './receive-delivery.ts'

/** Batches of one queue before the others have their turn. */
const maxBatches = 100

/** Empties the queues that platforms write to instead of calling us. Any number of workers may do so at a time. */
export const receiveQueued = job({
  name: 'receive-queued',
  input: Type.Object({}),
  retry: { attempts: 1 },
  maxRunSeconds: 120,
  run: async (context: Context, _input, { signal }) => {
    for (const connector of context.connectors.values()) {
      const queue = connector.webhooks?.queue
      for (const client of queue ? await clientsWith(context, connector, queue) : []) {
        if (queue && !signal.aborted) await empty(context, connector, { queue, client, signal })
      }
    }
  },
})

/** One for each queue, however many apps share it. */
async function clientsWith({ db, keys }: Context, { type }: Connector, queue: MessageQueue): Promise<AnyFields[]> {
  const clients = await platformClientsOf(db, keys, type)
  const named = clients.map((client) => [JSON.stringify(queue.receive(client, { seconds: 0 })), client] as const)
  return [...new Map(named.filter(([call]) => call !== 'null')).values()]
}

async function empty(
  context: Context,
  connector: Connector,
  { queue, client, signal }: { queue: MessageQueue; client: AnyFields; signal: AbortSignal },
): Promise<void> {
  try {
    for (let batch = 0; batch < maxBatches && !signal.aborted; batch++) {
      if (!(await takeSome(context, connector, queue, client))) return
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    context.log.warn({ err: error, type: connector.type }, 'a queue of messages cannot be read')
  }
}

/** Out of the queue only once it is stored: whoever dies in between gets it again, and stores it once. */
async function takeSome(
  context: Context,
  connector: Connector,
  queue: MessageQueue,
  client: AnyFields,
): Promise<boolean> {
  const now = () => ({ seconds: Math.floor(Date.now() / 1000) })
  const call = queue.receive(client, now())
  const messages = call ? queue.read(await context.transport(call)) : []
  if (messages.length === 0) return false
  await Promise.all(messages.map(({ body }) => receiveQueuedDelivery(context, connector, body)))
  const receipts = messages.map(({ receipt }) => receipt)
  queue.read(await context.transport(queue.remove(client, receipts, now())))
  return true
}
