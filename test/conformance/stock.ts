import { expect, onTestFinished } from 'vitest'
import { actionsOf } from '../../src/commerce/action.ts'
import type { Connector } from '../../src/commerce/connector.ts'
import type { InventoryLevel, InventorySetting } from '../../src/commerce/inventory.ts'
import { anyLevel, type ConformanceShop } from '../support/conformance-shops.ts'
import { readAll } from './reads.ts'
import { doublesIn, type Tried } from './tried.ts'

/** Stock that we set, by SKU or variant, blindly or from what is expected. */
export function stockIsSet({ connector, at, writing }: Tried): void {
  writing('stock is set and read back', async () => {
    const { shop, stand } = at()
    const { inventory } = connector
    const level = await anyLevel(connector, shop)
    if (!inventory?.set || !level) return expect(actionsOf(connector)).not.toContain('set_inventory')
    putBack(connector, stand, level)
    const items = [
      { sku: level.sku, quantity: 7777, location: level.location_remote_id },
      { sku: 'no such sku', quantity: 1, location: level.location_remote_id },
    ]
    for (const _ of [1, 2]) {
      const results = await inventory.set.send(shop, items, { id: 'conformance-stock' })
      expect(results.map(({ ok, error }) => [ok, error === null])).toEqual([
        [true, true],
        [false, false],
      ])
    }
    const now = (await readAll(inventory, shop, {})).map((raw) => inventory.translate(raw, shop))
    const same = now.find((one) => one.sku === level.sku && one.location_remote_id === level.location_remote_id)
    expect(same?.available).toBe(7777)
    expect(doublesIn(stand)).toEqual([])
  })

  writing(
    'levels are read as they are now, and changed only from what is expected where the platform compares',
    async () => {
      const { shop, stand } = at()
      const { inventory } = connector
      const level = await anyLevel(connector, shop)
      if (!inventory?.set || !level) return expect(inventory?.levelsNow ?? null).toBeNull()
      putBack(connector, stand, level)
      const { sku, location_remote_id: location } = level
      const now = async () => {
        const raw = await inventory.levelsNow?.(shop, [{ sku, location }])
        const levels = raw?.map((one) => inventory.translate(one, shop)) ?? []
        return levels.find((one) => one.sku === sku && one.location_remote_id === location)?.available ?? null
      }
      const set = async (setting: { quantity: number; expected?: number }) =>
        (
          await inventory.set?.send(shop, [{ sku, location, ...setting }], { id: `conformance ${setting.quantity}` })
        )?.[0]
      expect((await set({ quantity: 5550 }))?.ok).toBe(true)
      if (inventory.levelsNow) expect(await now()).toBe(5550)
      if (!inventory.compares) return
      expect(await set({ quantity: 5552, expected: 5551 })).toMatchObject({ ok: false, found: 5550 })
      expect(await now()).toBe(5550)
      expect(await set({ quantity: 5552, expected: 5550 })).toMatchObject({ ok: true, error: null })
      expect(await now()).toBe(5552)
    },
  )

  writing('stock is set by the id of the variant as well', async () => {
    const { shop, stand } = at()
    const { inventory } = connector
    const level = await anyLevel(connector, shop)
    const id = level?.variant_remote_id
    if (!inventory?.set || !level || id == null) return expect(level?.variant_remote_id ?? null).toBeNull()
    putBack(connector, stand, level)
    const named = { variant_remote_id: id, quantity: 7776, location: level.location_remote_id }
    const set = async (setting: InventorySetting) =>
      (await inventory.set?.send(shop, [setting], { id: 'conformance-variant' }))?.[0]
    const first = await set(named)
    // Ids of products and of variants may be the same numbers.
    const result = first?.error?.endsWith('name the SKU as well.') ? await set({ ...named, sku: level.sku }) : first
    if (result?.ok === false) return expect(result.error).toBe('This service knows articles by their SKU.')
    const now = (await readAll(inventory, shop, {})).map((raw) => inventory.translate(raw, shop))
    const same = now.find((one) => one.sku === level.sku && one.location_remote_id === level.location_remote_id)
    expect([result?.variant_remote_id, same?.available]).toEqual([id, 7776])
  })
}

/** A store that goes on has what it had, when the test is over; an imitation is over as well. */
function putBack(
  { inventory }: Connector,
  { shop, simulator }: ConformanceShop,
  { sku, available, location_remote_id: location }: InventoryLevel,
) {
  if (simulator || available < 0) return
  const before = [{ sku, quantity: available, location }]
  onTestFinished(async () => void (await inventory?.set?.send(shop, before, { id: 'conformance-stock-back' })))
}
