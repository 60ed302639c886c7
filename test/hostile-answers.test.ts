import { describe, expect, test } from 'vitest'
import { withCeilings } from '../src/domain/shop/ceilings.ts'
import { Fault } from '../src/lib/fault.ts'
import { drawLots } from './support/chance.ts'
import { everyConnector, openSpoiled, pageQuery, readAll, someIds, spoilJson } from './support/spoiled-shops.ts'

/** Shops decide what they answer. Whatever that is, it costs only themselves, and is never taken for a fault of ours. */

const isBounded = (outcome: unknown) => outcome instanceof Fault || (typeof outcome === 'number' && outcome <= 1000)

/** Lists, wherever they stand, with so many records in them. */
function swollen(value: unknown, record: unknown, times: number, depth = 0): unknown {
  if (Array.isArray(value)) return depth > 5 ? value : Array.from({ length: times }, () => record)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, swollen(part, record, times, depth + 1)]),
  )
}

describe.each(everyConnector)('$type', ({ connector }) => {
  test('a page holds no more than a small multiple of what was asked for', async () => {
    const shop = openSpoiled(connector)
    const ids = await someIds(shop)
    for (const record of [{}, 7, []]) {
      shop.spoil.how = spoilJson((body) => JSON.stringify(swollen(body, record, 30_000)))
      const outcomes = await readAll(shop, ids)
      expect(outcomes.length).toBeGreaterThan(1)
      expect(outcomes.filter((outcome) => !isBounded(outcome))).toEqual([])
    }
  })

  test('millions of records are refused before they are parsed', async () => {
    const shop = openSpoiled(connector)
    const many = `{"items":[${'{},'.repeat(1_000_000)}{}]}`
    shop.spoil.how = spoilJson(() => many)
    const outcome = await connector.orders?.list(shop.shop, pageQuery).catch((error: unknown) => error)
    expect(outcome).toMatchObject({ kind: 'upstream_retryable', message: expect.stringContaining('more than 400000') })
  })

  test('a record that is all parts and no sense is quarantined unread', () => {
    const { orders } = withCeilings(connector)
    const raw = { id: 1, lines: Array.from({ length: 60_000 }, () => [1]) }
    expect(() => orders?.translate(raw, { shop: 'shop.example', settings: {} })).toThrow('more than 100000 parts')
  })

  test('answers of any shape are the shop’s fault and never ours', async () => {
    const shop = openSpoiled(connector)
    const ids = await someIds(shop)
    const lots = drawLots(`hostile answers of ${connector.type}`)
    const values: readonly unknown[] = [null, [], {}, 0, -1, 1e308, '', 'x', true, [[]], [null], [{}], { a: [] }, '\0']
    const spoilt = (value: unknown): unknown => {
      if (lots.fraction() < 0.08) return lots.pick(values)
      if (Array.isArray(value)) return value.map(spoilt)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, spoilt(part)]))
    }
    for (let round = 0; round < 12; round++) {
      shop.spoil.how =
        round < values.length / 2
          ? spoilJson(() => JSON.stringify(values[round]))
          : spoilJson((body) => JSON.stringify(spoilt(body)))
      const ours = (await readAll(shop, ids)).filter(
        (outcome) => !(outcome instanceof Fault || typeof outcome === 'number'),
      )
      expect(ours).toEqual([])
    }
  })
})
