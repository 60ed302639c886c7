import { notifyTogether } from '../runtime/db/commit/notify-together.ts'
import type { Db } from '../runtime/db/connection.ts'

/**
 * What there is to look at again in a shop: for whoever watches its app just now. Nothing rests on it. `steps`: something was done about
 * orders that does not stand in them, such as a webhook that was delivered.
 */
export type News = 'runs' | 'orders' | 'steps' | 'shop'

export const newsChannel = 'entrepot_news'

/** Belongs to the transaction of the change: it is said once that has committed. */
export const sayNews = (db: Db, news: News, integrationId: number): void =>
  notifyTogether(db, newsChannel, [`${news} ${integrationId}`])
