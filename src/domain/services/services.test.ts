import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { faultOf, makeApp, makeCompany, makeUser } from '../../../test/support/identity.ts'
import type { UserTenant } from '../tenant.ts'
import { allAttached, findOffered } from './app-service-store.ts'
import { attachService, detachService, updateAttachedService } from './attach-service.ts'
import { createService } from './create-service.ts'
import type { Attachment } from './service.ts'
import { findMutableService, findService, readService } from './service-store.ts'
import { syncCatalogue } from './sync-catalogue.ts'
import { syncServices } from './sync-services.ts'
import { deleteService, updateService } from './update-service.ts'

let it: TestContext
let owner: UserTenant
let stranger: UserTenant
let appId: number
let sandboxId: number
const admin: UserTenant = { userId: 0, companyId: null, admin: true }

beforeAll(async () => {
  it = await createTestContext()
  await syncCatalogue(it.context)
  const companyId = await makeCompany(it.context)
  owner = { userId: (await makeUser(it.context, { company_id: companyId })).id, companyId, admin: false }
  stranger = { userId: (await makeUser(it.context)).id, companyId: null, admin: false }
  sandboxId = (await readService(it.context.db, 'sandbox')).id
})
beforeEach(async () => {
  appId = await makeApp(it.context, { user_id: owner.userId, company_id: owner.companyId ?? 0 })
})
afterAll(() => it.close())

let count = 0
const ownService = (who: UserTenant = owner) =>
  createService(it.context, who, { type: `own-${++count}`, name: 'Own', auth_type: 'none' })

describe('the catalogue', () => {
  test('follows the connectors, however often and by however many it is made', async () => {
    await it.context.db.updateTable('services').set({ name: 'Old name' }).where('type', '=', 'sandbox').execute()
    await Promise.all(Array.from({ length: 4 }, () => syncCatalogue(it.context)))
    const rows = await it.context.db.selectFrom('services').selectAll().where('type', '=', 'sandbox').execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ name: it.context.connectors.get('sandbox')?.name, mutable: false, user_id: null })
  })

  test('what comes with us is seen by all and changed by admins only', async () => {
    expect((await findService(it.context.db, stranger, 'sandbox')).id).toBe(sandboxId)
    expect((await findService(it.context.db, stranger, String(sandboxId))).type).toBe('sandbox')
    expect((await faultOf(findMutableService(it.context.db, owner, 'sandbox'))).kind).toBe('forbidden')
    const changes = { settings: { a: 1 } }
    expect((await updateService(it.context, admin, { id: sandboxId, changes })).settings).toEqual({ a: 1 })
  })

  test('a service of a tenant is shown to that tenant', async () => {
    const service = await ownService()
    expect((await findService(it.context.db, { ...stranger, companyId: owner.companyId }, service.type)).id).toBe(
      service.id,
    )
    expect((await faultOf(findService(it.context.db, stranger, String(service.id)))).kind).toBe('forbidden')
    const input = { type: service.type, name: 'x', auth_type: 'none' } as const
    const colleague = { ...stranger, companyId: owner.companyId }
    expect((await faultOf(createService(it.context, colleague, input))).errors).toEqual({
      type: ['The type has already been taken.'],
    })
    const removal = deleteService(it.context, stranger, service.id)
    expect((await faultOf(removal)).kind).toBe('forbidden')
    await deleteService(it.context, owner, service.id)
    expect((await faultOf(findService(it.context.db, owner, String(service.id)))).kind).toBe('not_found')
  })

  test('what a tenant has described under a name, others learn in no way', async () => {
    const { db } = it.context
    const service = await ownService()
    const unheard = `${service.type}-unheard`
    const strangersApp = await makeApp(it.context, { user_id: stranger.userId })
    const asked = (type: string) =>
      Promise.all(
        [
          findService(db, stranger, type),
          findMutableService(db, stranger, type),
          findOffered(db, { appId: strangersApp }, type),
        ].map(async (answer) => (await faultOf(answer)).kind),
      )
    expect(await asked(service.type)).toEqual(await asked(unheard))
    const input = { type: service.type, name: 'Other', auth_type: 'none' } as const
    const others = await createService(it.context, stranger, input)
    expect(others.id).not.toBe(service.id)
    expect((await findService(db, stranger, service.type)).id).toBe(others.id)
    expect((await findService(db, owner, service.type)).id).toBe(service.id)
    expect((await faultOf(createService(it.context, stranger, input))).errors).toHaveProperty('type')
    await attachService(it.context, stranger, { appId: strangersApp, attachment: { service_id: others.id } })
    await attachService(it.context, owner, { appId, attachment: { service_id: service.id } })
    expect((await findOffered(db, { appId: strangersApp }, service.type)).id).toBe(others.id)
    expect((await findOffered(db, { appId }, service.type)).id).toBe(service.id)
  })

  test('a connector that comes later stands beside what a tenant has under its name', async () => {
    const other = await createTestContext()
    const { db } = other.context
    const maker = { ...stranger, userId: (await makeUser(other.context)).id }
    const described = await createService(other.context, maker, { type: 'sandbox', name: 'x', auth_type: 'none' })
    await syncCatalogue(other.context)
    expect((await findService(db, maker, 'sandbox')).id).toBe(described.id)
    expect((await readService(db, 'sandbox')).user_id).toBeNull()
    await other.close()
  })

  test('what comes with us is described by its code, what a tenant adds by the tenant', async () => {
    const inventory = {
      list: { path: '/stock', paging: { style: 'none' } },
      fields: { sku: 'sku', available: 'left' },
    }
    const definition = { origin: { from: 'shop' }, auth: { kind: 'basic' }, inventory }
    const onOurs = updateService(it.context, admin, { id: sandboxId, changes: { definition } })
    expect((await faultOf(onOurs)).errors).toEqual({ definition: ['The definition field is prohibited.'] })
    const { id } = await ownService()
    const described = await updateService(it.context, owner, { id, changes: { definition } })
    expect(described).toMatchObject({ definition, auth_type: 'basic' })
    const wrong = { ...definition, inventory: { ...inventory, fields: { sku: 'sku' } } }
    expect((await faultOf(updateService(it.context, owner, { id, changes: { definition: wrong } }))).errors).toEqual({
      'definition.inventory.fields.available': ['The definition.inventory.fields.available field is required.'],
    })
    expect(await updateService(it.context, owner, { id, changes: { definition: null } })).toMatchObject({
      definition: null,
    })
  })

  test('what an admin removes stays removed, and its type is not for tenants', async () => {
    const other = await createTestContext()
    await syncCatalogue(other.context)
    const { id } = await readService(other.context.db, 'sandbox')
    await deleteService(other.context, admin, id)
    await syncCatalogue(other.context)
    expect((await faultOf(readService(other.context.db, 'sandbox'))).kind).toBe('not_found')
    const attempt = createService(other.context, stranger, { type: 'sandbox', name: 'x', auth_type: 'none' })
    expect((await faultOf(attempt)).errors).toHaveProperty('type')
    await other.close()
  })
})

