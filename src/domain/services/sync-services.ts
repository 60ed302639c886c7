import { type FieldErrors, invalid } from '../../lib/fault.ts'
import { lockApp } from '../apps/app-store.ts'
import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import { allAttached, attach, changeAttached, detachOthers } from './app-service-store.ts'
import type { AttachedService, Attachment } from './service.ts'
import { attachableIds } from './service-store.ts'

/**
 * Afterwards the app offers exactly the services named. One that was offered before keeps what the call does not
 * mention; one that is named twice counts as named last.
 */
export async function syncServices(
  context: Pick<Context, 'transaction'>,
  tenant: UserTenant,
  input: { appId: number; attachments: readonly Attachment[] },
): Promise<AttachedService[]> {
  const { appId, attachments } = input
  return await context.transaction(async (trx) => {
    await lockApp(trx, tenant, appId)
    const wanted = new Map(attachments.map((attachment) => [attachment.service_id, attachment]))
    const known = await attachableIds(trx, tenant, [...wanted.keys()])
    const before = new Set((await allAttached(trx, { appId })).map((service) => service.id))
    const errors: FieldErrors = {}
    for (const [index, { service_id }] of attachments.entries()) {
      if (!known.has(service_id) && !before.has(service_id)) {
        errors[`services.${index}`] = [`The selected services.${index} is invalid.`]
      }
    }
    if (Object.keys(errors).length > 0) throw invalid(errors)
    await detachOthers(trx, { appId }, [...wanted.keys()])
    for (const attachment of wanted.values()) {
      if (!before.has(attachment.service_id)) await attach(trx, { appId }, attachment)
      else if (attachment.active !== undefined || attachment.settings !== undefined) {
        await changeAttached(trx, { appId }, attachment)
      }
    }
    return await allAttached(trx, { appId })
  })
}
