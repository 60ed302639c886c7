import { Fault, invalid, invalidField, notFound } from '../../../lib/fault.ts'
import { holdCompany } from '../../companies/company-store.ts'
import { hasSecondFactor } from '../../companies/sign-in-policy-store.ts'
import type { Context } from '../../context.ts'
import type { UserTenant } from '../../tenant.ts'
import { announceUnproved } from '../../token-revocation-store.ts'
import { readDomains } from './domain-store.ts'
import { noSingleSignOn, type SingleSignOn } from './single-sign-on.ts'
import {
  deleteSingleSignOn,
  deleteTrips,
  forgetSubjects,
  hasSubjects,
  readSingleSignOn,
  saveSingleSignOn,
} from './single-sign-on-store.ts'

export interface SingleSignOnInput extends Partial<Omit<SingleSignOn, 'has_client_secret'>> {
  client_secret?: string | null
}

/** Whoever is on the way to a provider that is no longer this one does not arrive. */
export async function changeSingleSignOn(
  context: Pick<Context, 'db' | 'transaction' | 'keys' | 'openId'>,
  tenant: UserTenant,
  input: { companyId: number; changes: SingleSignOnInput },
): Promise<void> {
  const { companyId, changes } = input
  const before = (await readSingleSignOn(context.db, companyId)) ?? noSingleSignOn
  const { client_secret: secret, ...rest } = changes
  const changed = ({ has_client_secret: _, ...was }: SingleSignOn) => ({ ...was, ...rest })
  const wanted = changed(before)
  for (const field of ['issuer', 'client_id'] as const) {
    if (wanted[field] === '') throw invalidField(field, `The ${field.replace('_', ' ')} field is required.`)
  }
  const isElsewhere = wanted.issuer !== before.issuer
  const isOtherClient = isElsewhere || wanted.client_id !== before.client_id
  if (isOtherClient && before.has_client_secret && secret === undefined) {
    throw invalidField(
      'client_secret',
      'Say the secret again: the one there was is kept for the issuer and client before.',
    )
  }
  if (isElsewhere) await checkIssuer(context, wanted.issuer)
  await context.transaction(async (trx) => {
    await holdCompany(trx, companyId)
    const now = (await readSingleSignOn(trx, companyId)) ?? noSingleSignOn
    // What was checked was checked against the provider that there was.
    if (now.issuer !== before.issuer || now.client_id !== before.client_id)
      throw new Fault('conflict', 'Somebody else has just changed the provider: look at it, and try again.')
    await saveSingleSignOn(trx, context.keys, { companyId, wanted: changed(now), secret })
    if (isElsewhere) await forgetSubjects(trx, companyId)
    if (isOtherClient) await deleteTrips(trx, companyId)
    if (!changed(now).required) return
    // Whoever demands it of everybody has seen that it works, and does not depend on it.
    const isProved = (await readDomains(trx, companyId)).some(({ proved_at }) => proved_at !== null)
    if (!isProved || !(await hasSubjects(trx, companyId))) {
      throw invalidField('required', 'Somebody has to have signed in by it first, with an address of a proved domain.')
    }
    const isOwn = companyId === tenant.companyId
    if (isOwn && !now.required && !(await hasSecondFactor(trx, tenant.userId))) {
      throw invalidField(
        'required',
        'Set up a second factor of your own first: it is your way in if the provider fails.',
      )
    }
    await announceUnproved(trx, companyId)
  })
}

async function checkIssuer({ openId }: Pick<Context, 'openId'>, issuer: string): Promise<void> {
  const url = URL.parse(issuer)
  if (!openId || !url || url.search !== '' || url.hash !== '')
    throw invalid({ issuer: ['The issuer is not an address.'] })
  await openId.check(issuer).catch((error: unknown) => {
    const isTheirs = error instanceof Fault && error.kind.startsWith('upstream_')
    if (isTheirs) throw invalidField('issuer', error.message)
    throw error
  })
}

export async function removeSingleSignOn(context: Pick<Context, 'transaction'>, companyId: number): Promise<void> {
  await context.transaction(async (trx) => {
    await holdCompany(trx, companyId)
    if (!(await readSingleSignOn(trx, companyId))) throw notFound()
    await deleteSingleSignOn(trx, companyId)
  })
}
