import { describe, expect, test } from 'vitest'
import { openImitation, openOrder } from '../../../../test/support/imitation.ts'
import { serviceSpecification } from '../../../../test/support/platforms/magento.ts'
import { checkerOf, hasSpecifications, noSpecifications } from '../../../../test/support/vendor-specification.ts'
import type { RemoteAnswer, Transport } from '../../../commerce/remote.ts'
import { testCredentials } from '../../../domain/install/install-integration.ts'
import { shopWith } from '../../../domain/shop/shop-remote.ts'
import { magento } from '../index.ts'

const variant = { keys: 'service' }
const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

describe('Adobe Commerce as a Cloud Service', () => {
  test('is opened with keys of Adobe, for which there is a token a day', async () => {
    const opened = openImitation(magento, { variant })
    const { facts, simulator } = opened
    const before = simulator.world.clock.now()
    const typed = simulator.install.credentials ?? {}
    const { credentials, settings, expiresAt } = await testCredentials(opened, magento, facts, typed)
    expect(credentials).toEqual({ ...typed, access_token: expect.stringMatching(/^eyJ/) })
    expect(settings).toMatchObject({ ...facts.settings, currency: 'EUR', weight_unit: 'kgs', stock: 'sources' })
    const seconds = (Date.parse(expiresAt ?? '') - before / 1000) / 1000
    expect(Math.round(seconds / 3600)).toBe(24)
    const auth = magento.auth.kind === 'keys' ? magento.auth : null
    const renewed = (await auth?.refresh?.(opened.shop, {}))?.credentials
    expect(renewed).toEqual({ ...typed, access_token: expect.stringMatching(/^eyJ/) })
    expect(auth?.refreshes?.(facts, credentials)).toBe(true)
    expect(auth?.refreshes?.({ shop: 'bikes.example', settings: {} }, credentials)).toBe(false)
  })

  test('wants all three of them, and says which are wrong', async () => {
    const opened = openImitation(magento, { variant })
    const attempt = (typed: object) => testCredentials(opened, magento, opened.facts, { ...typed })
    await expect(attempt({ ims_client_id: 'bikes' })).rejects.toMatchObject({
      errors: { 'credentials.ims_client_secret': expect.anything(), 'credentials.ims_org_id': expect.anything() },
    })
    await expect(
      attempt({ ...opened.simulator.install.credentials, ims_client_secret: 'other' }),
    ).rejects.toMatchObject({
      errors: { 'credentials.ims_client_id': expect.anything(), 'credentials.ims_client_secret': expect.anything() },
    })
    const plain = { shop: 'bikes.example', settings: {} }
    await expect(testCredentials(openImitation(magento), magento, plain, {})).rejects.toMatchObject({
      errors: { 'credentials.access_token': expect.anything() },
    })
  })

  test('that asks to come back later is not asked sooner', async () => {
    const busy = (): RemoteAnswer => ({ status: 429, headers: { 'retry-after': '9' }, body: { message: 'Too many.' } })
    const { shop } = openImitation(magento, { variant, before: busy })
    await expect(magento.orders?.list(shop, query)).rejects.toMatchObject({ retryAfterSeconds: 9 })
  })

  test.skipIf(!hasSpecifications)(
    `says nothing that its specification does not know (else: ${noSpecifications})`,
    async () => {
      const opened = openImitation(magento, { variant })
      const { facts, credentials, simulator } = opened
      const check = checkerOf(serviceSpecification)
      const problems: string[] = []
      const transport: Transport = async (call) => {
        const answer = await opened.transport(call)
        problems.push(...(check(call, answer) ?? ['the specification is not about it']))
        return answer
      }
      const shop = shopWith({ transport }, magento, facts, credentials)
      const sent = openOrder(simulator)
      const gone = simulator.truth().find(({ stage }) => stage === 'unpaid')?.remote_id ?? ''
      await magento.auth.checkAccess(shop)
      expect((await magento.orders?.list(shop, query))?.items).toHaveLength(20)
      expect((await magento.products?.list(shop, query))?.items.length).toBeGreaterThan(0)
      const { returns } = magento.orders ?? {}
      if (typeof returns !== 'object') throw new Error('There is no list of returns.')
      const ofReturns = { updatedSince: null, cursor: null, limit: 20, now: '2026-11-16T08:00:00.000000Z' }
      expect((await returns.list(shop, ofReturns)).items.length).toBeGreaterThan(0)
      const [level] = (await magento.inventory?.list(shop, query))?.items ?? []
      const sku = magento.inventory?.translate(level, shop).sku ?? ''
      expect(await magento.inventory?.set?.send(shop, [{ sku, quantity: 7 }], { id: 's' })).toMatchObject([
        { ok: true },
      ])
      const draft = { order_remote_id: sent, tracking_number: 'T-1', carrier: 'Post' }
      expect(await magento.shipments?.create.send(shop, draft, { id: 'p' })).toMatchObject({ tracking_number: 'T-1' })
      expect(await magento.orders?.cancel?.send(shop, { remoteId: gone, reason: null }, { id: 'c' })).toMatchObject({
        status: 'cancelled',
      })
      expect([...new Set(problems)]).toEqual([])
    },
  )
})
