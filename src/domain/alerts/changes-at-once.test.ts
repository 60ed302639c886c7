import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeApp } from '../../../test/support/identity.ts'
import { rulesOf } from '../attention/rule-store.ts'
import { readTemplate } from './merchants/letter-store.ts'
import { writeTemplate } from './merchants/tell-merchants.ts'
import { writeRule } from './write-rule.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const rounds = Array.from({ length: 10 }, (_, n) => n + 1)

test('two who change a rule at the same time do not undo what the other has set', async () => {
  const { context } = tested
  for (const minutes of rounds) {
    const about = { appId: await makeApp(context), kind: 'integration_error' } as const
    await writeRule(context, about, { active: true })
    await Promise.all([writeRule(context, about, { minutes }), writeRule(context, about, { active: false })])
    expect((await rulesOf(context.db, about.appId)).get(about.kind)).toMatchObject({ minutes, active: false })
  }
})

test('nor do two who change the letter to merchants', async () => {
  const { context } = tested
  for (const n of rounds) {
    const appId = await makeApp(context)
    await writeTemplate(context, appId, { active: false })
    const [subject, body] = [`Subject ${n}`, `Body ${n}`]
    await Promise.all([writeTemplate(context, appId, { subject }), writeTemplate(context, appId, { body })])
    expect(await readTemplate(context.db, appId)).toMatchObject({ subject, body })
  }
})
