import { malformed } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { type FedEvent, type FeedPlace, feedStart, readFeed } from './feed-store.ts'

/** A page of a webhook's events; `cursor` is where to go on, also when there is nothing new yet. */
export async function readEvents(
  context: Pick<Context, 'db'>,
  webhookId: number,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<{ events: FedEvent[]; cursor: string; more: boolean }> {
  const after = cursor === null ? feedStart : placeOf(cursor)
  const { events, last } = await readFeed(context.db, webhookId, { after, limit })
  return { events, cursor: cursorOf(last ?? after), more: events.length === limit }
}

const cursorOf = ({ xid, id }: FeedPlace): string => Buffer.from(`${xid}.${id}`).toString('base64url')

function placeOf(cursor: string): FeedPlace {
  const [, xid, id] = /^(\d{1,19})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (xid === undefined || id === undefined) throw malformed('Invalid cursor.')
  return { xid, id: Number(id) }
}
