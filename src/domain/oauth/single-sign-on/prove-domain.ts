import { invalidField } from '../../../lib/fault.ts'
import { randomSecret } from '../../../lib/secret.ts'
import { sqlState } from '../../../runtime/db/connection.ts'
import { holdCompany } from '../../companies/company-store.ts'
import type { Context } from '../../context.ts'
import type { UserTenant } from '../../tenant.ts'
import { deleteDomain, findDomain, insertDomain, markProved, readDomains } from './domain-store.ts'
import { foldDomain, proofName, proofText, type SingleSignOnDomain } from './single-sign-on.ts'
import { readSingleSignOn } from './single-sign-on-store.ts'

const maxDomains = 20

export async function claimDomain(
  context: Pick<Context, 'transaction'>,
  companyId: number,
  written: string,
): Promise<SingleSignOnDomain> {
  const domain = foldDomain(written)
  if (domain === null) throw invalidField('domain', 'The domain must be a domain name, such as example.com.')
  return await context.transaction(async (trx) => {
    await holdCompany(trx, companyId)
    if ((await readDomains(trx, companyId)).length >= maxDomains) {
      throw invalidField('domain', `At most ${maxDomains} domains are allowed.`)
    }
    const claimed = await insertDomain(trx, { companyId, domain, proof: randomSecret() })
    if (!claimed) throw invalidField('domain', 'The domain is in the list already.')
    return claimed
  })
}

/** By a record that only whoever has the domain can make. The operator of the instance is believed without. */
export async function proveDomain(
  context: Pick<Context, 'db' | 'transaction' | 'readTxt'>,
  tenant: UserTenant,
  input: { companyId: number; id: number },
): Promise<SingleSignOnDomain> {
  const { companyId, id } = input
  const { domain, proof } = await findDomain(context.db, companyId, id)
  if (!tenant.admin) {
    const name = proofName(domain)
    const records = (await context.readTxt?.(name)) ?? []
    if (!records.includes(proofText(proof))) {
      throw invalidField('domain', `There is no such TXT record at ${name} yet. New records take a while to be seen.`)
    }
  }
  try {
    return await context.transaction((trx) => markProved(trx, companyId, id))
  } catch (error) {
    if (sqlState(error) !== '23505') throw error
    throw invalidField('domain', 'Another company signs in with addresses of this domain.')
  }
}

export async function giveUpDomain(
  context: Pick<Context, 'transaction'>,
  input: { companyId: number; id: number },
): Promise<void> {
  const { companyId, id } = input
  await context.transaction(async (trx) => {
    await holdCompany(trx, companyId)
    await findDomain(trx, companyId, id)
    await deleteDomain(trx, companyId, id)
    const left = (await readDomains(trx, companyId)).some(({ proved_at }) => proved_at !== null)
    // Nobody would find the way in.
    if (!left && (await readSingleSignOn(trx, companyId))?.required) {
      throw invalidField('domain', 'It is the last one, and members sign in by it alone.')
    }
  })
}
