import { describe, expect, test } from 'vitest'
import { openStand } from '../../../../test/support/open-stand.ts'
import { checkerOf, hasSpecifications, noSpecifications } from '../../../../test/support/vendor-specification.ts'
import type { RemoteAnswer } from '../../../commerce/remote.ts'
import { proveCredentials } from '../../../domain/install/install-integration.ts'
import { magento } from '../index.ts'
import { makeStand } from '../stand.ts'

const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

describe('Adobe Commerce as a Cloud Service', () => {
  test('is opened with keys of Adobe, for which there is a token a day', async () => {
    const stand = makeStand({ keys: 'service' })
    const { base_url: address, ...learned } = stand.facts.settings
    const facts = { shop: stand.facts.shop, settings: { base_url: address } }
    const opened = openStand(magento, stand)
    const { credentials, settings, expiresAt } = await proveCredentials(opened, magento, facts, stand.typed ?? {})
    expect(credentials).toEqual(stand.credentials)
    expect(settings).toEqual({ base_url: address, ...learned })
    expect(expiresAt).toBe('2026-11-16T07:59:59.000000Z')
    const auth = magento.auth.kind === 'keys' ? magento.auth : null
    expect((await auth?.refresh?.(opened.shop, {}))?.credentials).toEqual(stand.credentials)
    expect(auth?.refreshes?.(stand.facts, stand.credentials)).toBe(true)
    expect(auth?.refreshes?.({ shop: 'bikes.example', settings: {} }, stand.credentials)).toBe(false)
  })

  test('wants all three of them, and says which are wrong', async () => {
    const stand = makeStand({ keys: 'service' })
    const attempt = (typed: object) => proveCredentials(openStand(magento, stand), magento, stand.facts, { ...typed })
    await expect(attempt({ ims_client_id: 'bikes' })).rejects.toMatchObject({
      errors: { 'credentials.ims_client_secret': expect.anything(), 'credentials.ims_org_id': expect.anything() },
    })
    await expect(attempt({ ...stand.typed, ims_client_secret: 'other' })).rejects.toMatchObject({
      errors: { 'credentials.ims_client_id': expect.anything(), 'credentials.ims_client_secret': expect.anything() },
    })
    const plain = { shop: 'bikes.example', settings: {} }
    await expect(proveCredentials(openStand(magento, makeStand()), magento, plain, {})).rejects.toMatchObject({
      errors: { 'credentials.access_token': expect.anything() },
    })
  })

  test('that asks to come back later is not asked sooner', async () => {
    const stand = makeStand({ keys: 'service' })
    const busy = (): RemoteAnswer => ({ status: 429, headers: { 'retry-after': '9' }, body: { message: 'Too many.' } })
    const { shop } = openStand(magento, stand, busy)
    await expect(magento.orders?.list(shop, query)).rejects.toMatchObject({ retryAfterSeconds: 9 })
  })

  test.skipIf(!hasSpecifications)(
    `says nothing that its specification does not know (else: ${noSpecifications})`,
    async () => {
      const stand = makeStand({ keys: 'service' })
      const checks = stand.specifications.map(checkerOf)
      const problems: string[] = []
      const watched = {
        ...stand,
        async answer(call: Parameters<typeof stand.answer>[0]) {
          const answer = await stand.answer(call)
          for (const check of checks) problems.push(...(check(call, answer) ?? ['the specification is not about it']))
          return answer
        },
      }
      const { shop } = openStand(magento, watched)
      const [sent, gone] = [stand.openOrder(), stand.openOrder()]
      await magento.auth.prove(shop)
      expect((await magento.orders?.list(shop, query))?.items).toHaveLength(20)
      expect((await magento.products?.list(shop, query))?.items.length).toBeGreaterThan(0)
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
