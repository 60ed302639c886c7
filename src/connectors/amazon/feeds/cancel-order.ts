import type { Cancellation, Operation, Write } from '../../../commerce/connector/parts.ts'
import type { RemoteOrder } from '../../../commerce/order.ts'
import { type Fields, fieldsIn, maybeText, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused, shopAway } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { getOrder } from '../get-order.ts'
import { type AmazonShop, type Credentials, homeOf, type Settings, sellerOf } from '../settings.ts'
import { isSentByAmazon, isUnwanted, toOrder } from '../translate-order.ts'
import { errorIn, hasUnfinishedFeeds, readFeed, sendFeed } from './feed.ts'

/** Amazon has no call for it: an order is cancelled by a file that says it could not be accepted. */
export const cancel: Write<Settings, Credentials, Cancellation, RemoteOrder> = { repeatable: false, send, confirm }

const feedType = 'POST_ORDER_ACKNOWLEDGEMENT_DATA'

/** Amazon takes from one to some minutes for a file. */
const lookAgainSeconds = 60

/** Those of Amazon's that are said before anything has left. But for the first, Amazon puts the goods back into stock. */
const reasons = [
  'NoInventory',
  'BuyerCanceled',
  'ShippingAddressUndeliverable',
  'CustomerExchange',
  'GeneralAdjustment',
  'CarrierCoverageFailure',
  'RiskAssessmentInformationNotValid',
]

async function send(shop: AmazonShop, { remoteId, reason }: Cancellation, operation: Operation): Promise<RemoteOrder> {
  const order = await getOrder(shop, remoteId)
  if (order === null) throw refused(say('no_such_order_at', { platform: 'Amazon' }))
  if (isSentByAmazon(order)) throw refused(say('own_warehouse_cancels', { platform: 'Amazon' }))
  if (isCancelled(order)) return toOrder(order, shop)
  // Amazon would pay back all of it.
  if (!['PENDING', 'UNSHIPPED'].includes(statusOf(order))) throw refused(say('sent_in_part'))
  const receipt = await sendFeed(shop, {
    type: feedType,
    marketplaceIds: [maybeText(fieldsIn(order, 'salesChannel'), 'marketplaceId') ?? homeOf(shop).id],
    xml: fileFor(order, { seller: sellerOf(shop), reason }),
  })
  await operation.keep?.(receipt)
  return await outcomeOf(shop, remoteId, receipt)
}

/** Without a number to ask by, nobody knows whether there is a file: while there are any, one may be ours. */
async function confirm(
  shop: AmazonShop,
  { remoteId }: Cancellation,
  { receipt = null }: Operation,
): Promise<RemoteOrder | null> {
  if (receipt !== null) return await outcomeOf(shop, remoteId, receipt)
  const order = await getOrder(shop, remoteId)
  if (order !== null && isCancelled(order)) return toOrder(order, shop)
  if (await hasUnfinishedFeeds(shop, feedType)) throw stillAtIt()
  return null
}

/** The order is asked: that Amazon took the file does not mean that it is cancelled, nor that it is shown as such already. */
async function outcomeOf(shop: AmazonShop, remoteId: string, receipt: string): Promise<RemoteOrder> {
  const feed = await readFeed(shop, receipt)
  if (feed === null) throw stillAtIt()
  const order = await getOrder(shop, remoteId)
  if (order !== null && isCancelled(order)) return toOrder(order, shop)
  const error = feed.document === null ? null : await errorIn(shop, feed.document)
  if (error !== null) throw refused(error)
  throw stillAtIt()
}

const stillAtIt = () => shopAway(lookAgainSeconds, undefined, say('still_cancelling', { platform: 'Amazon' }))

const statusOf = (order: Fields): string => textIn(fieldsIn(order, 'fulfillment'), 'fulfillmentStatus')
const isCancelled = (order: Fields): boolean => statusOf(order) === 'CANCELLED'

/** All of its lines: Amazon cancels no part of an order this way. */
function fileFor(order: Fields, { seller, reason }: { seller: string; reason: string | null }): string {
  const items = recordsIn(order, 'orderItems')
  const word = reasonFor(items, reason)
  const lines = items.map(
    (item) =>
      `<Item><AmazonOrderItemCode>${textIn(item, 'orderItemId')}</AmazonOrderItemCode><CancelReason>${word}</CancelReason></Item>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<AmazonEnvelope xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="amzn-envelope.xsd">',
    `<Header><DocumentVersion>1.01</DocumentVersion><MerchantIdentifier>${seller}</MerchantIdentifier></Header>`,
    '<MessageType>OrderAcknowledgement</MessageType>',
    '<Message><MessageID>1</MessageID><OrderAcknowledgement>',
    `<AmazonOrderID>${textIn(order, 'orderId')}</AmazonOrderID><StatusCode>Failure</StatusCode>`,
    ...lines,
    '</OrderAcknowledgement></Message></AmazonEnvelope>',
  ].join('\n')
}

/** In Amazon's words where the caller used them; otherwise what the buyer asked for, or that there is nothing to send. */
function reasonFor(items: readonly Fields[], reported: string | null): string {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const known = reported === null ? undefined : reasons.find((one) => letters(one) === letters(reported))
  return known ?? (items.some(isUnwanted) ? 'BuyerCanceled' : 'NoInventory')
}