describe('services of an app', () => {
  const attach = (attachment: Attachment, who = owner) => attachService(it.context, who, { appId, attachment })

  test('are attached once', async () => {
    expect(await attach({ service_id: sandboxId, settings: { tag: 'x' } })).toMatchObject({
      id: sandboxId,
      attached_active: true,
      attached_settings: { tag: 'x' },
    })
    const texts = async (attempt: Promise<unknown>) => (await faultOf(attempt)).errors
    expect(await texts(attach({ service_id: sandboxId }))).toEqual({
      service_id: ['The service id has already been taken.'],
    })
    const invalid = { service_id: ['The selected service id is invalid.'] }
    expect(await texts(attach({ service_id: 999_999 }))).toEqual(invalid)
    expect(await texts(attach({ service_id: (await ownService(stranger)).id }))).toEqual(invalid)
    expect((await faultOf(attach({ service_id: sandboxId }, stranger))).kind).toBe('forbidden')
  })

  test('are offered while they are active', async () => {
    await attach({ service_id: sandboxId })
    expect((await findOffered(it.context.db, { appId }, 'sandbox')).id).toBe(sandboxId)
    const attachment = { service_id: sandboxId, active: false }
    await updateAttachedService(it.context, owner, { appId, attachment })
    expect((await faultOf(findOffered(it.context.db, { appId }, 'sandbox'))).kind).toBe('forbidden')
    await detachService(it.context, owner, { appId, serviceId: sandboxId })
    expect((await faultOf(findOffered(it.context.db, { appId }, 'sandbox'))).kind).toBe('forbidden')
    expect((await faultOf(findOffered(it.context.db, { appId }, 'nothing'))).kind).toBe('not_found')
    const again = detachService(it.context, owner, { appId, serviceId: sandboxId })
    expect((await faultOf(again)).kind).toBe('not_found')
  })

  test('after a sync are exactly those named', async () => {
    const [a, b, c] = [await ownService(), await ownService(), await ownService()]
    const sync = async (...attachments: Attachment[]) => {
      const services = await syncServices(it.context, owner, { appId, attachments })
      return services.map((service) => [service.id, service.attached_active, service.attached_settings])
    }
    await sync({ service_id: a.id, settings: { keep: 1 } }, { service_id: b.id, active: false })
    expect(await sync({ service_id: a.id }, { service_id: b.id }, { service_id: c.id })).toEqual([
      [a.id, true, { keep: 1 }],
      [b.id, false, {}],
      [c.id, true, {}],
    ])
    expect(await sync({ service_id: c.id, active: false }, { service_id: c.id })).toEqual([[c.id, true, {}]])
    const wrong = syncServices(it.context, owner, {
      appId,
      attachments: [{ service_id: a.id }, { service_id: 999_999 }],
    })
    expect((await faultOf(wrong)).errors).toEqual({ 'services.1': ['The selected services.1 is invalid.'] })
    expect((await allAttached(it.context.db, { appId })).map((service) => service.id)).toEqual([c.id])
    expect(await sync()).toEqual([])
  })

  test('end as one of the sets when several syncs run at once', async () => {
    const [a, b] = [await ownService(), await ownService()]
    const runs = Array.from({ length: 10 }, (_, index) =>
      syncServices(it.context, owner, { appId, attachments: [{ service_id: index % 2 === 0 ? a.id : b.id }] }),
    )
    for (const answer of await Promise.all(runs)) expect(answer).toHaveLength(1)
    expect(await allAttached(it.context.db, { appId })).toHaveLength(1)
  })
})
