import type { Context } from '../../../context.ts'
import type { UserCaller } from '../../../tenant.ts'
import { keepDemandedFactor, type Proof, proveBoth } from '../change-second-factor.ts'
import { dropUnusedRecoveryCodes, holdFactors } from '../second-factor-store.ts'
import { deletePasskey } from './passkey-store.ts'

export async function removePasskey(
  context: Context,
  caller: UserCaller,
  input: { id: number; proof: Proof },
): Promise<void> {
  await proveBoth(context, caller, input.proof)
  await context.transaction(async (trx) => {
    await holdFactors(trx, caller.userId)
    await deletePasskey(trx, input.id)
    await keepDemandedFactor(trx, caller.userId)
    await dropUnusedRecoveryCodes(trx, caller.userId)
  })
}
