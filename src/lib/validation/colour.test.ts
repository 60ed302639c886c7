import { expect, test } from 'vitest'
import { contrast, textOn } from './colour.ts'

test('contrast is that of the guidelines', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrast('#4346d3', '#4346d3')).toBe(1)
})

test('on any colour there is text that can be read', () => {
  for (let colour = 0; colour <= 0xffffff; colour += 0x010307) {
    const accent = `#${colour.toString(16).padStart(6, '0')}`
    expect(contrast(accent, textOn(accent)), accent).toBeGreaterThanOrEqual(4.5)
  }
})
