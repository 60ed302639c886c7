import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { drawLots } from '../../../test/support/chance.ts'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { faultOf } from '../../../test/support/identity.ts'
import { count, makePool } from '../../../test/support/stock-pool.ts'
import { createArticle } from './articles/manage-articles.ts'
import { bookMovements, type MovementWish } from './book-movements.ts'
import { balancesAt, balancesOf, sumOf } from './ledger-store.ts'
import type { Pool } from './stock.ts'

let it: TestContext
let pool: Pool
let cup: number
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())
beforeEach(async () => {
  pool = (await makePool(it.context)).pool
  cup = (await createArticle(it.context, pool, { sku: 'CUP' })).id
})

const book = (...wishes: MovementWish[]) => bookMovements(it.context, pool, { source: 'app:test', wishes })
const standing = async (article = cup) => sumOf(await balancesOf(it.context.db, [article]))
const move = (key: string, kind: MovementWish['kind'], quantity: number, more: Partial<MovementWish> = {}) =>
  ({ key, kind, sku: 'CUP', quantity, ...more }) as const

test('every kind of movement changes what it says', async () => {
  await book(move('1', 'count', 10), move('2', 'purchase', 5), move('3', 'sale', 2), move('4', 'return', 1))
  expect(await standing()).toEqual({ on_hand: 14, reserved: 0, available: 14 })
  await book(move('5', 'correction', -4), move('6', 'reservation', 3), move('7', 'release', 1))
  expect(await standing()).toEqual({ on_hand: 10, reserved: 2, available: 8 })
  await book(move('8', 'transfer', 4, { place: 'Main', to_place: 'Shop' }))
  expect((await balancesOf(it.context.db, [cup])).map(({ on_hand: n }) => n)).toEqual([6, 4])
  await book(move('9', 'count', 1, { place: 'Shop' }))
  expect(await standing()).toEqual({ on_hand: 7, reserved: 2, available: 5 })
})

test('a movement that is told again is booked once', async () => {
  expect((await book(move('1', 'purchase', 5))).booked).toBe(1)
  const again = await book(move('1', 'purchase', 5), move('2', 'purchase', 1))
  expect([again.booked, again.movements.map(({ on_hand: n }) => n)]).toEqual([1, [5, 6]])
  expect((await standing()).on_hand).toBe(6)
})

test('another movement under the same key is refused, and nothing of it is booked', async () => {
  await book(move('1', 'purchase', 5))
  const fault = await faultOf(book(move('2', 'purchase', 1), move('1', 'purchase', 6)))
  expect(fault.errors).toEqual({ 'movements.1.key': ['Another movement has this key already.'] })
  expect((await standing()).on_hand).toBe(5)
})

test.each([
  [move('1', 'sale', -1), 'quantity', 'Only a correction may be negative.'],
  [move('1', 'sale', 1, { sku: 'NONE' }), 'sku', 'No article of the pool has this SKU.'],
  [move('1', 'transfer', 1), 'to_place', 'A transfer goes from one place to another.'],
  [move('1', 'sale', 1, { to_place: 'X' }), 'to_place', 'Only a transfer goes to another place.'],
])('what makes no sense is refused: %j', async (wish, field, message) => {
  expect((await faultOf(book(wish))).errors).toEqual({ [`movements.0.${field}`]: [message] })
})

test('a bundle has no stock of its own', async () => {
  await createArticle(it.context, pool, { sku: 'BOX', parts: [{ sku: 'CUP', quantity: 6 }] })
  const fault = await faultOf(book(move('1', 'count', 1, { sku: 'BOX' })))
  expect(fault.errors?.['movements.0.sku']).toEqual(['A bundle has no stock of its own: book its parts.'])
})

describe('under races', () => {
  test('200 movements at the same time add up exactly, and each is booked once although it is told twice', async () => {
    await count(it.context, pool, { CUP: 1000 })
    const lots = drawLots('stock races')
    const wishes = Array.from({ length: 200 }, (_, n) =>
      move(`race-${n}`, lots.pick(['purchase', 'sale', 'reservation', 'release']), 1 + lots.below(9)),
    )
    const told = lots.shuffled([...wishes, ...wishes])
    const answers = await Promise.all(told.map((wish) => book(wish)))
    expect(answers.reduce((sum, { booked }) => sum + booked, 0)).toBe(200)
    const sum = (kind: string) => wishes.filter((one) => one.kind === kind).reduce((all, one) => all + one.quantity, 0)
    expect(await standing()).toMatchObject({
      on_hand: 1000 + sum('purchase') - sum('sale'),
      reserved: sum('reservation') - sum('release'),
    })
    await holdsTogether()
  })

  test('transfers back and forth block nobody and lose nothing', async () => {
    await createArticle(it.context, pool, { sku: 'LID' })
    await count(it.context, pool, { CUP: 50, LID: 50 })
    const lots = drawLots('stock transfers')
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => {
        const places = lots.shuffled(['Main', 'A', 'B'])
        const skus = lots.shuffled(['CUP', 'LID'])
        const wishes = skus.map((sku) =>
          move(`${n}-${sku}`, 'transfer', 1 + lots.below(5), { sku, place: places[0], to_place: places[1] }),
        )
        return book(...wishes)
      }),
    )
    expect((await standing()).on_hand).toBe(50)
    await holdsTogether()
  })

  /** The sum of movements is the balance, and each row carries the sum of all before it. */
  async function holdsTogether() {
    const broken = await it.database.query(
      `select * from (
         select on_hand, reserved, sum(on_hand_by) over w as hand, sum(reserved_by) over w as held,
           at < lag(at) over w as backwards
         from stock_movements where pool_id = $1 window w as (partition by article_id, place_id order by id)
       ) m where on_hand <> hand or reserved <> held or backwards
       union all
       select b.on_hand, b.reserved, m.hand, m.held, false from stock_balances b cross join lateral (
         select sum(on_hand_by) as hand, sum(reserved_by) as held from stock_movements m
         where m.article_id = b.article_id and m.place_id = b.place_id
       ) m where b.pool_id = $1 and (b.on_hand <> m.hand or b.reserved <> m.held)`,
      [pool.id],
    )
    expect(broken).toEqual([])
  }
})

test('what was there at any time follows from the movements before it', async () => {
  const lots = drawLots('stock then')
  const expected: { at: string; on_hand: number }[] = []
  let there = 0
  for (let n = 0; n < 30; n++) {
    const by = lots.below(20) - 8
    there += by
    const { movements } = await book(move(String(n), 'correction', by))
    expected.push({ at: movements[0]?.at ?? '', on_hand: there })
  }
  for (const { at, on_hand } of lots.shuffled(expected)) {
    expect(sumOf(await balancesAt(it.context.db, cup, at)).on_hand).toBe(on_hand)
  }
  expect(await balancesAt(it.context.db, cup, '2020-01-01T00:00:00Z')).toEqual([])
})
