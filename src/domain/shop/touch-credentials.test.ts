import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTokenLab, refreshesOf, type TokenLab } from '../../../test/support/token-lab.ts'
import { idleIntegrations } from '../integrations/credentials-store.ts'
import type { Integration } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { renewIdle } from './refresh-credentials.ts'
import { touchCredentials } from './touch-credentials.ts'

let lab: TokenLab
beforeAll(async () => {
  lab = await openTokenLab()
})
afterAll(() => lab.close())

const running = { signal: new AbortController().signal, attempt: 1 }

describe('tokens that nobody uses', () => {
  const age = (integration: Integration, days: number) => lab.pass(integration, days * 86_400)

  test('are renewed after two thirds of the life of what renews them, once by all processes', async () => {
    const { platform, context, integrations } = await lab.setUp({ count: 3, endsInSeconds: 3000, refreshTokenDays: 30 })
    const [idle, busy] = integrations
    if (!idle || !busy) throw new Error('There are no integrations.')
    await age(idle, 21)
    await age(busy, 19)
    const processes = Array.from({ length: 3 }, () => lab.processOf(context))
    await Promise.all(processes.map((other) => touchCredentials.run(other, {}, running)))
    expect([...platform.refreshes]).toEqual([[idle.shop, 1]])
    await touchCredentials.run(context, {}, running)
    expect(refreshesOf(platform)).toBe(1)
  })

  test('are left alone by a process that found them idle before another one renewed them', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: 3000, refreshTokenDays: 30 })
    await age(first, 21)
    const [found] = await idleIntegrations(context.db, [{ type: platform.connector.type, days: 30 }], 1)
    if (found?.id !== first.id) throw new Error('The idle integration was not found.')
    await touchCredentials.run(context, {}, running)
    await renewIdle(lab.processOf(context), platform.connector, first, found.version)
    expect(refreshesOf(platform)).toBe(1)
  })

  test('wait for a platform that is away, without asking it all the time', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: 3000, refreshTokenDays: 30 })
    await age(first, 21)
    platform.before = async () => ({ status: 503, headers: {}, body: '' })
    await touchCredentials.run(context, {}, running)
    await touchCredentials.run(context, {}, running)
    expect(refreshesOf(platform)).toBe(1)
    expect((await readIntegration(context.db, first.id)).status).toBe('ACTIVE')
  })

  test('are left alone where the platform sets no end', async () => {
    const { platform, context, first } = await lab.setUp({ endsInSeconds: 3000 })
    await age(first, 1000)
    await touchCredentials.run(context, {}, running)
    expect(refreshesOf(platform)).toBe(0)
  })
})
