import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seedFor } from '../../../test/support/chance.ts'
import { destination, isAllowed, isHostEntry, isPublicAddress, mayReach } from './public-address.ts'

test.each([
  '93.184.216.34',
  '8.8.8.8',
  '1.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001::5',
  '2001:200::1',
  // Other spellings of 8.8.8.8.
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:10.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::',
  '64:ff9b:1::808:808',
  '100::1',
  '2001::1',
  '2001:0:53aa:64c::1',
  '2001:10::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '3fff::1',
  '3fff:fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%lo',
  '2606:4700::1111%eth0',
  'fec0::1',
  'ff02::1',
  'not an address',
  '',
  '127.1',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test('a private address stays private however it is wrapped or written', () => {
  const heads = ['10', '127', '192.168', '169.254', '172.16', '100.64', '0']
  const address = fc
    .tuple(fc.constantFrom(...heads), fc.array(fc.nat(255), { minLength: 3, maxLength: 3 }))
    .map(([head, rest]) => [...head.split('.').map(Number), ...rest].slice(0, 4))
  fc.assert(
    fc.property(address, (bytes) => {
      const [a = 0, b = 0, c = 0, d = 0] = bytes
      const number = ((a * 256 + b) * 256 + c) * 256 + d
      const hex = number.toString(16).padStart(8, '0')
      const words = `${hex.slice(0, 4)}:${hex.slice(4)}`
      const hosts = [
        `${number}`,
        `0x${hex}`,
        `0${number.toString(8)}`,
        bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
        bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
        `${a}.${(b * 256 + c) * 256 + d}`,
        `${a}.${b}.${c * 256 + d}.`,
        `[::ffff:${words}]`,
        `[::${words}]`,
        `[64:ff9b::${words}]`,
        `[64:ff9b:1::${words}]`,
        `[2002:${words}::1]`,
        `[::ffff:${bytes.join('.')}]`,
      ]
      for (const host of hosts) expect([host, mayReach(`https://${host}/`, [])]).toEqual([host, false])
    }),
    { numRuns: 300, seed: seedFor('public-address') },
  )
})

test.each([
  'https://hooks.example.com/in',
  'https://hooks.example.com./in',
  'https://HOOKS.Example.com/in',
  'https://bücher.example/in',
  'https://93.184.216.34/in',
  'https://[2606:4700::1111]:8443/in',
  'https://hooks.example.com:443/in?a=b#c',
])('%s may be reached', (url) => {
  expect(mayReach(url, [])).toBe(true)
})

test.each([
  'http://hooks.example.com/in',
  'ftp://hooks.example.com/in',
  'file:///etc/passwd',
  'data:text/plain,hello',
  'gopher://hooks.example.com/',
  'unix:/run/docker.sock',
  'https://user:secret@hooks.example.com/in',
  'https://user@hooks.example.com/in',
  'https://localhost/in',
  'https://LOCALHOST./in',
  'https://a.localhost/in',
  'https://printer.local/in',
  'https://metadata.google.internal/in',
  'https://intranet/in',
  'https://127.0.0.1/in',
  'https://0x7f.1/in',
  'https://2130706433/in',
  'https://１２７。0。0。1/in',
  'https://ⓛocalhost/in',
  'https://[::1]/in',
  'https://[::ffff:10.0.0.1]/in',
  'https://[fe80::1%25eth0]/in',
  'https://169.254.169.254/latest/meta-data',
  'https://hooks.example.com:22/in',
  'https://hooks.example.com:80/in',
  'https://hooks.example.com:0/in',
  'https://hooks.example.com:70000/in',
  'https://hooks..example.com/in',
  'https://hooks.example.com../in',
  'https://hooks.example.com\\@localhost/in',
  'https://hooks.exam\nple.com/in',
  ' https://hooks.example.com/in',
  'https://hooks.example.com/a b',
  'https://hooks.example.com/\0',
  `https://hooks.example.com/${'a'.repeat(9000)}`,
  `https://${'a.'.repeat(130)}com/`,
  '//hooks.example.com/in',
  'nonsense',
  '',
])('%j may not be reached', (url) => {
  expect(mayReach(url, [])).toBe(false)
})

test('a host on the list may be reached, without TLS and on any port too', () => {
  expect(mayReach('http://127.0.0.1:4000/in', ['127.0.0.1:4000'])).toBe(true)
  expect(mayReach('http://127.0.0.1:4001/in', ['127.0.0.1:4000'])).toBe(false)
  expect(mayReach('https://intranet/in', ['intranet'])).toBe(true)
  expect(mayReach('http://Intranet.:25/in', ['INTRANET'])).toBe(true)
  expect(mayReach('http://[::1]:4000/in', ['::1'])).toBe(true)
  expect(mayReach('http://[::1]:4000/in', ['[::1]:4000'])).toBe(true)
  expect(mayReach('http://intranet/in', ['intranet:80'])).toBe(true)
  expect(mayReach('ftp://intranet/in', ['intranet'])).toBe(false)
  expect(mayReach('http://user@intranet/in', ['intranet'])).toBe(false)
  expect(mayReach('http://other.intranet/in', ['intranet'])).toBe(false)
})

test('an entry that is no host opens nothing', () => {
  for (const entry of ['', '*', 'http://intranet', 'intranet/path', 'user@intranet', 'a b', 'intranet:99999']) {
    expect([entry, isAllowed('intranet', 80, [entry])]).toEqual([entry, false])
  }
})

test('one place has one spelling', () => {
  expect(destination('https://Shop.Example.com.:443/a#b', [])?.href).toBe('https://shop.example.com/a')
  expect(destination('https://bücher.example/a', [])?.href).toBe('https://xn--bcher-kva.example/a')
})

test.each(['127.0.0.1', '127.0.0.1:4010', '::1', '[::1]', '[::1]:8080', 'localhost', 'shop.test', 'Shop.Test:8443'])(
  '"%s" can be named as a host',
  (entry) => {
    expect(isHostEntry(entry)).toBe(true)
  },
)

test.each([
  '',
  'http://a',
  'a/b',
  '10.0.0.0/8',
  '*.shop.test',
  'a:0',
  'a:99999',
  'a b',
  'me@a',
  '1.2.3',
  '::1:x',
  'a?b',
])('"%s" can not', (entry) => {
  expect(isHostEntry(entry)).toBe(false)
})
