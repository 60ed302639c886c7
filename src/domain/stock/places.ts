import { invalidField } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { maxPlaces, placesOf, savePlaces } from './pool-store.ts'

/** Where goods are, unless somebody says otherwise. */
export const firstPlace = 'Main'

/** Places by name; new ones are made. */
export async function placesNamed(trx: Db, poolId: number, names: readonly string[], field: string) {
  const known = new Set((await placesOf(trx, poolId)).map(({ name }) => name))
  const fresh = new Set(names.filter((name) => !known.has(name)))
  if (known.size + fresh.size > maxPlaces) throw invalidField(field, `At most ${maxPlaces} places are allowed.`)
  return await savePlaces(trx, poolId, names)
}
