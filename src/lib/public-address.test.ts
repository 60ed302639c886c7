import { expect, test } from 'vitest'
import { isPublicAddress, mayReach } from './public-address.ts'

test.each(['93.184.216.34', '8.8.8.8', '2606:4700::1111', '2a00:1450:4001::5'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '224.0.0.1',
  '::',
  '::1',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:53aa:64c::1',
  '2001:db8::1',
  'not an address',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['https://hooks.example.com/in', 'https://93.184.216.34/in', 'https://[2606:4700::1111]:8443/in'])(
  '%s may be reached',
  (url) => {
    expect(mayReach(url, [])).toBe(true)
  },
)

test.each([
  'http://hooks.example.com/in',
  'ftp://hooks.example.com/in',
  'https://user:secret@hooks.example.com/in',
  'https://localhost/in',
  'https://LOCALHOST./in',
  'https://printer.local/in',
  'https://metadata.google.internal/in',
  'https://intranet/in',
  'https://127.0.0.1/in',
  'https://0x7f.1/in',
  'https://2130706433/in',
  'https://[::1]/in',
  'https://[::ffff:10.0.0.1]/in',
  'https://169.254.169.254/latest/meta-data',
  'nonsense',
])('%s may not be reached', (url) => {
  expect(mayReach(url, [])).toBe(false)
})

test('a host on the list may be reached, without TLS too', () => {
  expect(mayReach('http://127.0.0.1:4000/in', ['127.0.0.1:4000'])).toBe(true)
  expect(mayReach('http://127.0.0.1:4001/in', ['127.0.0.1:4000'])).toBe(false)
  expect(mayReach('https://intranet/in', ['intranet'])).toBe(true)
})
