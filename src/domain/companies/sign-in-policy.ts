import { invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import { announceUnproved } from '../token-revocation-store.ts'
import { changeSignInPolicy, hasSecondFactor, type SignInPolicy } from './sign-in-policy-store.ts'

export async function updateSignInPolicy(
  context: Pick<Context, 'transaction'>,
  tenant: UserTenant,
  input: { companyId: number; changes: Partial<SignInPolicy> },
): Promise<SignInPolicy> {
  return await context.transaction(async (trx) => {
    // Whoever demands it of everybody has seen that it works.
    const isDemanded = input.changes.require_second_factor === true && input.companyId === tenant.companyId
    if (isDemanded && !(await hasSecondFactor(trx, tenant.userId))) {
      throw invalidField('require_second_factor', 'Set up a second factor of your own first.')
    }
    const policy = await changeSignInPolicy(trx, input.companyId, input.changes)
    if (policy.require_second_factor) await announceUnproved(trx, input.companyId)
    return policy
  })
}
