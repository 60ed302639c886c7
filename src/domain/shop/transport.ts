import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { RemoteAnswer, RemoteRequest, Transport } from '../../commerce/remote.ts'
import { noData, shopAway } from '../../commerce/remote.ts'
import { behindNotices, maxNotices, placeBehindNotices } from '../../commerce/wire/notices.ts'
import { say } from '../../commerce/words/say.ts'
import { giveBack } from '../../lib/foreign/give-back.ts'
import { parseInPieces } from '../../lib/foreign/parse-in-pieces.ts'
import { watchJson } from '../../lib/foreign/watch-json.ts'
import { UnboundedJson } from '../../lib/parse-json.ts'
import { decodeInTurns } from '../../lib/turns/decode-in-turns.ts'
import { asPiece } from '../../lib/turns/piece-of-work.ts'
import type { Egress, EgressAnswer } from '../../runtime/egress/egress-request.ts'
import { createTraffic } from './shares/traffic.ts'

const maxDepth = 64

/**
 * Requests of connectors, over the wire. Every status is an answer here: what 401, 429 and the like mean is for
 * `open-remote.ts`, which asks the connector first. What is no sensible answer at all fails here.
 */
export function createTransport(
  egress: Pick<Egress, 'fetch'>,
  now: () => number = Date.now,
  traffic = createTraffic(),
  /** Called before a large answer is read. */
  makeRoom: () => void = () => undefined,
): Transport {
  const carry = async (
    { url, request, holder = hostOf(url) }: Parameters<Transport>[0],
    atEnd: (release: () => void) => void,
  ): Promise<RemoteAnswer> => {
    const headers = new Map(Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
    if (!headers.has('accept')) headers.set('accept', 'application/json')
    const wantsJson = /\bjson\b/.test(headers.get('accept') ?? '')
    const body = encodeBody(request.body, headers.get('content-type'))
    if (body !== null && !headers.has('content-type')) headers.set('content-type', 'application/json')
    let answer = await egress.fetch({
      url: withQuery(url, request.query),
      method: request.method,
      headers: Object.fromEntries(headers),
      body,
      timeoutMs: (request.timeoutSeconds ?? 30) * 1000,
      ...(request.maxBytes !== undefined && { maxBytes: request.maxBytes }),
      followRedirects: 3,
      onLarge: async () => {
        const letNextIn = await traffic.room(holder)
        atEnd(letNextIn)
        makeRoom()
      },
      watch: (status) => watchAnswer(wantsJson && status < 300),
    })
    if (request.unpack) answer = await unpacked(answer)
    const text = await decodeInTurns(answer.bytes, charsetIn(typeOf(answer)))
    const { length: bytes } = answer.bytes
    // Whoever waits for it to be parsed need not hold it twice.
    giveBack(answer.bytes)
    answer = { ...answer, bytes: nothing }
    return {
      status: answer.status,
      headers: withSeconds(answer.headers, now()),
      body: await readBody(answer, text, wantsJson),
      bytes,
    }
  }
  return (call) =>
    asPiece(async () => {
      const leave = await traffic.enter(call.holder ?? hostOf(call.url))
      const { atEnd, end } = releases()
      atEnd(leave)
      return await carry(call, atEnd).finally(end)
    })
}

/** What is held until something ends; what comes later than that, as for one who had enough of waiting, goes at once. */
function releases() {
  const all: (() => void)[] = []
  let isOver = false
  return {
    atEnd: (release: () => void) => (isOver ? release() : void all.push(release)),
    end: () => {
      isOver = true
      for (const release of all) release()
    },
  }
}

/** Who is asked before anybody is known to be asking. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? ''

/** As large as any other answer may be, and no larger. */
const maxUnpackedBytes = 64 * 1024 * 1024

const unzip = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

async function unpacked(answer: EgressAnswer): Promise<EgressAnswer> {
  if (answer.status >= 300) return answer
  try {
    return { ...answer, bytes: await unzip(answer.bytes, { maxOutputLength: maxUnpackedBytes }) }
  } catch (error) {
    throw shopAway(60, error, say('not_unpacked'))
  }
}

function encodeBody(body: unknown, contentType: string | undefined): string | null {
  if (body === undefined) return null
  return contentType !== undefined && typeof body === 'string' ? body : JSON.stringify(body)
}

/** Joined as text: what stands in the address already stays as it is, for the sake of those who sign it. */
function withQuery(url: string, query: RemoteRequest['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    if (value === null || value === undefined) return []
    const values = typeof value === 'object' ? value : [value]
    return values.map((each) => `${escaped(name)}=${escaped(each)}`)
  })
  if (pairs.length === 0) return url
  return `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`
}

