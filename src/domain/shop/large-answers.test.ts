import { expect, test } from 'vitest'
import { createTransport } from './transport.ts'

/** How often others had their turn while an answer was read. */
async function turnsDuring(body: string): Promise<number> {
  const bytes = Buffer.from(body)
  const headers = { 'content-type': 'application/json' }
  const transport = createTransport({ fetch: async () => ({ status: 200, headers, bytes }) })
  let turns = 0
  let isReading = true
  const others = () => {
    turns++
    if (isReading) setImmediate(others)
  }
  setImmediate(others)
  await transport({ url: 'https://shop.example/orders', request: { method: 'GET', path: '/orders' } })
  isReading = false
  return turns
}

test('an answer of ten megabytes keeps nobody waiting until it is parsed', async () => {
  const order = JSON.stringify({ id: 1, note: 'x'.repeat(1000), lines: [{ sku: 'a', quantity: 1 }] })
  expect(await turnsDuring(`{"orders":[${`${order},`.repeat(9000)}${order}]}`)).toBeGreaterThan(3)
})

test('shops of one tenant are asked so many things at once, and those of others meanwhile', async () => {
  const asked: string[] = []
  let answer = () => undefined as unknown
  const slow = new Promise<void>((resolve) => {
    answer = resolve
  })
  const transport = createTransport({
    async fetch({ url }) {
      asked.push(url)
      await slow
      return { status: 200, headers: {}, bytes: Buffer.from('{}') }
    },
  })
  const ask = (holder: string) =>
    transport({ url: `https://${holder}.example/`, request: { method: 'GET', path: '/' }, holder })
  const pits = Array.from({ length: 40 }, () => ask('pit').catch(() => null))
  const other = ask('other')
  await expect.poll(() => asked.includes('https://other.example/')).toBe(true)
  expect(asked.filter((url) => url.includes('pit'))).toHaveLength(16)
  answer()
  await Promise.all([...pits, other])
})
