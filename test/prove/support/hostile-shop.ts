import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerCall } from '../../../src/simulator/answer-call.ts'
import { readCall } from '../../../src/simulator/http/call.ts'
import { bytesOf, headersOf } from '../../../src/simulator/http/send.ts'
import { openShopOn } from '../../../src/simulator/simulator.ts'
import { hostileAnswers, type Manner } from './hostile-answers.ts'

/** A simulated shop that answers in the manner it was last told to (`POST /_manner`), as a process of its own. */

const { platform: name, port, orders, seed } = JSON.parse(process.argv[2] ?? '{}')
const server = createServer((request, response) => {
  respond(request, response).catch(() => response.destroy())
})
server.listen(port, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
if (address === null || typeof address === 'string') throw new Error('The shop has no port.')
const baseUrl = `http://127.0.0.1:${address.port}`
const { world, platform, simulator } = openShopOn({ platform: name, orders, products: 100, seed }, baseUrl)
const spoilt = hostileAnswers()
let manner: Manner = 'honest'
let calls = 0
process.stdout.write(`${JSON.stringify({ base_url: baseUrl, install: simulator.install })}\n`)

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = await readCall(request)
  if (!call) return void response.writeHead(413).end()
  if (call.path === '/_manner') {
    const { manner: told } = JSON.parse(call.raw.toString())
    manner = told
    return void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  // Whoever lets nobody in does no harm.
  const isKeys = /token|oauth|login|auth/i.test(call.path)
  if (manner === 'tarpit' && !isKeys) return await drip(response)
  const reply = await answerCall(world, platform, call)
  if (!reply) return void response.destroy()
  const bytes = bytesOf(reply.answer.body)
  const worse = isKeys || reply.answer.status >= 300 ? null : spoilt(manner, bytes.toString(), calls++)
  if (!worse) return void response.writeHead(reply.answer.status, headersOf(reply.answer, bytes)).end(bytes)
  const headers = { ...reply.answer.headers, 'content-type': worse.type, 'content-length': worse.bytes.length }
  response.writeHead(200, headers).end(worse.bytes)
}

/** One byte a second, for as long as somebody listens. */
async function drip(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  while (!response.destroyed) {
    response.write(' ')
    await sleep(1000)
  }
}
