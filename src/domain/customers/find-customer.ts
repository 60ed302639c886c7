import { invalidField } from '../../lib/fault.ts'
import { type PersonSought, wordsOfPerson } from '../../lib/sealing/person-words.ts'
import { blindWord } from '../../lib/sealing/record-box.ts'
import { sealSome } from '../../runtime/db/vault/seal-some.ts'
import { keysForOpening } from '../../runtime/db/vault/vault.ts'
import type { Context } from '../context.ts'
import { type OrderRecord, orderRecordsByIds } from '../orders/order-record-store.ts'
import { sealableOrders } from '../orders/privacy/seal-store.ts'
import type { AccountTenant } from '../tenant.ts'
import { type CustomerShop, type OrdersInShop, shopsOfAccount, summarizeOrders } from './customer-store.ts'

/** What somebody is asked for by: any of the first three, or a name alone. */
export interface CustomerAsked {
  email?: string | null | undefined
  phone?: string | null | undefined
  customer_id?: string | null | undefined
  name?: string | null | undefined
  integration_id?: number | null | undefined
}

/** A shorter number is an extension, or nobody's. */
const minDigits = 6

/** Each of these names somebody; a name may be that of several people. */
export function personIn({ email, phone, customer_id: remoteId, integration_id }: CustomerAsked): PersonSought {
  if (!email && !phone && !remoteId) {
    throw invalidField('email', 'An e-mail address, a phone number or a customer id is required: a name is not enough.')
  }
  if (remoteId && !integration_id) {
    throw invalidField('integration_id', 'The integration id field is required when customer id is present.')
  }
  if (email && !email.includes('@')) throw invalidField('email', 'The email field must be a valid email address.')
  if (phone && phone.replace(/\D/g, '').replace(/^0+/, '').length < minDigits) {
    throw invalidField('phone', `The phone field must have at least ${minDigits} digits.`)
  }
  return { email, phone, remoteId }
}

export interface SoughtIn {
  shop: CustomerShop
  hashes: number[]
  /** Whether all of them have to be there: the words of a name. */
  all: boolean
}

/** Where to look, and for what: the same person is another hash in each shop. */
export async function whereToLook(
  context: Pick<Context, 'db' | 'transaction'>,
  tenant: AccountTenant,
  asked: CustomerAsked,
): Promise<SoughtIn[]> {
  const byName = Boolean(asked.name) && !asked.email && !asked.phone && !asked.customer_id
  const words = wordsOfPerson(byName ? { name: asked.name } : personIn(asked))
  if (words.length === 0) throw invalidField('name', 'The name field must contain letters.')
  const shops = await shopsAsked(context, tenant, asked)
  const keys = await keysForOpening(
    context.db,
    shops.map(({ id }) => id),
  )
  return shops.flatMap((shop) => {
    const key = keys.get(shop.id)
    return key ? [{ shop, hashes: words.map((word) => blindWord(key, word)), all: byName }] : []
  })
}

/** All of the account, or the one that was named. */
export async function shopsAsked(
  { db }: Pick<Context, 'db'>,
  tenant: AccountTenant,
  { integration_id }: CustomerAsked,
): Promise<CustomerShop[]> {
  const shops = await shopsOfAccount(db, tenant)
  if (!integration_id) return shops
  const named = shops.filter(({ id }) => id === integration_id)
  if (named.length === 0) throw invalidField('integration_id', 'The selected integration id is invalid.')
  return named
}

export interface FoundInShop extends Omit<OrdersInShop, 'newest'> {
  shop: CustomerShop
  newest: OrderRecord[]
}

export async function findCustomer(
  context: Pick<Context, 'db' | 'transaction'>,
  tenant: AccountTenant,
  asked: CustomerAsked,
): Promise<FoundInShop[]> {
  const found: FoundInShop[] = []
  for (const { shop, hashes, all } of await whereToLook(context, tenant, asked)) {
    // From before they were sealed: those cannot be found by hashes.
    while ((await sealSome(context, sealableOrders, shop.id)) > 0);
    const { newest, ...summary } = await summarizeOrders(context.db, shop.id, { hashes, all })
    if (summary.orders > 0) {
      found.push({ shop, ...summary, newest: await orderRecordsByIds(context.db, shop.id, newest) })
    }
  }
  return found
}
