import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { makeCompany } from '../../../../test/support/identity.ts'
import { justBefore } from '../../../../test/support/just-before.ts'
import type { Context } from '../../context.ts'
import { operator } from '../../users/user.ts'
import { changeSingleSignOn } from './change-single-sign-on.ts'
import { insertDomain, markProved, readDomains } from './domain-store.ts'
import { giveUpDomain } from './prove-domain.ts'
import { noSingleSignOn } from './single-sign-on.ts'
import { readSingleSignOn, saveSingleSignOn } from './single-sign-on-store.ts'

/** What two who look after the same company do at the same moment. */

let tested: TestContext
let context: Context
beforeAll(async () => {
  tested = await createTestContext()
  context = tested.context
})
afterAll(() => tested.close())

const tenant = { ...operator, userId: 0 }

async function save(companyId: number, wanted: { issuer: string; required?: boolean }): Promise<void> {
  const { has_client_secret: _, ...nothing } = noSingleSignOn
  await saveSingleSignOn(context.db, context.keys, {
    ...{ companyId, secret: `of ${wanted.issuer}` },
    wanted: { ...nothing, client_id: 'us', ...wanted },
  })
}

async function companyWith(wanted: { required?: boolean } = {}): Promise<number> {
  const companyId = await makeCompany(context)
  await save(companyId, { issuer: 'https://first.example', ...wanted })
  return companyId
}

test('of the last two domains one stays where members sign in by them alone', async () => {
  const companyId = await companyWith({ required: true })
  const ids: number[] = []
  for (const name of ['one', 'other']) {
    const domain = await insertDomain(context.db, { companyId, domain: `${name}-${companyId}.example`, proof: 'p' })
    ids.push((await markProved(context.db, companyId, domain?.id ?? 0)).id)
  }
  const [one = 0, other = 0] = ids
  const ends = await justBefore(
    context,
    (held) => giveUpDomain(held, { companyId, id: one }),
    () => giveUpDomain(context, { companyId, id: other }),
  )
  expect(ends).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { errors: { domain: [expect.any(String)] } } },
  ])
  expect(await readDomains(context.db, companyId)).toHaveLength(1)
})

/** Another has changed it after the first has looked, and before anything of the first is written. */
function after(other: () => Promise<unknown>): Context {
  let isDone = false
  return {
    ...context,
    async transaction(work) {
      if (!isDone) await other()
      isDone = true
      return await context.transaction(work)
    },
  }
}

test('two changes undo nothing of each other', async () => {
  const companyId = await companyWith()
  const change = (held: Context, changes: Parameters<typeof changeSingleSignOn>[2]['changes']) =>
    changeSingleSignOn(held, tenant, { companyId, changes })
  await change(
    after(() => change(context, { trust_addresses: true })),
    { trust_second_factor: true },
  )
  expect(await readSingleSignOn(context.db, companyId)).toMatchObject({
    trust_addresses: true,
    trust_second_factor: true,
  })
})

test('a secret that was meant for one provider is never kept for another', async () => {
  const companyId = await companyWith()
  const change = (held: Context, changes: Parameters<typeof changeSingleSignOn>[2]['changes']) =>
    changeSingleSignOn(held, tenant, { companyId, changes })
  const late = change(
    after(() => save(companyId, { issuer: 'https://second.example' })),
    { client_secret: 'another of the first' },
  )
  await expect(late).rejects.toMatchObject({ kind: 'conflict' })
  expect(await readSingleSignOn(context.db, companyId)).toMatchObject({ issuer: 'https://second.example' })
})
