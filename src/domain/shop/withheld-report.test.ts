import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { makeApp } from '../../../test/support/identity.ts'
import { newestLogs } from '../logs/log-store.ts'
import { withheldReport } from './withheld-report.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

test('what a shop withholds is in the log once a day, whoever asked', async () => {
  const { context } = tested
  const { integration } = await makeIntegration(context, { appId: await makeApp(context) })
  for (const _ of [1, 2]) {
    const report = withheldReport(context.db, integration.id)
    for (const _ of [1, 2]) await report({ name: 'read_customers', where: 'Settings' })
  }
  const logs = (await newestLogs(context.db, [integration.id])).filter(({ event }) => event === 'rights.withheld')
  expect(logs.map(({ message }) => message)).toEqual([
    'The shop leaves out what the credentials may not see: read_customers. Grant it under Settings.',
  ])
})
