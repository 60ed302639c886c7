import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextRound } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { createBareServer } from '../support/bare-server.ts'
import { certificate } from '../support/tls/certificate.ts'

/** What becomes of answers that are still on their way when the server closes. */

const bytes = 64 * 1024 * 1024
const much = { path: '/much', handle: async () => ({ status: 200, body: Buffer.alloc(bytes) }) }
const question = 'GET /much HTTP/1.1\r\nHost: a\r\n\r\n'
const ca = certificate.cert

describe('whoever does not read what is answered holds up no shutdown', () => {
  test.each<[string, boolean, (port: number) => Duplex]>([
    ['over HTTP/1.1', false, (port) => connect(port, '127.0.0.1').pause()],
    ['over TLS', true, (port) => connectTls({ port, host: '127.0.0.1', ca, ALPNProtocols: ['http/1.1'] }).pause()],
    ['over HTTP/2', true, (port) => connectHttp2(`https://127.0.0.1:${port}`, { ca }).request({ ':path': '/much' })],
  ])('%s', async (how, isTls, open) => {
    const server = createBareServer({ tls: isTls ? certificate : null, timeouts: { closeMs: 100 }, pages: [much] })
    const client = open(await server.listen('127.0.0.1', 0)).on('error', () => undefined)
    if (how !== 'over HTTP/2') client.write(question)
    await once(client, how === 'over HTTP/2' ? 'response' : 'readable')
    let isClosed = false
    server.close().then(() => {
      isClosed = true
    })
    await expect.poll(() => isClosed).toBe(true)
    client.destroy()
  })
})

test('an answer that is being read when the server closes arrives whole', async () => {
  const server = createBareServer({ pages: [much] })
  const client = connect(await server.listen('127.0.0.1', 0), '127.0.0.1').pause()
  client.on('error', () => undefined).write(question)
  await once(client, 'readable')
  const closed = server.close()
  await nextRound()
  let read = 0
  client.on('data', (part) => {
    read += part.length
  })
  await once(client.resume(), 'close')
  await closed
  expect(read).toBeGreaterThan(bytes)
})
