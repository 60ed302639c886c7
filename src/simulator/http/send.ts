import type { ServerResponse } from 'node:http'
import { hugeBytes } from '../hostile.ts'
import type { Weather } from '../weather.ts'
import type { Answer } from './route.ts'

export type Manner = 'plain' | 'slow_body' | 'truncated_body' | 'huge_body'

/** Writes the answer, well or badly. Resolves when all is out. */
export async function send(response: ServerResponse, answer: Answer, manner: Manner, weather: Weather): Promise<void> {
  const { status, headers = {}, body } = answer
  if (manner === 'huge_body') return await pour(response, answer)
  const bytes = bytesOf(body)
  response.writeHead(status, headersOf({ status, headers, body }, bytes))
  if (manner === 'truncated_body') {
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy())
    return
  }
  if (manner === 'slow_body') await drip(response, bytes, weather.slow_ms)
  else response.end(bytes)
}

export const headersOf = ({ headers = {}, body }: Answer, bytes: Buffer): Record<string, string> => ({
  ...(body === undefined
    ? {}
    : { 'content-type': typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8' }),
  'content-length': String(bytes.length),
  ...headers,
})

export function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body))
}

/** JSON that is sound and never seems to end, without a length to warn of it. */
async function pour(response: ServerResponse, { status, headers = {} }: Answer): Promise<void> {
  const piece = Buffer.alloc(65_536, 'x')
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.write('{"padding":"')
  for (let sent = 0; sent < hugeBytes && !response.destroyed; sent += piece.length) {
    if (!response.write(piece)) await new Promise<void>((go) => release(response, go))
  }
  response.end('"}')
}

/** Goes on when there is room again, or nobody left to make room. */
function release(response: ServerResponse, go: () => void): void {
  const done = () => {
    response.off('drain', done).off('close', done)
    go()
  }
  response.on('drain', done).on('close', done)
}

async function drip(response: ServerResponse, bytes: Buffer, milliseconds: number): Promise<void> {
  const steps = 20
  const size = Math.max(1, Math.ceil(bytes.length / steps))
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    response.write(bytes.subarray(at, at + size))
    await pause(milliseconds / steps)
  }
  response.end()
}

/** Does not keep the process alive: a shop that is closed stops in the middle of a word. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
