import { fieldsOf, maybeText, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import type { Wording } from '../../../lib/words/wording.ts'
import { ask, bodyOf, readDocument } from '../ask.ts'
import type { AmazonShop } from '../settings.ts'

const base = '/feeds/2021-06-30'
const contentType = 'text/xml; charset=UTF-8'

/** Hands a file to Amazon, which takes minutes to work on it; the answer is the number to ask after it by. */
export async function sendFeed(
  shop: AmazonShop,
  { type, marketplaceIds, xml }: { type: string; marketplaceIds: readonly string[]; xml: string },
): Promise<string> {
  const path = `${base}/documents`
  const document = fieldsOf(
    await ask(shop, { method: 'POST', path, body: { contentType }, repeatable: true, budget: 'create_feed_document' }),
  )
  bodyOf(
    await shop.remote.request({
      method: 'PUT',
      origin: 'download',
      path: textIn(document, 'url'),
      headers: { 'content-type': contentType },
      body: xml,
      repeatable: true,
      budget: 'downloads',
    }),
  )
  const feed = await ask(shop, {
    method: 'POST',
    path: `${base}/feeds`,
    body: { feedType: type, marketplaceIds, inputFeedDocumentId: textIn(document, 'feedDocumentId') },
    budget: 'create_feed',
  })
  return textIn(fieldsOf(feed), 'feedId')
}

const unfinished = ['IN_QUEUE', 'IN_PROGRESS']

/** Whether Amazon still works on files of this kind: on ours, or on one that may be ours. */
export async function hasUnfinishedFeeds(shop: AmazonShop, type: string): Promise<boolean> {
  const query = { feedTypes: type, processingStatuses: unfinished.join(','), pageSize: 10 }
  const reported = await ask(shop, { path: `${base}/feeds`, query, budget: 'get_feeds' })
  return recordsIn(fieldsOf(reported), 'feeds').length > 0
}

/** What became of a file: null while Amazon is at it, else the document that says what it made of it, if there is one. */
export async function readFeed(shop: AmazonShop, id: string): Promise<{ document: string | null } | null> {
  const feed = fieldsOf(await ask(shop, { path: `${base}/feeds/${id}`, budget: 'get_feed' }))
  const status = textIn(feed, 'processingStatus')
  if (unfinished.includes(status)) return null
  if (status !== 'DONE') throw refused(say('not_processed', { platform: 'Amazon' }))
  return { document: maybeText(feed, 'resultFeedDocumentId') }
}

/** The first error in the report about a file; null where there is none. */
export async function errorIn(shop: AmazonShop, document: string): Promise<string | Wording | null> {
  const path = `${base}/documents/${document}`
  return firstError(await readDocument(shop, { path, budget: 'get_feed_document' }))
}

/** A report counts what went wrong, and says why of each. */
export function firstError(xml: string): string | Wording | null {
  if (Number(/<MessagesWithError>(\d+)</.exec(xml)?.[1] ?? 0) === 0) return null
  const [, described = ''] =
    /<ResultCode>Error<\/ResultCode>[\s\S]*?<ResultDescription>([\s\S]*?)<\/ResultDescription>/.exec(xml) ?? []
  return plain(described) || say('rejected_by', { platform: 'Amazon' })
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

const plain = (text: string): string =>
  text
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1')
    .replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] ?? '')
    .trim()
