import { afterAll, beforeAll, expect, test } from 'vitest'
import { activateIntegration } from '../../src/domain/install/activate-integration.ts'
import { announceConsents } from '../../src/domain/integrations/consent/announce-consents.ts'
import { lockIntegration } from '../../src/domain/integrations/integration-store.ts'
import { moveIntegration, reportFailure } from '../../src/domain/integrations/move-integration.ts'
import { recoverIntegration } from '../../src/domain/integrations/recover-integration.ts'
import { uninstallOfAccount } from '../../src/domain/integrations/uninstall-cascade.ts'
import { uninstallIntegration } from '../../src/domain/integrations/uninstall-integration.ts'
import { updateIntegration } from '../../src/domain/integrations/update-integration.ts'
import { eventsDuring, typesOf } from '../support/event-watch.ts'
import { makeIntegration } from '../support/gateway.ts'
import { makeAccount } from '../support/identity.ts'
import { openWebhookLab, type WebhookLab } from '../support/webhook-lab.ts'

let lab: WebhookLab

beforeAll(async () => {
  lab = await openWebhookLab()
  await lab.subscribe('http://127.0.0.1:9/hook')
})
afterAll(() => lab.close())

const during = (work: () => Promise<unknown>, whose?: Parameters<typeof eventsDuring>[2]) =>
  eventsDuring(lab, work, whose)

test('an integration is told of through all its life', async () => {
  const { context, appId } = lab
  const accountId = await makeAccount(context, appId, 'merchant')
  const { integration } = await makeIntegration(context, { appId, accountId }, { status: 'PENDING' })
  const { id } = integration
  const granted = { credentials: { api_key: 'k' }, expiresAt: null, granted: null }
  const made = await during(async () => {
    await activateIntegration(context, integration, granted)
    await updateIntegration(context, integration, { name: 'Another name' })
    await reportFailure(context, id, { reason: 'credentials_rejected', why: 'No.' })
    await context.transaction(async (trx) => recoverIntegration(context, trx, await lockIntegration(trx, id)))
    await moveIntegration(context, { id, status: 'INACTIVE' })
    await activateIntegration(context, await uninstallIntegration(context, id), granted)
    await context.transaction((trx) => uninstallOfAccount(trx, accountId))
  })
  const changed = 'integration.status_changed'
  expect(typesOf(made)).toEqual([
    'integration.installed',
    changed,
    'integration.updated',
    'integration.error',
    changed,
    'integration.recovered',
    changed,
    changed,
    'integration.uninstalled',
    changed,
    'integration.installed',
    changed,
    'integration.uninstalled',
    changed,
  ])
  expect(made[3]?.data).toMatchObject({
    status: 'ERROR',
    previous_status: 'ACTIVE',
    status_reason: 'credentials_rejected',
  })
})

test('the end of a consent is told once, a month before, and anew after another one', async () => {
  const { context, appId } = lab
  const accountId = await makeAccount(context, appId, 'agreed')
  const { integration } = await makeIntegration(context, { appId, accountId }, { status: 'PENDING' })
  const { id } = integration
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const agree = (days: number | null) =>
    activateIntegration(context, integration, {
      ...{ credentials: { api_key: 'k' }, expiresAt: null, granted: null },
      consentEndsAt: days === null ? null : inDays(days),
    })
  const look = async () => {
    const made = await during(async () => {
      for (const _ of [1, 2])
        await announceConsents.run(context, {}, { signal: new AbortController().signal, attempt: 1 })
    })
    return made.filter(({ type, data }) => type === 'integration.consent_ending' && data['id'] === id)
  }
  for (const [days, times] of [
    [31, 0],
    [29, 1],
    [29, 1],
    [null, 0],
  ] as const) {
    await agree(days)
    const made = await look()
    expect(made).toHaveLength(times)
  }
  await agree(29)
  await uninstallIntegration(context, id)
  expect(await look()).toEqual([])
})
