import { tooMany } from '../../lib/fault.ts'
import { isDatabaseAway } from '../../runtime/db/connection.ts'
import { databaseTime } from '../../runtime/db/database-time.ts'
import type { Listener } from '../../runtime/db/listener.ts'
import { type ShopName, shopsIn } from '../across/across-store.ts'
import type { ListedOrder, WithShop } from '../across/read-across.ts'
import { identityChannel, onAnnounce } from '../announce-store.ts'
import type { Context } from '../context.ts'
import type { Live, LiveEvent, Watcher } from '../live.ts'
import { type News, newsChannel } from '../news-store.ts'
import type { Run } from '../runs/run.ts'
import { latestOrders, latestRuns, mostAtOnce } from './read-latest.ts'
import { type WatchedShop, watchedShops } from './watched-shops-store.ts'

/** Streams at the same time: of one user over all windows, and of one process. */
export interface LiveLimits {
  perUser: number
  perProcess: number
}

export const liveLimits: LiveLimits = { perUser: 12, perProcess: 2000 }

/** What happens faster than this is told together. */
const gatherMs = 300
/** Shops that are looked at together; the others have their turn right after. */
const shopsAtOnce = 200
/** What a transaction has written that was open for so long is not overlooked by whoever takes a stream up again. */
const slackMs = 60_000
const maxKnown = 2000

interface Item {
  type: LiveEvent['type']
  /** The same record again has the same key. */
  key: string
  /** When it last changed. */
  at: number
  /** It goes on: worth telling however old it is. */
  isOpen: boolean
  data: object
}

/** An app that somebody watches. */
interface Watched {
  followers: Set<{ watcher: Watcher; tell: (event: LiveEvent) => void }>
  /** How each record was told last, so that nothing is told twice. */
  known: Map<string, string>
  /** Records that were made before are no news. */
  begun: number
}

type Reading = Pick<Context, 'db' | 'reader' | 'log'>

/**
 * What is happening in apps, told to those who watch. Whatever changes something says in which shop (`news-store.ts`); a process
 * in which nobody watches that app does nothing, the others read the newest records of these shops once for all who watch, and
 * tell what differs from what was told. So what is missed is told later, and nothing has to be kept for anybody.
 */