// Half a surrogate pair cannot be sent.
const escaped = (part: string | number | boolean) => encodeURIComponent(String(part).toWellFormed())

/** `Retry-After` may be a date; whoever reads an answer finds seconds. */
function withSeconds(headers: RemoteAnswer['headers'], now: number): RemoteAnswer['headers'] {
  const header = headers['retry-after'] ?? ''
  const until = Date.parse(header)
  if (!Number.isNaN(Number(header)) || Number.isNaN(until)) return headers
  return { ...headers, 'retry-after': String(Math.max(1, Math.ceil((until - now) / 1000))) }
}

const notTaken = (error: UnboundedJson) => shopAway(30, error, say('answer_not_taken', { problem: error.message }))

/** What would not be taken as a whole is not read to its end. */
function watchAnswer(needsJson: boolean): (bytes: Buffer) => void {
  const look = watchJson(maxDepth)
  const lookAtStart = needsJson ? watchForPages() : undefined
  return (bytes) => {
    try {
      lookAtStart?.(bytes)
      look(bytes)
    } catch (error) {
      throw error instanceof UnboundedJson ? notTaken(error) : error
    }
  }
}

/** A document in which no answer begins for as long as there may be notices before it. */
function watchForPages(): (bytes: Buffer) => void {
  let start = ''
  // A character has at most so many bytes.
  const enough = 4 * maxNotices
  return (bytes) => {
    if (start.length >= enough) return
    start += bytes.toString('latin1')
    if (start.length < enough || !start.trimStart().startsWith('<')) return
    // Half a tag is no word of the shop.
    if (placeBehindNotices(start, enough) < 0) throw noPage(start.slice(0, start.lastIndexOf('>') + 1))
  }
}

const noPage = (text: string) => noData(text, new Error('received HTML instead of JSON'))

/** Null if it was empty. A success that is not the JSON that was asked for is a page of something in between. */
async function readBody(answer: EgressAnswer, text: string, wantsJson: boolean): Promise<unknown> {
  const { status } = answer
  const type = typeOf(answer)
  const start = text.trimStart()
  if (start === '') return null
  const saysJson = /^\s*application\/(?:[\w.+-]+\+)?json\b/i.test(type)
  const mayBeJson = saysJson || (wantsJson && /^[[{]/.test(start))
  try {
    if (mayBeJson) return await parseInPieces(text, maxDepth)
  } catch (error) {
    if (error instanceof UnboundedJson) throw notTaken(error)
    const behind = await behindNotices(text)
    if (behind !== undefined) return behind
    if (saysJson && status < 300) throw noData(text, error)
  }
  const isPage = start.startsWith('<') || /html/i.test(type)
  const behind = wantsJson && isPage ? await behindNotices(text) : undefined
  if (behind !== undefined) return behind
  if (wantsJson && status < 300 && isPage) throw noPage(text)
  return text
}

const nothing = Buffer.alloc(0)

const typeOf = ({ headers }: EgressAnswer): string => headers['content-type'] ?? ''

const charsetIn = (contentType: string): string => /;\s*charset="?([\w.:-]+)/i.exec(contentType)?.[1] ?? 'utf-8'
