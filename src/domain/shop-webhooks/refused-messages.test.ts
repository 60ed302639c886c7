import { beforeEach, expect, test } from 'vitest'
import type { Db } from '../../runtime/db/connection.ts'
import { giveBackRefused, noteRefused, takeRefused } from './refused-messages.ts'

let db: Db

beforeEach(() => {
  // Remembered by whose database it is; nothing is asked of it.
  db = {} as Db
})

test('a shop is taken at once, and again after a minute at the earliest while its messages are still refused', () => {
  noteRefused(db, 1)
  expect(takeRefused(db, 0)).toEqual([1])
  noteRefused(db, 1)
  noteRefused(db, 2)
  expect(takeRefused(db, 5_000)).toEqual([2])
  expect(takeRefused(db, 59_999)).toEqual([])
  expect(takeRefused(db, 60_000)).toEqual([1])
  expect(takeRefused(db, 200_000)).toEqual([])
})

test('one that could not be asked does not rest', () => {
  noteRefused(db, 1)
  giveBackRefused(db, takeRefused(db, 0))
  expect(takeRefused(db, 5_000)).toEqual([1])
})
