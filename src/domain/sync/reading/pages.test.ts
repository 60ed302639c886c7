import { describe, expect, test } from 'vitest'
import { asPiece, currentPiece } from '../../../lib/turns/piece-of-work.ts'
import type { FetchedPage } from './fetch-page.ts'
import { pagesFrom } from './pages.ts'

const raws = Array.from({ length: 250 }, (_, id) => ({ id }))
const page: FetchedPage = { raws, seen: ['a'], next: '2', total: 300, count: { read: 250 } }

/** All that is taken from a first page, and what of the shop was asked for until then. */
const takeAll = (isHeavy: boolean) =>
  asPiece(async () => {
    const piece = currentPiece()
    if (piece) piece.isHeavy = isHeavy
    const asked: string[] = []
    const last: FetchedPage = { raws: [], seen: [], next: null, total: 300, count: { read: 0 } }
    const read = async (next: string) => {
      asked.push(next)
      return last
    }
    const pages = pagesFrom(Promise.resolve(page), read, { pages: 10 })
    const taken: FetchedPage[] = []
    while (pages.coming) taken.push(await pages.take())
    return { taken, asked }
  })

describe('a page', () => {
  test('comes whole, and the next is asked for meanwhile', async () => {
    const { taken, asked } = await takeAll(false)
    expect([taken[0], taken.length, asked]).toEqual([page, 2, ['2']])
  })

  test('that is large comes in parts, and says with the last what it says as a whole; nothing is asked for ahead', async () => {
    const { taken, asked } = await takeAll(true)
    expect(taken.map((part) => [part.raws.length, part.isPart ?? false])).toEqual([
      [100, true],
      [100, true],
      [50, false],
    ])
    expect(taken.flatMap((part) => part.raws)).toEqual(raws)
    expect(taken.at(-1)).toEqual({ ...page, raws: raws.slice(200) })
    expect(asked).toEqual([])
  })
})
