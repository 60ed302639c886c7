import { findAccountByRemoteId } from '../../../domain/accounts/account-store.ts'
import { findIntegrationOfAccount } from '../../../domain/integrations/integration-store.ts'
import { findPool } from '../../../domain/stock/pool-store.ts'
import type { AccountTenant, ClientCaller } from '../../../domain/tenant.ts'
import { recordId } from '../../../lib/record-id.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appTenant } from '../../tenants.ts'
import * as stock from '../includes/of-stock.ts'
import { conflictsGet, matchPost } from '../includes/of-stock-conflicts.ts'
import { articlePassport, articleThen } from '../includes/of-stock-passports.ts'

const account = async ({ context, caller, params }: Finding<ClientCaller, 'account'>): Promise<AccountTenant> => {
  const tenant = appTenant(caller)
  return { ...tenant, accountId: (await findAccountByRemoteId(context.db, tenant, params.account)).id }
}
const pool = async (input: Finding<ClientCaller, 'account'>) => await findPool(input.context.db, await account(input))
const article = async (input: Finding<ClientCaller, 'account' | 'article'>) =>
  await stock.articleOf(input.context, await pool(input), input.params.article)
const link = async (input: Finding<ClientCaller, 'account' | 'article' | 'variant'>) => ({
  ...(await article(input)),
  linkId: recordId(input.params.variant),
})
const shop = async (input: Finding<ClientCaller, 'account' | 'integrationId'>) => {
  const { context, params } = input
  const integration = await findIntegrationOfAccount(context.db, await account(input), recordId(params.integrationId))
  return { pool: await pool(input), integration }
}

const reading = { group: groups.app, scope: 'app:integration-read' } as const
const writing = { group: groups.app, scope: 'app:integration-action' } as const
const root = '/accounts/{account}/stock'

export const appStock = [
  endpoint({ ...reading, path: root, find: pool, ...stock.poolGet }),
  endpoint({ ...writing, path: root, find: account, ...stock.poolPut }),
  endpoint({ ...writing, path: `${root}/shops/{integrationId}`, find: shop, ...stock.shopPut }),
  endpoint({ ...writing, path: `${root}/shops/{integrationId}`, find: shop, ...stock.shopDelete }),
  endpoint({ ...reading, path: `${root}/articles`, find: pool, ...stock.articlesList }),
  endpoint({ ...writing, path: `${root}/articles`, find: pool, ...stock.articlePost }),
  endpoint({ ...writing, path: `${root}/articles/match`, find: pool, ...matchPost }),
  endpoint({ ...writing, path: `${root}/articles/import`, find: pool, ...stock.importPost }),
  endpoint({ ...reading, path: `${root}/articles/{article}`, find: article, ...stock.articleGet }),
  endpoint({ ...writing, path: `${root}/articles/{article}`, find: article, ...stock.articlePut }),
  endpoint({ ...reading, path: `${root}/articles/{article}/passport`, find: article, ...articlePassport }),
  endpoint({ ...reading, path: `${root}/articles/{article}/available`, find: article, ...articleThen }),
  endpoint({ ...writing, path: `${root}/articles/{article}/links`, find: article, ...stock.linkPost }),
  endpoint({ ...writing, path: `${root}/articles/{article}/links/{variant}`, find: link, ...stock.linkDelete }),
  endpoint({ ...reading, path: `${root}/conflicts`, find: pool, ...conflictsGet }),
  endpoint({ ...reading, path: `${root}/movements`, find: pool, ...stock.movementsList }),
  endpoint({ ...writing, path: `${root}/movements`, find: pool, ...stock.movementsPost }),
]
