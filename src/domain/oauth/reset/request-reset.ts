import { hash, randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { addressBlock } from '../../../lib/addresses/address-block.ts'
import { tooMany } from '../../../lib/fault.ts'
import { foldEmail } from '../../../lib/identity/fold-email.ts'
import { randomSecret } from '../../../lib/secret.ts'
import { open, seal } from '../../../lib/secret-box.ts'
import { job } from '../../../runtime/jobs/job.ts'
import type { Context } from '../../context.ts'
import { hasMail, postLetter } from '../../mail/send-mail.ts'
import { resetLetter } from '../../users/password-letters.ts'
import { findLogins, secondsUntilReset, takeAttempts } from '../sign-in/login-store.ts'
import { insertReset, resetMinutes, resetUrl } from './reset-store.ts'

const seconds = resetMinutes * 60
const requestsHere = 5
const requestsOfAddress = 20
const lettersToUser = 10
/** The oldest: records that somebody makes of another's address keep no letter from those who had it before. */
const usersOfAddress = 10

/**
 * Nobody is looked up while the caller waits: whether there is such a user shows neither in the answer nor in its time. False
 * where this service sends no mail. An address may ask so often for one user, and for all of them; beyond what one user gets
 * from everywhere nothing is sent, and nothing is lost: the links that were sent before are good for as long as that lasts.
 */
export async function requestReset(context: Context, input: { email: string; address: string }): Promise<boolean> {
  const name = shortHash(foldEmail(input.email))
  const address = addressBlock(input.address)
  const here = { key: `reset-here:${shortHash(`${name} ${address}`)}`, attempts: requestsHere, seconds }
  const ofAddress = { key: `reset-address:${address}`, attempts: requestsOfAddress, seconds }
  const toUser = { key: `reset-user:${name}`, attempts: lettersToUser, seconds }
  return await context.transaction(async (trx) => {
    const taken = new Set((await takeAttempts(trx, [here, ofAddress, toUser])).map(({ key }) => key))
    const exhausted = [here.key, ofAddress.key].filter((key) => !taken.has(key))
    if (exhausted.length > 0) throw tooMany(await secondsUntilReset(trx, exhausted))
    if (!hasMail(context)) return false
    const id = randomUUID()
    const sealed = seal(context.keys, input.email, placeOf(id)).toString('base64')
    if (taken.has(toUser.key)) await context.enqueue(trx, mailResetLink, { id, sealed })
    return true
  })
}

const shortHash = (text: string) => hash('sha256', text).slice(0, 32)

/** Who has forgotten a password is nobody's business, least of all if there is no such user. */
const placeOf = (id: string) => `pgboss.job mail-reset-link ${id}`

export const mailResetLink = job({
  name: 'mail-reset-link',
  input: Type.Object({ id: Type.String(), sealed: Type.String() }),
  run: async (context: Context, { id, sealed }) => {
    const username = open(context.keys, Buffer.from(sealed, 'base64'), placeOf(id))
    const found = await findLogins(context.db, { username, address: '' })
    const logins = found.filter(({ active }) => active).sort((a, b) => a.id - b.id)
    await context.transaction(async (trx) => {
      for (const { id: userId, email, company } of logins.slice(0, usersOfAddress)) {
        const secret = randomSecret()
        const until = await insertReset(trx, { userId, madeBy: null, secret })
        // To the address that the user has, and not to one that only folds to the same.
        const letter = resetLetter({ to: email, url: resetUrl(context.publicUrl, secret), by: null, company })
        await postLetter(context, trx, letter, { untilMs: Date.parse(until) })
      }
    })
  },
})
