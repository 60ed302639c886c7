import { type PersonSought, wordsOfPerson } from '../../lib/sealing/person-words.ts'
import { blindWord } from '../../lib/sealing/record-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { keyForSealing } from '../../runtime/db/vault/vault.ts'
import type { Context } from '../context.ts'
import type { Erasure, NamedBy, Requester } from './erasure.ts'
import { insertErasure } from './erasure-store.ts'

/** What somebody can be erased by. A name is nobody's own. */
export type PersonNamed = Pick<PersonSought, 'email' | 'phone' | 'remoteId'>

/**
 * Writes down that somebody is to be forgotten, by hashes that each shop's own key makes, and starts the work. Part of a
 * transaction.
 */
export async function beginErasure(
  { record }: Pick<Context, 'record'>,
  trx: Db,
  input: {
    appId: number | null
    accountId: number | null
    requestedBy: Requester
    person: PersonNamed
    integrationIds: readonly number[]
  },
): Promise<Erasure> {
  const words = wordsOfPerson(input.person)
  const shops = new Map<number, number[]>()
  for (const id of input.integrationIds) {
    const key = await keyForSealing(trx, id)
    shops.set(
      id,
      words.map((word) => blindWord(key, word)),
    )
  }
  const about = { app_id: input.appId, account_id: input.accountId, requested_by: input.requestedBy }
  const erasure = await insertErasure(trx, { ...about, named_by: namesUsed(input.person) }, shops)
  await record(trx, 'erasure.requested', { erasureId: erasure.id })
  return erasure
}

function namesUsed({ email, phone, remoteId }: PersonNamed): NamedBy[] {
  const said = { email, phone, customer_id: remoteId }
  return (['email', 'phone', 'customer_id'] as const).filter((name) => said[name])
}