export function createLiveHub(options: {
  context: Reading
  listener: Pick<Listener, 'on' | 'onConnect'>
  /** How records are shown. */
  views: {
    run: (run: WithShop<Run>) => object
    order: (order: WithShop<ListedOrder>) => object
    shop: (shop: ShopName) => object
  }
  limits?: LiveLimits
}): Live & { readonly followers: number } {
  const { context, listener, views, limits = liveLimits } = options
  const apps = new Map<number, Watched>()
  const rightsHandlers = new Set<(whose: string) => void>()
  const touched = new Map<string, { news: News; id: number }>()
  let timer: NodeJS.Timeout | undefined
  let total = 0

  const runItem = (run: WithShop<Run>): Item => ({
    type: 'run',
    key: `run ${run.integration_id} ${run.id}`,
    at: Date.parse(run.finished_at ?? run.started_at ?? run.created_at),
    isOpen: run.finished_at === null,
    data: views.run(run),
  })
  const orderItem = (order: WithShop<ListedOrder>): Item => ({
    type: 'order',
    key: `order ${order.integration_id} ${order.id}`,
    at: Date.parse(order.created_at),
    isOpen: false,
    data: views.order(order),
  })
  const shopItem = (shop: WatchedShop, at: number): Item => ({
    type: 'shop',
    key: `shop ${shop.id}`,
    at,
    isOpen: true,
    data: { integration: views.shop(shop), status: shop.status, status_reason: shop.status_reason },
  })

  const hears = ({ readsOrders }: Watcher, { type }: Pick<Item, 'type'>) =>
    (type !== 'order' && type !== 'orders') || readsOrders
  const inOrder = (items: readonly Item[]) => items.toSorted((one, other) => one.at - other.at)

  /** Over all shops of an app. Orders are those that came here, whenever they were placed. */
  async function readApp(appId: number): Promise<{ id: string; items: Item[] }> {
    const id = String(Date.parse(await databaseTime(context.db)))
    const shops = await shopsIn(context.db, appId)
    const [runs, orders] = await Promise.all([latestRuns(context, shops), latestOrders(context, shops)])
    return { id, items: inOrder([...runs.map(runItem), ...orders.map(orderItem)]) }
  }

  async function latest(watcher: Watcher): Promise<LiveEvent[]> {
    const { id, items } = await readApp(watcher.appId)
    const heard = items.filter((item) => hears(watcher, item))
    const since = /^\d{1,15}$/.test(watcher.since ?? '') ? Number(watcher.since) - slackMs : null
    const missed = since === null ? heard : heard.filter(({ at, isOpen }) => isOpen || at >= since)
    // All that were looked at are newer: there may be others.
    const isGap = since !== null && heard.filter(({ type, at }) => type === 'order' && at >= since).length >= mostAtOnce
    const events = missed.map(({ type, data }): LiveEvent => ({ id, type, data }))
    return isGap ? [{ id, type: 'gap', data: {} }, ...events] : events
  }

  function tellAll(watched: Watched, id: string, items: readonly Item[]): void {
    for (const item of inOrder(items)) {
      if (item.type === 'order' && item.at < watched.begun - slackMs) continue
      const text = JSON.stringify(item.data)
      if (watched.known.get(item.key) === text) continue
      watched.known.delete(item.key)
      watched.known.set(item.key, text)
      const oldest = watched.known.size > maxKnown ? watched.known.keys().next().value : undefined
      if (oldest !== undefined) watched.known.delete(oldest)
      for (const { watcher, tell } of watched.followers) {
        if (hears(watcher, item)) tell({ id, type: item.type, data: item.data })
      }
    }
  }

  /** Which orders is not said: it is as much as whoever shows one has to know. */
  function tellOrders({ followers }: Watched, id: string, shop: ShopName): void {
    const event: LiveEvent = { id, type: 'orders', data: { integration: views.shop(shop) } }
    for (const { watcher, tell } of followers) if (hears(watcher, event)) tell(event)
  }

  async function look(): Promise<void> {
    timer = undefined
    const some = [...touched].slice(0, shopsAtOnce)
    for (const [key] of some) touched.delete(key)
    try {
      const id = String(Date.parse(await databaseTime(context.db)))
      const ids = [...new Set(some.map(([, { id: shop }]) => shop))]
      const shops = await watchedShops(context.db, [...apps.keys()], ids)
      const of = (news: News, among: readonly WatchedShop[]) =>
        among.filter((shop) => some.some(([, what]) => what.id === shop.id && what.news === news))
      for (const [appId, own] of Map.groupBy(shops, ({ app_id }) => app_id)) {
        const [runs, orders] = await Promise.all([
          latestRuns(context, of('runs', own)),
          latestOrders(context, of('orders', own)),
        ])
        const changed = of('shop', own).map((shop) => shopItem(shop, Number(id)))
        const watched = apps.get(appId)
        if (!watched) continue
        tellAll(watched, id, [...runs.map(runItem), ...orders.map(orderItem), ...changed])
        for (const shop of new Set([...of('orders', own), ...of('steps', own)])) tellOrders(watched, id, shop)
      }
    } catch (error) {
      for (const [key, what] of some) touched.set(key, what)
      if (!isDatabaseAway(error)) context.log.warn({ err: error }, 'looking at what is happening failed')
    }
    soon()
  }

  function soon(): void {
    if (apps.size === 0) touched.clear()
    if (touched.size > 0 && timer === undefined) timer = setTimeout(() => void look(), gatherMs).unref()
  }

  listener.on(newsChannel, (payload) => {
    if (apps.size === 0) return
    const [, news, id] = /^(runs|orders|steps|shop) (\d{1,15})$/.exec(payload) ?? []
    if (news === undefined) return
    touched.set(payload, { news: news as News, id: Number(id) })
    soon()
  })
  // What was said while nobody heard it is lost: everything is looked at again.
  listener.onConnect(() => {
    for (const [appId, watched] of apps) {
      readApp(appId).then(
        ({ id, items }) => tellAll(watched, id, items),
        () => undefined,
      )
    }
  })
  const rightsChanged = (whose: string) => {
    for (const handler of rightsHandlers) handler(whose)
  }
  listener.on(identityChannel, rightsChanged)
  onAnnounce(context.db, rightsChanged)

  return {
    latest,
    follow(watcher, tell) {
      const streams = [...apps.values()].flatMap(({ followers }) => [...followers])
      const own = streams.filter((one) => one.watcher.userId === watcher.userId).length
      if (own >= limits.perUser || streams.length >= limits.perProcess) throw tooMany(30)
      const watched = apps.get(watcher.appId) ?? { followers: new Set(), known: new Map(), begun: Date.now() }
      const follower = { watcher, tell }
      apps.set(watcher.appId, watched)
      watched.followers.add(follower)
      total++
      return {
        stop() {
          if (watched.followers.delete(follower)) total--
          if (watched.followers.size === 0) apps.delete(watcher.appId)
        },
      }
    },
    onRightsChanged(handler) {
      rightsHandlers.add(handler)
      return { stop: () => void rightsHandlers.delete(handler) }
    },
    get followers() {
      return total
    },
  }
}
