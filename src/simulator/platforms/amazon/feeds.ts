import { inSeconds, type Moment, minute } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { textOf } from '../../json.ts'
import type { World } from '../../world.ts'
import { orderIndexOf } from './orders.ts'
import { invalid, no } from './reply.ts'
import { fileHost } from './reports.ts'

const feedType = 'POST_ORDER_ACKNOWLEDGEMENT_DATA'

interface Feed {
  id: string
  at: Moment
  error: string | null
}

/** Files that cancel orders: handed over in two steps, and worked on in a while (variant `feed_delay: yes`). */
export function feedRoutes({ clock, settings, shop }: World): readonly RouteRow[] {
  const takes = settings.variant['feed_delay'] === 'yes' ? 3 * minute : 0
  const files = new Map<string, string>()
  const feeds = new Map<string, Feed>()
  const base = '/feeds/2021-06-30'
  const address = (id: string) => `https://${fileHost}/feed/${id}?X-Amz-Signature=1`

  function describe(): Answer {
    const id = `document-${files.size + 1}`
    files.set(id, '')
    return answer(201, { feedDocumentId: id, url: address(id) })
  }

  function work(file: string, record: Recorder): string | null {
    const [, id = ''] = /<AmazonOrderID>([^<]+)<\/AmazonOrderID><StatusCode>Failure</.exec(file) ?? []
    const [, reason = null] = /<CancelReason>(\w+)</.exec(file) ?? []
    const order = shop.book.get(orderIndexOf(id))
    const worked = order && shop.work.cancel(order, reason)
    if (!worked?.ok) return 'The order cannot be cancelled &amp; nothing was changed.'
    if (worked.changed) record.effect('order.cancel', id)
    return null
  }

  function create(call: Call, record: Recorder): Answer {
    const { feedType: type, inputFeedDocumentId } = call.fields()
    const file = files.get(textOf(inputFeedDocumentId) ?? '') ?? ''
    if (type !== feedType || file === '') return invalid('feedType')
    const id = String(feeds.size + 1)
    feeds.set(id, { id, at: clock.now(), error: work(file, record) })
    return answer(202, { feedId: id })
  }

  const isDone = ({ at }: Feed) => clock.now() >= at + takes
  const view = (feed: Feed) => ({
    ...{ feedId: feed.id, feedType, createdTime: inSeconds(feed.at) },
    ...(isDone(feed) ? { processingStatus: 'DONE', resultFeedDocumentId: `result-${feed.id}` } : null),
    ...(isDone(feed) ? {} : { processingStatus: 'IN_PROGRESS' }),
  })
  const report = ({ error }: Feed) =>
    `<AmazonEnvelope><Message><ProcessingReport><ProcessingSummary><MessagesWithError>${error === null ? 0 : 1}</MessagesWithError></ProcessingSummary>${error === null ? '' : `<Result><ResultCode>Error</ResultCode><ResultDescription>${error}</ResultDescription></Result>`}</ProcessingReport></Message></AmazonEnvelope>`

  const missing = () => no(404, 'NotFound', 'The requested feed was not found.')
  const ofFeed = forOne((id) => feeds.get(id) ?? null, missing)
  const ofResult = forOne((id) => feeds.get(id.replace('result-', '')) ?? null, missing)
  return [
    ['POST', `${base}/documents`, 'createFeedDocument', describe],
    ['POST', `${base}/feeds`, 'createFeed', create],
    [
      ...(['GET', `${base}/feeds`, 'getFeeds'] as const),
      () => answer(200, { feeds: [...feeds.values()].filter((feed) => !isDone(feed)).map(view) }),
    ],
    ['GET', `${base}/feeds/:id`, 'getFeed', ofFeed((feed) => answer(200, view(feed)))],
    [
      ...(['GET', `${base}/documents/:id`, 'getFeedDocument'] as const),
      ofResult(({ id }) => answer(200, { feedDocumentId: `result-${id}`, url: address(`result-${id}`) })),
    ],
    [
      ...(['PUT', '/feed/:id', 'feedFile'] as const),
      (call, _, [id]) => {
        files.set(id, call.raw.toString())
        return answer(200)
      },
      { open: true },
    ],
    [
      ...(['GET', '/feed/:id', 'feedResult'] as const),
      ofResult((feed) => answer(200, report(feed), { 'content-type': 'text/xml' })),
      { open: true },
    ],
  ]
}
