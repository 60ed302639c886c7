import { Type } from 'typebox'
import { findAccountByRemoteId } from '../../../domain/accounts/account-store.ts'
import { acknowledgeAlert, findAlert, muteCauses } from '../../../domain/alerts/alert-store.ts'
import { isReader, setReader } from '../../../domain/alerts/merchants/letter-store.ts'
import type { ClientCaller } from '../../../domain/tenant.ts'
import { recordId } from '../../../lib/record-id.ts'
import { flag, object } from '../../../lib/validation/fields.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appTenant } from '../../tenants.ts'
import { acknowledging, alertShown, alertsShown, listAlerts, muteHours, muting } from '../includes/of-alerts.ts'
import { alertView } from '../views/alerts/alert.ts'

const findOwn = ({ context, caller, params }: Finding<ClientCaller, 'alert'>) =>
  findAlert(context.db, appTenant(caller), recordId(params.alert))

const list = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/alerts',
  scope: 'app:integration-read',
  ...alertsShown,
  find: async ({ caller }) => appTenant(caller),
  handle: ({ context, found, query }) => listAlerts(context, found.appId, query),
})

const get = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/alerts/{alert}',
  scope: 'app:integration-read',
  ...alertShown,
  find: findOwn,
  handle: async ({ found }) => alertView(found),
})

const acknowledge = endpoint({
  group: groups.app,
  method: 'POST',
  path: '/alerts/{alert}/acknowledge',
  scope: 'app:integration-update',
  ...acknowledging,
  find: findOwn,
  handle: async ({ context, caller, found }) =>
    alertView(
      await context.transaction(async (trx) => {
        await acknowledgeAlert(trx, found.id, caller.onBehalfOf ?? null)
        return await findAlert(trx, { appId: found.app_id }, found.id)
      }),
    ),
})

const mute = endpoint({
  group: groups.app,
  method: 'POST',
  path: '/alerts/{alert}/mute',
  scope: 'app:integration-update',
  ...muting,
  find: findOwn,
  handle: async ({ context, caller, found, body }) =>
    alertView(
      await context.transaction(async (trx) => {
        await muteCauses(trx, [found], { hours: muteHours(body), userId: caller.onBehalfOf ?? null })
        return await findAlert(trx, { appId: found.app_id }, found.id)
      }),
    ),
})

const readersSchema = Type.Object({
  active: Type.Boolean({ description: 'Whether the merchant has agreed to letters' }),
})

const findMerchant = ({ context, caller, params }: Finding<ClientCaller, 'account'>) =>
  findAccountByRemoteId(context.db, appTenant(caller), params.account)

const getLetters = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/accounts/{account}/alert-letters',
  scope: 'app:account-read',
  extension: true,
  summary: 'Whether a merchant gets letters about alerts',
  find: findMerchant,
  returns: record(readersSchema),
  handle: async ({ context, found }) => ({ active: await isReader(context.db, found.id) }),
})

const setLetters = endpoint({
  group: groups.app,
  method: 'PUT',
  path: '/accounts/{account}/alert-letters',
  scope: 'app:account-update',
  extension: true,
  summary: 'Say whether a merchant gets letters about alerts',
  description: 'Only after the merchant has agreed. Each letter has a link by which the merchant ends them.',
  find: findMerchant,
  body: object({ active: flag() }),
  example: { active: true },
  returns: record(readersSchema),
  handle: async ({ context, found, body }) => {
    await context.transaction((trx) => setReader(trx, found.id, body.active))
    return { active: body.active }
  },
})

export const appAlerts = [list, get, acknowledge, mute, getLetters, setLetters]
