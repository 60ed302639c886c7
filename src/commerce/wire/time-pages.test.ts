import { describe, expect, test } from 'vitest'
import type { Fields } from '../reading.ts'
import { listByTime, type Span } from './time-pages.ts'

interface Row extends Fields {
  id: number
  at: string
}

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`

/** A platform that pages by number, or, where `keyed`, by the last id. */
const listOf = (rows: Row[], { keyed = false, withTotal = true } = {}) => ({
  size: 3,
  idOf: (row: Fields) => String(row['id']),
  timeOf: (row: Fields) => String(row['at']),
  ask: async ({ from, until, page, after }: Span) => {
    const all = rows
      .filter((row) => (from === null || row.at >= from) && (until === null || row.at < until))
      .filter((row) => !keyed || after === null || row.id > Number(after))
      .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id - b.id))
    const start = keyed ? 0 : (page - 1) * 3
    return { rows: all.slice(start, start + 3), total: withTotal ? all.length : null }
  },
})

async function readAll(list: ReturnType<typeof listOf>, between: (page: number) => void = () => {}) {
  const ids: number[] = []
  let cursor: string | null = null
  for (let page = 1; page < 50; page++) {
    const read: Awaited<ReturnType<typeof listByTime>> = await listByTime(list, { updatedSince: null, cursor })
    ids.push(...read.items.map((row) => (row as Row).id))
    cursor = read.next
    if (cursor === null) return ids
    between(page)
  }
  throw new Error('The list has no end.')
}

describe('pages by time', () => {
  test('bring each record once, in the order of their changes', async () => {
    const rows = [1, 2, 2, 2, 3, 4, 4, 5, 9, 9].map((second, n) => ({ id: n + 1, at: at(second) }))
    expect(await readAll(listOf(rows))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test.each([{ keyed: false }, { keyed: true, withTotal: false }])(
    'bring a second with more than a page as a whole (%o)',
    async (manner) => {
      const rows = [1, ...Array.from({ length: 8 }, () => 2), 3].map((second, n) => ({ id: n + 1, at: at(second) }))
      const ids = await readAll(listOf(rows, manner))
      expect([...new Set(ids)].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    },
  )

  test.each([{ keyed: false }, { keyed: true, withTotal: false }])(
    'miss nothing when a record moves to the end while they are read (%o)',
    async (manner) => {
      const rows = Array.from({ length: 12 }, (_, n) => ({ id: n + 1, at: at(n < 8 ? 5 : n) }))
      const ids = await readAll(listOf(rows, manner), (page) => {
        const row = rows[page - 1]
        if (page < 4 && row) row.at = at(50 + page)
      })
      expect([...new Set(ids)].sort((a, b) => a - b)).toEqual(rows.map(({ id }) => id))
    },
  )

  test('from the beginning of time are asked for without one', async () => {
    const list = {
      ...listOf([{ id: 1, at: at(1) }]),
      ask: async ({ from }: Span) => ({ rows: [{ from }], total: null }),
    }
    const [asked] = (await listByTime(list, { updatedSince: '1970-01-01T00:00:00.000000Z', cursor: null })).items
    expect(asked).toEqual({ from: null })
  })

  test('a cursor that somebody made up begins anew', async () => {
    const list = listOf([{ id: 1, at: at(1) }])
    for (const cursor of ['', 'w|x|1', 'f|never|1', '{}']) {
      expect((await listByTime(list, { updatedSince: null, cursor })).items).toHaveLength(1)
    }
  })
})
