import { expect, test } from 'vitest'
import { splitUrl } from './request-url.ts'

test.each([
  ['/a/b', '/a/b', ''],
  ['/a?b=c&d', '/a', 'b=c&d'],
  ['/a?', '/a', ''],
  ['/a?b?c', '/a', 'b?c'],
  ['/a#b?c', '/a', ''],
  ['/a?b#c', '/a', 'b'],
  ['/', '/', ''],
  ['http://elsewhere.test/a?b=c', '/a', 'b=c'],
  ['HTTPS://elsewhere.test:8443/a', '/a', ''],
  ['http://elsewhere.test', '/', ''],
  ['//elsewhere.test/a', '//elsewhere.test/a', ''],
  ['*', '*', ''],
])('%j is the path %j and the query %j', (url, path, search) => {
  expect(splitUrl(url)).toEqual({ path, search })
})
