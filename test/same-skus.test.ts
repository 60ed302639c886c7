import { describe, expect, test } from 'vitest'
import { connectors } from '../src/connectors/index.ts'
import { describedConnectors, twinShopOf } from './support/conformance-shops.ts'

/** Two articles of a shop with one SKU, on every connector whose platform lets that happen: nobody guesses which is meant. */

const tried = [...connectors.values(), ...describedConnectors].map((connector) => ({ type: connector.type, connector }))

describe.each(tried)('the connector $type', ({ connector }) => {
  test('sets no article by a SKU that two have, names them, and sets the one that is named by its id', async () => {
    const opened = await twinShopOf(connector)
    if (typeof opened === 'string') return expect(opened).not.toBe('')
    const { shop, simulator } = opened
    const all = simulator.truthOfInventory()
    const { sku = '', location_remote_id: location = null } =
      all.find((one) =>
        all.some(({ sku, variant_remote_id: id }) => sku === one.sku && id !== one.variant_remote_id),
      ) ?? {}
    const named = [...new Set(all.filter((one) => one.sku === sku).map(({ variant_remote_id: id }) => id))]
    expect(named).toHaveLength(2)
    const effects = () => simulator.ledger().flatMap((entry) => (entry.kind === 'effect' ? [entry.operation] : []))
    const set = async (which: object) =>
      await connector.inventory?.set?.send(shop, [{ quantity: 4242, location, ...which }], {
        id: JSON.stringify(which),
      })

    const [refused] = (await set({ sku })) ?? []
    expect(refused).toMatchObject({
      sku,
      ok: false,
      error: expect.stringContaining('Several articles of the shop have this SKU'),
    })
    for (const id of named) expect(refused?.error).toContain(id)
    expect(effects()).toEqual([])

    const [, wanted = ''] = named
    expect(await set({ sku, variant_remote_id: wanted })).toMatchObject([{ ok: true, error: null }])
    // By their order: on Etsy an article that is changed has another id afterwards.
    const twins = simulator.truthOfInventory().filter((one) => one.sku === sku && one.location_remote_id === location)
    expect(twins.map(({ available }) => available === 4242)).toEqual([false, true])
    expect(effects()).toHaveLength(1)
  })
})
