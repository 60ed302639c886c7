import { setTimeout as sleep } from 'node:timers/promises'
import { type EventType, eventTypes } from '../../domain/events/event.ts'
import { sampleOf } from '../../domain/events/samples.ts'
import { newSecret } from '../../domain/webhooks/create-subscription.ts'
import type { Output } from '../command.ts'
import { type Connection, remoteCommand } from './connect.ts'
import { failure } from './failure.ts'
import { forward, forwardingUrl, inWords } from './listen/forward.ts'

export const triggerCommand = remoteCommand({
  name: 'trigger',
  summary: 'Send a sample of any event to a webhook, a listener or an address of yours',
  arguments: [{ name: 'EVENT', description: 'Its type, such as order.created', required: true, values: eventTypes }],
  options: {
    webhook: { type: 'string', value: 'ID', description: 'A webhook of the app: sent like any other message' },
    listener: { type: 'string', value: 'ID', description: 'A running "entrepot listen"; it says its number' },
    'forward-to': { type: 'string', value: 'URL', description: 'Posted from here, also without being signed in' },
    secret: {
      type: 'string',
      value: 'whsec_…',
      description: 'Signs what is posted from here; one is made if left out',
    },
  },
  async run(values, output, [event], connect) {
    const type = event as EventType
    const chosen = [values.webhook, values.listener, values['forward-to']].filter((given) => given !== undefined)
    if (chosen.length !== 1) {
      throw failure('invalid', 'Say where to: --webhook ID, --listener ID or --forward-to URL.')
    }
    if (values['forward-to'] !== undefined) return await fromHere(type, values['forward-to'], values.secret, output)
    const connection = await connect()
    if (values.webhook !== undefined) return await toWebhook(connection, type, values.webhook, output)
    const path = { appId: String(await connection.appId()), listener: values.listener ?? '' }
    await connection.user.call('post', '/api/2.0/user/apps/{appId}/webhooks/listeners/{listener}/test', {
      path,
      body: { type },
    })
    output.result(
      { listener: Number(values.listener), type },
      `A sample of ${type} is on its way to listener ${values.listener}.`,
    )
  },
})

async function fromHere(type: EventType, to: string, given: string | undefined, output: Output): Promise<void> {
  const url = forwardingUrl(to)
  const secret = given ?? newSecret()
  if (given === undefined) output.say(`Signed with ${secret}`)
  const now = new Date()
  const event = { id: `evt_sample_${now.getTime()}`, type, timestamp: now.toISOString(), data: sampleOf(type) }
  const answer = await forward(event, { url, secret })
  output.result({ ...answer, ...(given === undefined && { secret }) }, inWords(answer))
  if (!answer.ok) process.exitCode = 1
}

/** Nobody has answered yet, and no attempt has failed. */
const isUnderWay = ({
  state,
  response_status: status,
  error,
}: {
  state: string
  response_status: number | null
  error: string | null
}) => state === 'pending' && status === null && error === null

/** The service sends it; what came of it is looked at for as long as an attempt may take. */
async function toWebhook(connection: Connection, type: EventType, webhook: string, output: Output): Promise<void> {
  const appId = String(await connection.appId())
  const { user } = connection
  let delivery = await user.apps.webhooks(appId).test(webhook, type)
  for (let n = 0; n < 40 && isUnderWay(delivery); n++) {
    output.progress(`Waiting for an answer to ${delivery.event_id} …`)
    await sleep(500)
    const path = { appId, webhook, delivery: String(delivery.id) }
    const found = await user.call('get', '/api/2.0/user/apps/{appId}/webhooks/{webhook}/deliveries/{delivery}', {
      path,
    })
    delivery = found.data
  }
  const { state, response_status: status, error } = delivery
  const words =
    state === 'delivered'
      ? `delivered, answered with ${status}`
      : (error ?? (status === null ? state : `answered with ${status}`))
  output.result(delivery, `${type} (${delivery.event_id}) to webhook ${webhook}: ${words}`)
  if (state !== 'delivered') process.exitCode = 1
}
