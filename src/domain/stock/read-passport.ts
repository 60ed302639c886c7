import type { Db } from '../../runtime/db/connection.ts'
import { databaseTime } from '../../runtime/db/database-time.ts'
import { type Article, partsOf } from './articles/article-store.ts'
import { type Link, linksOfArticles } from './articles/link-store.ts'
import { balancesAt, balancesOf, type PlaceStanding, type Standing, sumOf } from './ledger-store.ts'
import { newestMovements, newestSeen, newestTold, type ToldValue } from './passport-store.ts'
import { historyOf, type Moment } from './shop-history.ts'
import type { Movement, Part } from './stock.ts'

const maxMovements = 500
const maxTold = 100
export const maxMoments = 200

/** Why it is 7: what is there, how it came to that, and what every shop was told of it. */
export interface StockPassport {
  article: Article
  parts: readonly Part[]
  standing: Standing
  places: readonly PlaceStanding[]
  /** Newest first. */
  movements: readonly Movement[]
  /** What was available after each of them, at all places together. */
  availableAfter: ReadonlyMap<number, number>
  links: readonly (Link & { tellings: readonly ToldValue[]; history: readonly Moment[] })[]
}

export async function readStockPassport(db: Db, article: Article): Promise<StockPassport> {
  const places = await balancesOf(db, [article.id])
  const movements = await newestMovements(db, article.id, maxMovements)
  const links = await linksOfArticles(db, [article.id])
  const ids = links.map(({ id }) => id)
  const [told, seen] = [await newestTold(db, ids, maxTold), await newestSeen(db, ids, maxTold)]
  const standing = sumOf(places)
  return {
    ...{ article, places, movements, standing },
    parts: (await partsOf(db, [article.id])).get(article.id) ?? [],
    availableAfter: backwards(standing.available, movements),
    links: links.map((link) => {
      const tellings = told.filter((one) => one.link_id === link.id)
      const sightings = seen.filter((one) => one.link_id === link.id)
      return { ...link, tellings, history: historyOf(tellings, sightings, maxMoments) }
    }),
  }
}

/** From what is available now, movement by movement. */
export function backwards(available: number, newestFirst: readonly Movement[]): Map<number, number> {
  let after = available
  return new Map(
    newestFirst.map((movement) => {
      const entry = [movement.id, after] as const
      after -= movement.on_hand_by - movement.reserved_by
      return entry
    }),
  )
}

/** What was available of an article at a time, or is now; of a bundle, how many could have been put together. */
export async function availableAt(
  db: Db,
  article: Article,
  then?: string,
): Promise<Standing & { at: string; places: PlaceStanding[] }> {
  const at = then ?? (await databaseTime(db))
  const parts = (await partsOf(db, [article.id])).get(article.id)
  if (!parts) {
    const places = await balancesAt(db, article.id, at)
    return { at, ...sumOf(places), places }
  }
  const each: { standing: Standing; quantity: number }[] = []
  for (const part of parts)
    each.push({ standing: sumOf(await balancesAt(db, part.article_id, at)), quantity: part.quantity })
  const least = (figure: 'on_hand' | 'available') =>
    Math.min(...each.map(({ standing, quantity }) => Math.floor(standing[figure] / quantity)))
  const [onHand, available] = [least('on_hand'), least('available')]
  return { at, on_hand: onHand, reserved: onHand - available, available, places: [] }
}
