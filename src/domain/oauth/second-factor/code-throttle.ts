import { addressBlock } from '../../../lib/addresses/address-block.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { isKnownAddress, type Reserved } from '../sign-in/login-store.ts'
import { payFor, shortHash } from '../sign-in/login-throttle.ts'

const quarterHour = 900
const guessesHere = 10
const day = 86_400
const guessesElsewhere = 50

/**
 * Six digits are few: whoever knows the password and has many addresses would find them in a day. So wrong codes from addresses
 * that the user has never signed in from are counted together, and then refused. The user signs in with a recovery
 * code meanwhile, or from where it went well before.
 */
export async function payForCode(db: Db, input: { userId: number; address: string }): Promise<Reserved[]> {
  const address = addressBlock(input.address)
  const here = {
    key: `code-here:${shortHash(`${input.userId} ${address}`)}`,
    attempts: guessesHere,
    seconds: quarterHour,
  }
  const elsewhere = { key: `code-user:${input.userId}`, attempts: guessesElsewhere, seconds: day }
  const known = await isKnownAddress(db, { userId: input.userId, address })
  return await payFor(db, known ? [here] : [here, elsewhere])
}
