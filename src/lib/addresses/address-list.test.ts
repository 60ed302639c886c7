import { expect, test } from 'vitest'
import { addressList } from './address-list.ts'

test('holds addresses, blocks and names, of both families', () => {
  const holds = addressList(['203.0.113.9', '10.1.0.0/16', '2001:db8::/32', 'loopback'])
  for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '10.1.2.3', '2001:db8::7', '127.0.0.5', '::1'])
    expect([address, holds(address)]).toEqual([address, true])
  for (const address of ['203.0.113.10', '10.2.0.1', '2001:db9::1', '192.168.0.1', '', 'nonsense'])
    expect([address, holds(address)]).toEqual([address, false])
})
