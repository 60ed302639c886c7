import { once } from 'node:events'
import { expect, test } from 'vitest'
import { collect } from '../../../test/support/collect.ts'
import { listenHttp } from '../../../test/support/loopback.ts'
import { asPiece } from '../../lib/turns/piece-of-work.ts'
import { createEgress } from '../../runtime/egress/egress.ts'
import { createLog } from '../../runtime/log.ts'
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

test('while an answer is parsed its bytes are held no longer', async () => {
  const order = JSON.stringify({ id: 1, note: 'x'.repeat(1000), lines: [{ sku: 'a', quantity: 1 }] })
  const text = `{"orders":[${`${order},`.repeat(9000)}${order}]}`
  let read: WeakRef<Buffer> | undefined
  const transport = createTransport({
    async fetch() {
      const bytes = Buffer.from(text)
      read = new WeakRef(bytes)
      return { status: 200, headers: { 'content-type': 'application/json' }, bytes }
    },
  })
  let isReading = true
  let wasLetGo = false
  const answer = transport({ url: 'https://shop.example/orders', request: { method: 'GET', path: '/orders' } })
  const over = answer.finally(() => {
    isReading = false
  })
  while (isReading && !wasLetGo) {
    await collect()
    wasLetGo = isReading && read !== undefined && read.deref() === undefined
  }
  await over
  expect(wasLetGo).toBe(true)
})

const unbounded = /is not taken: JSON (holds more|is nested)/
const noData = /a web page or text instead of data/

test.each([
  ['records by the million', '{"items":[', '{},', unbounded],
  ['lists in lists', '', '[', unbounded],
  ['documents in the place of data', '<?xml version="1.0"?>', '<order id="1"></order>', noData],
])('%s are cut off while they come, and not kept', async (_, start, part, reason) => {
  let sent = 0
  const piece = part.repeat(20_000)
  const shop = await listenHttp(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(start)
    // For as long as somebody listens.
    while (!response.destroyed && sent < 200_000_000) {
      sent += piece.length
      if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')])
    }
    response.end()
  })
  const egress = createEgress({ allow: ['127.0.0.1'], log: createLog('silent') })
  const asked = createTransport(egress)({
    url: `http://127.0.0.1:${shop.port}/orders`,
    request: { method: 'GET', path: '/orders' },
  })
  await expect(asked).rejects.toThrow(reason)
  // What is on its way in the buffers of sockets comes on top.
  expect(sent).toBeLessThan(9_000_000)
  await egress.close()
  await shop.close()
})

test('what stands behind notices, and the page of a refusal, are read to their end however large', async () => {
  const notices = '<br />\n<b>Warning</b>: something is old in <b>/www/shop.php</b><br />\n'.repeat(20)
  const orders = JSON.stringify(Array.from({ length: 900 }, (_, id) => ({ id, note: 'x'.repeat(1000) })))
  const page = `<html>${'<p>Not now.</p>'.repeat(60_000)}</html>`
  const shop = await listenHttp(async ({ url }, response) => {
    if (url === '/refused') response.writeHead(403, { 'content-type': 'text/html' }).end(page)
    else response.writeHead(200, { 'content-type': 'text/html' }).end(notices + orders)
  })
  const egress = createEgress({ allow: ['127.0.0.1'], log: createLog('silent') })
  const ask = (path: string) =>
    createTransport(egress)({ url: `http://127.0.0.1:${shop.port}${path}`, request: { method: 'GET', path } })
  expect((await ask('/orders')).body).toHaveLength(900)
  expect(await ask('/refused')).toMatchObject({ status: 403, body: page })
  await egress.close()
  await shop.close()
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

test('of large answers that are asked for side by side one is read at a time, and nobody waits for one who has left', async () => {
  const read: string[] = []
  const slow = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<never>()
  const transport = createTransport({
    async fetch({ url, onLarge }) {
      const { pathname } = new URL(url)
      // Whoever has no time left does not wait for its turn.
      await (pathname === '/second' ? Promise.race([onLarge?.(), gone.promise]) : onLarge?.())
      read.push(pathname)
      if (pathname === '/first') await slow.promise
      return { status: 200, headers: { 'content-type': 'application/json' }, bytes: Buffer.from('{}') }
    },
  })
  await asPiece(async () => {
    const [first, second, third] = (['/first', '/second', '/third'] as const).map((path) =>
      transport({ url: `https://shop.example${path}`, request: { method: 'GET', path } }),
    )
    await expect.poll(() => read).toEqual(['/first'])
    const left = expect(second).rejects.toThrow('No time left.')
    gone.reject(new Error('No time left.'))
    await left
    expect(read).toEqual(['/first'])
    slow.resolve()
    await Promise.all([first, third])
  })
  expect(read).toEqual(['/first', '/third'])
})
