import { unauthenticated } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { accountsById } from '../accounts/account-store.ts'
import { appsById } from '../apps/app-store.ts'
import { type Brand, brandOf } from '../apps/brand.ts'
import { companyNames } from '../companies/company-store.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { connectorOf } from '../shop/open-remote.ts'
import { departFrom, readTrip } from './install-state.ts'

/** Whose a connection is, by the names that its people know. */
export interface Belonging {
  app: string | null
  account: string | null
  brand: Brand | null
}

/** What somebody has to be told before the shop lets us in. */
export interface Departure extends Belonging {
  shop: string
  service: string
  /** The page of the platform. */
  address: string
}

/** 401 for a state that is unknown, used or old. */
export async function readDeparture(
  context: Pick<Context, 'db' | 'keys' | 'connectors'>,
  state: string,
): Promise<Departure> {
  const trip = await readTrip(context.db, context.keys, state)
  if (!trip) throw unauthenticated()
  const integration = await readIntegration(context.db, trip.integrationId)
  const { name } = connectorOf(context, integration)
  return { ...(await belongingOf(context.db, integration)), shop: trip.shop, service: name, address: trip.address }
}

/** Somebody who was told goes on, in the browser with this secret: where to. */
export async function depart(
  context: Pick<Context, 'db' | 'keys' | 'connectors'>,
  state: string,
  browser: string,
): Promise<string> {
  const { address } = await readDeparture(context, state)
  await departFrom(context.db, state, browser)
  return address
}

/** Without an app, the company of whoever made it stands for the account. */
export async function belongingOf(
  db: Db,
  { app_id: appId, account_id: accountId, company_id: companyId }: Integration,
): Promise<Belonging> {
  const app = appId === null ? null : (await appsById(db, [appId])).get(appId)
  const account = accountId === null ? null : (await accountsById(db, [accountId])).get(accountId)
  const company = app || companyId === null ? null : (await companyNames(db, [companyId])).get(companyId)
  return {
    app: app?.name ?? null,
    account: account?.name ?? account?.remote_id ?? company ?? null,
    brand: app ? brandOf(app) : null,
  }
}
