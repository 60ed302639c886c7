import { acknowledgeAlert, findAlert, muteCauses } from '../../../../domain/alerts/alert-store.ts'
import type { UserCaller } from '../../../../domain/tenant.ts'
import { recordId } from '../../../../lib/record-id.ts'
import { endpoint, type Finding } from '../../../define.ts'
import { groups } from '../../../groups.ts'
import { appInPath } from '../../in-path.ts'
import { acknowledging, alertShown, alertsShown, listAlerts, muteHours, muting } from '../../includes/of-alerts.ts'
import { alertView } from '../../views/alerts/alert.ts'

async function findOwn(input: Finding<UserCaller, 'appId' | 'alert'>) {
  const { id: appId } = await appInPath(input)
  return await findAlert(input.context.db, { appId }, recordId(input.params.alert))
}

const list = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/alerts',
  right: 'read-integration',
  ...alertsShown,
  find: appInPath,
  handle: ({ context, found, query }) => listAlerts(context, found.id, query),
})

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/alerts/{alert}',
  right: 'read-integration',
  ...alertShown,
  find: findOwn,
  handle: async ({ found }) => alertView(found),
})

const acknowledge = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/alerts/{alert}/acknowledge',
  right: 'update-integration',
  ...acknowledging,
  find: findOwn,
  handle: async ({ context, caller, found }) =>
    alertView(
      await context.transaction(async (trx) => {
        await acknowledgeAlert(trx, found.id, caller.userId)
        return await findAlert(trx, { appId: found.app_id }, found.id)
      }),
    ),
})

const mute = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/alerts/{alert}/mute',
  right: 'update-integration',
  ...muting,
  find: findOwn,
  handle: async ({ context, caller, found, body }) =>
    alertView(
      await context.transaction(async (trx) => {
        await muteCauses(trx, [found], { hours: muteHours(body), userId: caller.userId })
        return await findAlert(trx, { appId: found.app_id }, found.id)
      }),
    ),
})

export const userAppAlerts = [list, get, acknowledge, mute]
