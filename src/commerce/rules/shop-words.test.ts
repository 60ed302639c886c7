import { expect, test } from 'vitest'
import { shopWords, withShopWords } from './shop-words.ts'

test.each([
  [{ code: 'x', message: 'Consumer key is invalid.' }, 'Consumer key is invalid.'],
  [{ errors: [{ code: 22, message: 'The webservice is disabled.' }] }, 'The webservice is disabled.'],
  ['<errors><error><message><![CDATA[Off.]]></message></error></errors>', 'Off.'],
  ['<html><head><title>Maintenance</title></head><body>Briefly unavailable.</body></html>', 'Maintenance'],
  ['<b>Briefly</b>\u0000\u001b\n\tunavailable.', 'Briefly unavailable.'],
])('the words of %j', (body, words) => {
  expect(shopWords(body)).toBe(words)
})

test('nothing said is nothing told', () => {
  for (const body of [null, '', '  ', {}, [], 7]) expect(withShopWords('Closed.', body)).toBe('Closed.')
  expect(withShopWords('Closed.', { message: 'Away.' })).toBe('Closed. The shop says: "Away."')
})

test('they are no longer than a sentence or two', () => {
  expect(shopWords('x'.repeat(5000))).toHaveLength(200)
})
