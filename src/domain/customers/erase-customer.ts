import { tooMany } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { beginErasure } from '../erasures/begin-erasure.ts'
import type { Erasure, Requester } from '../erasures/erasure.ts'
import { countErasures } from '../erasures/erasure-store.ts'
import type { AccountTenant } from '../tenant.ts'
import { type CustomerAsked, personIn, shopsAsked } from './find-customer.ts'

/** In a day, of an account. Each goes through all that its shops have sent. */
const maxErasures = 1000

export async function eraseCustomer(
  context: Pick<Context, 'db' | 'transaction' | 'record'>,
  tenant: AccountTenant,
  { asked, requestedBy }: { asked: CustomerAsked; requestedBy: Requester },
): Promise<Erasure> {
  const person = personIn(asked)
  if ((await countErasures(context.db, tenant)) >= maxErasures) throw tooMany(3600)
  const shops = await shopsAsked(context, tenant, asked)
  const integrationIds = shops.map(({ id }) => id)
  return await context.transaction((trx) =>
    beginErasure(context, trx, { ...tenant, requestedBy, person, integrationIds }),
  )
}
