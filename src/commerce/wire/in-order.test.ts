import { expect, test } from 'vitest'
import { inOrder } from './in-order.ts'

test.each([
  ['numbers', [{ id: 10 }, { id: 9 }], [{ id: 9 }, { id: 10 }]],
  ['numbers as text', [{ id: '10' }, { id: '9' }], [{ id: '9' }, { id: '10' }]],
  ['names', [{ id: 'b' }, { id: 'a' }], [{ id: 'a' }, { id: 'b' }]],
  [
    'at any depth',
    { lines: [{ id: 1, parts: [{ id: 'y' }, { id: 'x' }] }] },
    { lines: [{ id: 1, parts: [{ id: 'x' }, { id: 'y' }] }] },
  ],
  ['not what has no ids', [{ id: 2 }, { sku: 'A' }, { id: 1 }], [{ id: 2 }, { sku: 'A' }, { id: 1 }]],
  ['nor what people keep themselves', { metadata: [{ id: 2 }, { id: 1 }] }, { metadata: [{ id: 2 }, { id: 1 }] }],
  ['nor anything else', ['b', null, 1, [2, 1]], ['b', null, 1, [2, 1]]],
])('by id: %s', (_, given, expected) => {
  expect(inOrder(given)).toEqual(expected)
})

test('a name that leads elsewhere stays a name', () => {
  const told = inOrder(JSON.parse('{"__proto__":{"admin":true},"a":1}'))
  expect(Object.keys(told as object)).toEqual(['__proto__', 'a'])
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
})
