import { expect, test } from 'vitest'
import { carrierCodeOf } from './carriers.ts'

test.each([
  ['UPS', 'UPS'],
  ['ups', 'UPS'],
  ['Fedex', 'FedEx'],
  ['Royal Mail', 'RoyalMail'],
  ['Deutsche Post', 'DeutschePost'],
  ['DHL Paket', 'DHL'],
  ['DHL Express', 'DHLEXPRESS'],
  ['Österreichische Post', 'OsterreichischePostAG'],
  ['Evri', 'Hermes'],
  ['La Poste', 'LAPOSTE'],
  ['4PX', 'FourPX'],
  ['Our own van', 'Other'],
  ['', 'Other'],
])('the carrier %s is told as %s', (typed, code) => {
  expect(carrierCodeOf(typed)).toBe(code)
})
