import { Fault, unavailable } from '../../../lib/fault.ts'
import type { Logout } from '../../../runtime/openid/open-id.ts'
import type { Context } from '../../context.ts'
import { invalidRequest } from '../oauth-faults.ts'
import { endSessionsOfProvider } from '../sign-in/console-session-store.ts'
import { findUserOfSubject } from './member-store.ts'
import { holdProvider, type Provider, readProvider } from './single-sign-on-store.ts'

const refused = () => invalidRequest('logout_token')

/**
 * The identity provider says that somebody is signed out there, or locked: what was opened by it ends here, at once and in
 * every process. Sessions that began with a password of ours, and tokens of programs, are not the provider's to end.
 */
export async function endAtProvider(context: Context, input: { companyId: number; token: string }): Promise<void> {
  const { companyId } = input
  const provider = await readProvider(context.db, context.keys, companyId)
  if (!provider) throw refused()
  const { subject, session } = await read(context, provider, input)
  await context.transaction(async (trx) => {
    const now = await holdProvider(trx, companyId)
    if (now?.issuer !== provider.issuer || now.client_id !== provider.client_id) throw refused()
    const known = subject === null ? null : await findUserOfSubject(trx, { companyId, subject })
    const [whose = known] = await endSessionsOfProvider(trx, { companyId, session, userId: known })
    if (whose !== null) context.say?.({ userId: whose, detail: 'back-channel logout' })
  })
}

/** Whoever is refused is not told why; those who run the provider find it in the log. */
async function read(
  { openId, log }: Context,
  { issuer, client_id: clientId }: Provider,
  { companyId, token }: { companyId: number; token: string },
): Promise<Logout> {
  if (!openId) throw unavailable()
  return await openId.readLogout({ issuer, clientId }, token).catch((error: unknown) => {
    if (!(error instanceof Fault) || !error.kind.startsWith('upstream_')) throw error
    const { cause } = error
    log.warn({ company_id: companyId, why: cause instanceof Error ? cause.message : error.message }, 'logout refused')
    throw refused()
  })
}
