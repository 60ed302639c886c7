import { findPool } from '../../../domain/stock/pool-store.ts'
import type { AccountCaller } from '../../../domain/tenant.ts'
import { recordId } from '../../../lib/record-id.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { integrationOfAccountInPath } from '../in-path.ts'
import * as stock from '../includes/of-stock.ts'
import { conflictsGet, matchPost } from '../includes/of-stock-conflicts.ts'
import { articlePassport, articleThen } from '../includes/of-stock-passports.ts'

const account = async ({ caller }: { caller: AccountCaller }) => caller
const pool = ({ context, caller }: Finding<AccountCaller, never>) => findPool(context.db, caller)
const article = async (input: Finding<AccountCaller, 'article'>) =>
  await stock.articleOf(input.context, await pool(input), input.params.article)
const link = async (input: Finding<AccountCaller, 'article' | 'variant'>) => ({
  ...(await article(input)),
  linkId: recordId(input.params.variant),
})
const shop = async (input: Finding<AccountCaller, 'integrationId'>) => {
  const integration = await integrationOfAccountInPath(input)
  return { pool: await pool(input), integration }
}

const reading = { group: groups.webcomponent, scope: 'webcomponent:integration-read' } as const
const writing = { group: groups.webcomponent, scope: 'webcomponent:integration-event' } as const

export const webcomponentStock = [
  endpoint({ ...reading, path: '/stock', find: pool, ...stock.poolGet }),
  endpoint({ ...writing, path: '/stock', find: account, ...stock.poolPut }),
  endpoint({ ...writing, path: '/stock/shops/{integrationId}', find: shop, ...stock.shopPut }),
  endpoint({ ...writing, path: '/stock/shops/{integrationId}', find: shop, ...stock.shopDelete }),
  endpoint({ ...reading, path: '/stock/articles', find: pool, ...stock.articlesList }),
  endpoint({ ...writing, path: '/stock/articles', find: pool, ...stock.articlePost }),
  endpoint({ ...writing, path: '/stock/articles/match', find: pool, ...matchPost }),
  endpoint({ ...writing, path: '/stock/articles/import', find: pool, ...stock.importPost }),
  endpoint({ ...reading, path: '/stock/articles/{article}', find: article, ...stock.articleGet }),
  endpoint({ ...writing, path: '/stock/articles/{article}', find: article, ...stock.articlePut }),
  endpoint({ ...reading, path: '/stock/articles/{article}/passport', find: article, ...articlePassport }),
  endpoint({ ...reading, path: '/stock/articles/{article}/available', find: article, ...articleThen }),
  endpoint({ ...writing, path: '/stock/articles/{article}/links', find: article, ...stock.linkPost }),
  endpoint({ ...writing, path: '/stock/articles/{article}/links/{variant}', find: link, ...stock.linkDelete }),
  endpoint({ ...reading, path: '/stock/conflicts', find: pool, ...conflictsGet }),
  endpoint({ ...reading, path: '/stock/movements', find: pool, ...stock.movementsList }),
  endpoint({ ...writing, path: '/stock/movements', find: pool, ...stock.movementsPost }),
]
