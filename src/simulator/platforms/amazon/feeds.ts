import { XMLParser } from 'fast-xml-parser'
import { inSeconds, type Moment } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { type Fields, fieldsOf, listOf, parseJson, textOf } from '../../json.ts'
import { cancelOrder } from '../../shop/work-on-order.ts'
import { secretFor } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'
import { orderIdOf, orderIndexOf } from './ids.ts'
import type { createListings } from './listings.ts'
import { marketplace } from './order-view.ts'
import { invalid, no } from './reply.ts'

/** Where documents are put and fetched, with an address that is permission enough. */
export const documentHost = 'tortuga-prod-eu.s3-eu-west-1.amazonaws.com'

interface Feed {
  feedType: string
  createdTime: Moment
  /** How often somebody looked: it waits, is worked on, is done. */
  looks: number
  result: string
}

const steps = ['IN_QUEUE', 'IN_PROGRESS', 'DONE'] as const

/** Changes by the file: a document is put somewhere, worked through, and another one says what came of it. */
export function createFeeds(world: World, listings: ReturnType<typeof createListings>, seller: string) {
  const { clock, settings, shop } = world
  const documents = new Map<string, Buffer | null>()
  const feeds = new Map<string, Feed>()
  const xml = new XMLParser({ isArray: (name) => name === 'Message' || name === 'Item', parseTagValue: false })

  function open(content: Buffer | null): string {
    const id = `amzn1.tortuga.4.eu.${secretFor(settings.seed, `document ${documents.size}`, 32)}`
    documents.set(id, content)
    return id
  }
  const addressOf = (id: string) => `https://${documentHost}/${id}?X-Amz-Expires=300`

  /** Cancels orders that nothing has left of; a failure is told by the result alone. */
  function cancel(message: Fields, record: Recorder): string | null {
    const { AmazonOrderID: id, StatusCode: status, Item: items } = fieldsOf(message['OrderAcknowledgement'])
    const order = shop.book.get(orderIndexOf(String(id)))
    if (!order) return `There is no order ${id}.`
    if (status !== 'Failure') return null
    const reason = textOf(fieldsOf(listOf(items)[0])['CancelReason']) ?? 'NoInventory'
    const worked = cancelOrder(shop.book, order, reason)
    if (!worked.ok) return worked.why
    if (worked.changed) record.effect('order.cancel', orderIdOf(order.index))
    return null
  }

  const kinds: Readonly<Record<string, (text: string, record: Recorder) => readonly (string | null)[]>> = {
    JSON_LISTINGS_FEED: (text, record) =>
      listOf(fieldsOf(parseJson(text))['messages']).map((one) => listings.submit(fieldsOf(one), record)),
    POST_ORDER_ACKNOWLEDGEMENT_DATA: (text, record) =>
      listOf(fieldsOf(fieldsOf(xml.parse(text))['AmazonEnvelope'])['Message']).map((one) =>
        cancel(fieldsOf(one), record),
      ),
  }

  function create(call: Call, record: Recorder): Answer {
    const { feedType, marketplaceIds, inputFeedDocumentId } = call.fields()
    const content = documents.get(String(inputFeedDocumentId))
    const work = kinds[String(feedType)]
    if (!content || !work || !listOf(marketplaceIds).includes(marketplace.id)) return invalid()
    const id = String(50_000_000_000 + feeds.size)
    const outcomes = work(content.toString(), record)
    const wrong = outcomes.flatMap((message, i) => (message === null ? [] : [{ messageId: i + 1, message }]))
    const report = {
      header: { sellerId: seller, version: '2.0', feedId: id },
      issues: wrong.map((one) => ({ ...one, code: '90000900', severity: 'ERROR' })),
      summary: {
        ...{ errors: wrong.length, warnings: 0, messagesProcessed: outcomes.length },
        ...{ messagesAccepted: outcomes.length - wrong.length, messagesInvalid: wrong.length },
      },
    }
    const result = open(Buffer.from(JSON.stringify(report)))
    feeds.set(id, { feedType: String(feedType), createdTime: clock.now(), looks: 0, result })
    return answer(202, { feedId: id })
  }

  function get(id: string): Answer {
    const feed = feeds.get(id)
    if (!feed) return no(404, 'NotFound', 'The feed does not exist.')
    const { feedType, createdTime, looks, result } = feed
    feed.looks++
    const processingStatus = steps[Math.min(looks, steps.length - 1)]
    return answer(200, {
      ...{
        feedId: id,
        feedType,
        marketplaceIds: [marketplace.id],
        createdTime: inSeconds(createdTime),
        processingStatus,
      },
      ...(processingStatus === 'DONE' ? { resultFeedDocumentId: result } : {}),
    })
  }

  return {
    create,
    get,
    createDocument: () => {
      const id = open(null)
      return answer(201, { feedDocumentId: id, url: addressOf(id) })
    },
    getDocument: (id: string) =>
      documents.has(id)
        ? answer(200, { feedDocumentId: id, url: addressOf(id) })
        : no(404, 'NotFound', 'The document does not exist.'),
    /** By whoever knows the address. */
    upload: ({ raw }: Call, id: string) => {
      if (!documents.has(id)) return answer(403)
      documents.set(id, raw)
      return answer(200)
    },
    download: (id: string) => {
      const content = documents.get(id)
      return content ? answer(200, content, { 'content-type': 'application/json' }) : answer(403)
    },
  }
}
