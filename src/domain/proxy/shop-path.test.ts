import { describe, expect, test } from 'vitest'
import { isAllowedPath, readShopPath } from './shop-path.ts'

describe('the path of a proxied request', () => {
  test.each([
    ['/orders', '/orders', {}],
    ['orders', '/orders', {}],
    ['/', '/', {}],
    ['', '/', {}],
    ['/orders/5.json', '/orders/5.json', {}],
    ['/orders/a.b-c_d~e', '/orders/a.b-c_d~e', {}],
    ['/orders/5;v=1', '/orders/5;v=1', {}],
    ['/gid:5', '/gid:5', {}],
    ["/it's(5),!$*+", "/it's(5),!$*+", {}],
    ['/orders/%41', '/orders/%41', {}],
    ['/orders/100%25', '/orders/100%25', {}],
    ['/orders/100%254', '/orders/100%254', {}],
    ['/orders/a.', '/orders/a.', {}],
    ['/.well-known', '/.well-known', {}],
    ['/orders?limit=5', '/orders', { limit: '5' }],
    ['/orders?', '/orders', {}],
    ['/orders?since=2026-11-15T12:00:00%2B01:00&q=a+b', '/orders', { since: '2026-11-15T12:00:00+01:00', q: 'a b' }],
    ['/orders?a=b?c', '/orders', { a: 'b?c' }],
    ['/orders?ids[]=5&path=/a/b', '/orders', { 'ids[]': '5', path: '/a/b' }],
    ['/orders?ids[]=5&ids[]=6&limit=2', '/orders', { 'ids[]': ['5', '6'], limit: '2' }],
    ['/orders?q=%2e%2e%2f', '/orders', { q: '../' }],
  ])('%j is read', (text, path, query) => {
    expect(readShopPath(text)).toEqual({ path, query })
  })

  test.each([
    ['another host', '//evil.example/orders'],
    ['another host, spelt otherwise', '/%2fevil.example'],
    ['another host further on', '/orders//evil.example'],
    ['a whole address', 'https://evil.example/orders'],
    ['a scheme', 'x:/y'],
    ['a scheme, spelt otherwise', '/https%3a/evil.example'],
    ['somebody else’s name', 'ada@evil.example'],
    ['somebody else’s name, spelt otherwise', '/a%40evil.example'],
    ['a folder above', '/orders/../users'],
    ['a folder above at the end', '/orders/..'],
    ['a folder above, spelt otherwise', '/orders/%2e%2e/users'],
    ['a folder above, half of it spelt otherwise', '/orders/.%2e/users'],
    ['a folder above, spelt otherwise twice', '/orders/%252e%252e/users'],
    ['a sign spelt otherwise twice', '/orders/%252F'],
    ['a folder above with a parameter', '/orders/..;/users'],
    ['a folder above in a longer name', '/orders/a..b'],
    ['the same folder', '/orders/./5'],
    ['the same folder with a parameter', '/orders/.;v/5'],
    ['a backslash', '/orders\\..\\users'],
    ['a backslash, spelt otherwise', '/orders/%5c'],
    ['a fragment', '/orders#5'],
    ['a fragment, spelt otherwise', '/orders%23'],
    ['a question mark, spelt otherwise', '/orders%3fa=b'],
    ['a blank', '/orders /5'],
    ['a blank, spelt otherwise', '/orders%205'],
    ['a line break', '/orders\n'],
    ['a line break, spelt otherwise', '/orders%0d%0aHost:evil'],
    ['the end of a text', '/orders%00'],
    ['a letter beyond ASCII', '/örders'],
    ['a letter beyond ASCII further on', '/ö/orders'],
    ['a letter beyond ASCII, spelt otherwise', '/%c3%b6rders'],
    ['half a sign', '/orders/%4'],
    ['half a letter', '/orders/%c3'],
    ['a query with a blank', '/orders?a=b c'],
    ['a query with a line break', '/orders?a=b\n'],
    ['a query with a fragment', '/orders?a=b#c'],
    ['a query with markup', '/orders?a=<b>'],
    ['a query that begins with something else', '/orders?"a=b'],
  ])('is refused where it could mean %s: %j', (_, text) => {
    expect(readShopPath(text)).toBeNull()
  })

  test.each([
    ['/orders', true],
    ['/orders/5', true],
    ['/orders/', true],
    ['/stock/levels', true],
    ['/ordersx', false],
    ['/x/orders', false],
    ['/stock', false],
    ['/', false],
  ])('%s lies below what the connector allows: %s', (path, allowed) => {
    const rules = { prefixes: ['/orders', '/stock/levels'], resources: {} }
    expect(isAllowedPath(rules, path)).toBe(allowed)
    expect(isAllowedPath(undefined, path)).toBe(false)
  })
})
