import type { MessageQueue, QueueCall, QueueMoment } from '../../../commerce/connector/webhooks.ts'
import { fieldsIn, fieldsOf, isFields, maybeText, recordsIn, textIn } from '../../../commerce/reading.ts'
import { type RemoteAnswer, refused } from '../../../commerce/remote.ts'
import type { AnyFields } from '../../../commerce/shop.ts'
import { signedHeaders } from '../../../commerce/wire/aws-signature.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask } from '../ask.ts'
import type { AmazonShop, Credentials, Settings } from '../settings.ts'

/** A queue of Amazon's SQS, asked in its JSON protocol. */
export const queue: MessageQueue<Settings, Credentials> = {
  receive: (client, call) =>
    askQueue(client, call, 'ReceiveMessage', { MaxNumberOfMessages: maxMessages, VisibilityTimeout: hiddenSeconds }),
  read,
  remove(client, receipts, call) {
    const entries = receipts.map((receipt, n) => ({ Id: String(n), ReceiptHandle: receipt }))
    const asked = askQueue(client, call, 'DeleteMessageBatch', { Entries: entries })
    if (!asked) throw new TypeError('The client names no queue.')
    return asked
  },
  subscribe,
}

const maxMessages = 10
/** What has been received and not taken out by then comes again. */
const hiddenSeconds = 60

const queuePattern = /^https:\/\/sqs\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?\/\d{12}\/[\w-]{1,80}(?:\.fifo)?$/

function askQueue(client: AnyFields, { seconds }: QueueMoment, action: string, input: object): QueueCall | null {
  const { queue_url: address, aws_access_key_id: id, aws_secret_access_key: secret } = client
  const [, region] = queuePattern.exec(String(address ?? '')) ?? []
  if (!region || typeof id !== 'string' || typeof secret !== 'string') return null
  const url = `${new URL(String(address)).origin}/`
  const body = JSON.stringify({ QueueUrl: address, ...input })
  const headers = signedHeaders({
    ...{ method: 'POST', url, body, region, service: 'sqs', keys: { id, secret }, seconds },
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
  })
  return { url, request: { method: 'POST', path: '/', headers, body } }
}

function read({ status, body }: RemoteAnswer) {
  const reported = isFields(body) ? body : {}
  if (status >= 300) {
    const why = maybeText(reported, 'message') ?? maybeText(reported, '__type')
    throw refused(why ?? say('queue_answered', { status }))
  }
  const messages = reported['Messages'] == null ? [] : recordsIn(reported, 'Messages')
  return messages.map((one) => ({ receipt: textIn(one, 'ReceiptHandle'), body: textIn(one, 'Body') }))
}

const kind = 'ORDER_CHANGE'

/** Each seller is subscribed by the seller's own token; where to was made once, by the operator. */
async function subscribe(shop: AmazonShop, { destination_id: destinationId }: AnyFields): Promise<boolean> {
  if (typeof destinationId !== 'string') return false
  const path = `/notifications/v1/subscriptions/${kind}`
  const known = await ask(shop, { path, query: { payloadVersion: '1.0' }, budget: 'subscriptions' })
  const payload = known === null ? {} : fieldsIn(fieldsOf(known), 'payload')
  if (payload['destinationId'] === destinationId) return true
  const body = { payloadVersion: '1.0', destinationId }
  await ask(shop, { method: 'POST', path, body, repeatable: true, budget: 'subscriptions' })
  return true
}
