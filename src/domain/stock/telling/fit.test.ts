import { describe, expect, test } from 'vitest'
import { quantityToSend } from './fit.ts'

const belief = { wanted: 5, was: 8, unsure: false, believes: false }

describe('what is sent to a shop', () => {
  test('is what it should show, where it shows what was believed, or nobody knows', () => {
    expect(quantityToSend(belief, 8)).toBe(5)
    expect(quantityToSend(belief, null)).toBe(5)
    expect(quantityToSend({ ...belief, was: null }, 3)).toBe(5)
  })

  test('leaves off what the shop shows less, and never asks for less than none', () => {
    expect(quantityToSend(belief, 6)).toBe(3)
    expect(quantityToSend(belief, 0)).toBe(0)
    expect(quantityToSend({ ...belief, unsure: true }, 6)).toBe(3)
  })

  test('keeps what the shop shows more only where its hands are believed, and it was certain what it showed', () => {
    expect(quantityToSend(belief, 10)).toBe(5)
    expect(quantityToSend({ ...belief, believes: true }, 10)).toBe(7)
    expect(quantityToSend({ ...belief, believes: true, unsure: true }, 10)).toBe(5)
  })
})
