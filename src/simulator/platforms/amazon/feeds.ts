import { XMLParser } from 'fast-xml-parser'
import { secretFor } from '../../auth/tokens.ts'
import { inSeconds, type Moment } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { forOne, type Handle, type RouteRow } from '../../http/route-table.ts'
import { type Fields, fieldsOf, listOf, parseJson, textOf } from '../../json.ts'
import { cancelOrder } from '../../shop/work-on-order.ts'
import { answer, type World } from '../../world.ts'
import { marketplace, orderIdOf, orderIndexOf } from './order-view.ts'
import { invalid, no } from './reply.ts'

/** Where documents are put and fetched, with an address that is permission enough. */
export const documentHost = 'tortuga-prod-eu.s3-eu-west-1.amazonaws.com'

interface Feed {
  feedId: string
  feedType: string
  createdAt: Moment
  /** How often somebody looked: it waits, is worked on, is done. */
  looks: number
  result: string
}

interface Document {
  feedDocumentId: string
  content: Buffer
}

const steps = ['IN_QUEUE', 'IN_PROGRESS', 'DONE'] as const

/** What is wrong with one message of a feed; null if nothing is. */
type Submit = (message: Fields, record: Recorder) => string | null

/** Changes by the file: a document is put somewhere, worked through, and another one says what came of it. */
export function feedRoutes({ clock, settings, shop }: World, submit: Submit, seller: string): readonly RouteRow[] {
  const documents = new Map<string, Document>()
  const feeds = new Map<string, Feed>()
  const xml = new XMLParser({ isArray: (name) => name === 'Message' || name === 'Item', parseTagValue: false })

  function open(content = Buffer.alloc(0)): Document {
    const feedDocumentId = `amzn1.tortuga.4.eu.${secretFor(settings.seed, `document ${documents.size}`, 32)}`
    const opened = { feedDocumentId, content }
    documents.set(feedDocumentId, opened)
    return opened
  }
  const show = (status: number, { feedDocumentId: id }: Document) =>
    answer(status, { feedDocumentId: id, url: `https://${documentHost}/${id}?X-Amz-Expires=300` })

  /** Cancels orders that nothing has left of; a failure is told by the result alone. */
  const cancel: Submit = (message, record) => {
    const { AmazonOrderID: id, StatusCode: status, Item: items } = fieldsOf(message['OrderAcknowledgement'])
    const order = shop.book.get(orderIndexOf(String(id)))
    if (!order) return `There is no order ${id}.`
    if (status !== 'Failure') return null
    const worked = cancelOrder(shop.book, order, textOf(fieldsOf(listOf(items)[0])['CancelReason']) ?? 'NoInventory')
    if (worked.ok && worked.changed) record.effect('order.cancel', orderIdOf(order.index))
    return worked.ok ? null : worked.why
  }

  const kinds: Readonly<Record<string, { submit: Submit; messagesIn(text: string): unknown }>> = {
    JSON_LISTINGS_FEED: { submit, messagesIn: (text) => fieldsOf(parseJson(text))['messages'] },
    POST_ORDER_ACKNOWLEDGEMENT_DATA: {
      submit: cancel,
      messagesIn: (text) => fieldsOf(fieldsOf(xml.parse(text))['AmazonEnvelope'])['Message'],
    },
  }

  function create(call: Call, record: Recorder): Answer {
    const { feedType, marketplaceIds, inputFeedDocumentId } = call.fields()
    const content = documents.get(String(inputFeedDocumentId))?.content
    const kind = kinds[String(feedType)]
    if (!content || !kind || !listOf(marketplaceIds).includes(marketplace.id)) return invalid()
    const feedId = String(50_000_000_000 + feeds.size)
    const outcomes = listOf(kind.messagesIn(content.toString())).map((one) => kind.submit(fieldsOf(one), record))
    const wrong = outcomes.flatMap((message, i) => (message === null ? [] : [{ messageId: i + 1, message }]))
    const report = {
      header: { sellerId: seller, version: '2.0', feedId },
      issues: wrong.map((one) => ({ ...one, code: '90000900', severity: 'ERROR' })),
      summary: {
        ...{ errors: wrong.length, warnings: 0, messagesProcessed: outcomes.length },
        ...{ messagesAccepted: outcomes.length - wrong.length, messagesInvalid: wrong.length },
      },
    }
    const { feedDocumentId: result } = open(Buffer.from(JSON.stringify(report)))
    feeds.set(feedId, { feedId, feedType: String(feedType), createdAt: clock.now(), looks: 0, result })
    return answer(202, { feedId })
  }

  function look(feed: Feed): Answer {
    const { feedId, feedType, createdAt, result } = feed
    const processingStatus = steps[feed.looks++] ?? 'DONE'
    return answer(200, {
      ...{ feedId, feedType, marketplaceIds: [marketplace.id], createdTime: inSeconds(createdAt), processingStatus },
      ...(processingStatus === 'DONE' ? { resultFeedDocumentId: result } : {}),
    })
  }

  const ofFeed = forOne(
    (id) => feeds.get(id),
    () => no(404, 'NotFound', 'The feed does not exist.'),
  )
  const ofDocument = forOne(
    (id) => documents.get(id),
    () => no(404, 'NotFound', 'The document does not exist.'),
  )
  /** By whoever knows the address. */
  const atAddress = forOne(
    (id) => documents.get(id),
    () => answer(403),
  )
  const upload: Handle = atAddress((document, { raw }) => {
    document.content = raw
    return answer(200)
  })
  const download: Handle = atAddress(({ content }) => answer(200, content, { 'content-type': 'application/json' }))
  const base = '/feeds/2021-06-30'
  return [
    ['POST', `${base}/documents`, 'createFeedDocument', () => show(201, open())],
    ['GET', `${base}/documents/:id`, 'getFeedDocument', ofDocument((document) => show(200, document))],
    ['POST', `${base}/feeds`, 'createFeed', create],
    ['GET', `${base}/feeds/:id`, 'getFeed', ofFeed(look)],
    ['PUT', '/:document', 'uploadDocument', upload, { open: true }],
    ['GET', '/:document', 'downloadDocument', download, { open: true }],
  ]
}
