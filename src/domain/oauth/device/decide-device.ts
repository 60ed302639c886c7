import { invalidField } from '../../../lib/fault.ts'
import type { Context } from '../../context.ts'
import type { UserCaller } from '../../tenant.ts'
import { narrowScopes } from '../scope-grants.ts'
import { returnAttempts } from '../sign-in/login-store.ts'
import { payFor } from '../sign-in/login-throttle.ts'
import { userCodeHash } from './begin-device.ts'
import { type DeviceAuthorization, decideDevice, findDeviceByUserCode } from './device-store.ts'

type Asking = Pick<UserCaller, 'userId' | 'scopes'>

const wrongCodes = 10
const quarterHour = 900

/** Wrong codes are counted by user: whoever tries them out finds nobody else's. */
export async function findDevice(
  context: Pick<Context, 'db'>,
  { userId }: Asking,
  userCode: string,
): Promise<DeviceAuthorization> {
  const allowance = { key: `device-code:${userId}`, attempts: wrongCodes, seconds: quarterHour }
  const paid = await payFor(context.db, [allowance])
  const found = await findDeviceByUserCode(context.db, userCodeHash(userCode))
  if (!found) throw unknownCode()
  await returnAttempts(context.db, paid)
  return found
}

/** Nobody gives away more than they have in their hands: a token that may little approves none that may more. */
export async function answerDevice(
  context: Pick<Context, 'db' | 'transaction'>,
  caller: Asking,
  { device, approves }: { device: DeviceAuthorization; approves: boolean },
): Promise<DeviceAuthorization> {
  if (approves) narrowScopes(device.scopes, caller.scopes)
  const state = approves ? 'approved' : 'denied'
  const isFirst = await context.transaction((trx) => decideDevice(trx, device.id, { state, userId: caller.userId }))
  if (!isFirst) throw invalidField('user_code', 'Somebody has decided about this code already.')
  return { ...device, state }
}

const unknownCode = () => invalidField('user_code', 'There is no such code, or its ten minutes are over.')
