import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('hosts that may be reached are taken as they are named', () => {
  expect(readConfig({ EGRESS_ALLOW: ' 127.0.0.1:4010, [::1]:8080 ,shop.test,' }).egressAllow).toEqual([
    ...['127.0.0.1:4010', '[::1]:8080', 'shop.test'],
  ])
})

test.each(['http://127.0.0.1:4010', '127.0.0.1/8', '*.test', '127.0.0.1:x'])(
  '"%s" is no host, and stops the start',
  (entry) => {
    expect(() => readConfig({ EGRESS_ALLOW: `shop.test,${entry}` })).toThrow(`"${entry}" is none.`)
  },
)
