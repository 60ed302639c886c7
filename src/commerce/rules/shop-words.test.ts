import { expect, test } from 'vitest'
import { said } from '../../../test/support/said.ts'
import { shopWords, withShopWords } from './shop-words.ts'

test.each([
  [{ code: 'x', message: 'Consumer key is invalid.' }, 'Consumer key is invalid.'],
  [{ errors: [{ code: 22, message: 'The webservice is disabled.' }] }, 'The webservice is disabled.'],
  ['<errors><error><message><![CDATA[Off.]]></message></error></errors>', 'Off.'],
  ['<html><head><title>Maintenance</title></head><body>Briefly unavailable.</body></html>', 'Maintenance'],
  ['<b>Briefly</b>\u0000\u001b\n\tunavailable.', 'Briefly unavailable.'],
  ['<html><head><title lang="en">Maintenance</title></head></html>', 'Maintenance'],
  ['<message>Off.</message>', 'Off.'],
  ['Closed<script>let a = 1\n</script>for today', 'Closed for today'],
  ['Closed<br>for today', 'Closed for today'],
  [{ error: 'invalid_client' }, 'invalid_client'],
  [{ errors: ['No.', { message: 'Not that one.' }] }, 'Not that one.'],
  [{ errors: 'No.', message: 'Not that one.' }, 'Not that one.'],
])('the words of %j', (body, words) => {
  expect(shopWords(body)).toBe(words)
})

test('nothing said is nothing told', () => {
  for (const body of [null, '', '  ', {}, [], 7]) expect(withShopWords(said('Closed.'), body).text).toBe('Closed.')
  expect(withShopWords(said('Closed.'), { message: 'Away.' }).text).toBe('Closed. The shop says: "Away."')
})

test('they are no longer than a sentence or two', () => {
  expect(shopWords('x'.repeat(5000))).toHaveLength(200)
  expect(shopWords('x'.repeat(200))).toBe('x'.repeat(200))
  expect(shopWords('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`)
})
