import { type Fields, fieldsOf, maybeFields, maybeText, recordsIn, textIn } from '../../../commerce/reading.ts'
import { shopAway } from '../../../commerce/remote.ts'
import { parseForeignJson } from '../../../lib/parse-json.ts'
import { ask, attempt, type Mutation, type Query } from '../ask.ts'
import type { ShopifyShop } from '../settings.ts'

/**
 * Large shops are read in bulk: the platform works through a question by itself and lays the answer down as a file, one
 * record to a line, what belongs to a record right below it. The file is fetched piece by piece.
 */

const runQuery: Mutation = {
  name: 'bulkOperationRunQuery',
  text: `mutation Bulk($query: String!) {
  bulkOperationRunQuery(query: $query, groupObjects: true) { bulkOperation { id } userErrors { field message code } }
}`,
}

const stateQuery: Query = {
  cost: 1,
  text: 'query BulkState($id: ID!) { bulkOperation(id: $id) { id status url } }',
}

/** Null if the platform does not want to: it has others at work already, as a rule. */
export async function startBulk(shop: ShopifyShop, query: string): Promise<string | null> {
  const payload = await attempt(shop, runQuery, { query })
  const operation = maybeFields(payload, 'bulkOperation')
  return recordsIn(payload, 'userErrors').length > 0 || operation === null ? null : textIn(operation, 'id')
}

export interface BulkChunk {
  /** Each with what belongs to it, in the order of the file. */
  records: readonly { root: Fields; parts: readonly Fields[] }[]
  /** Where the next piece begins; null at the end. */
  next: number | null
}

const retrySeconds = 20
/** Below what counts as a large answer, which leaves most of the time to others; a record that is larger is asked for in larger pieces. */
const minChunkBytes = 448 * 1024
const maxChunkBytes = 16 * minChunkBytes
const growth = 4

/**
 * At most `limit` records from there on. Null if there is no result and never will be. A question that is still worked
 * on is a shop that asks to come back later.
 */
export async function readBulk(
  shop: ShopifyShop,
  { operation, offset }: { operation: string; offset: number },
  limit: number,
): Promise<BulkChunk | null> {
  const reported = maybeFields(await ask(shop, stateQuery, { id: operation }), 'bulkOperation')
  const status = reported && textIn(reported, 'status')
  if (status === 'CREATED' || status === 'RUNNING') throw shopAway(retrySeconds)
  if (reported === null || status !== 'COMPLETED') return null
  const url = maybeText(reported, 'url')
  // Nothing was found, so there is no file.
  if (url === null) return { records: [], next: null }
  for (let size = minChunkBytes; size <= maxChunkBytes; size *= growth) {
    const chunk = await fetchChunk(shop, url, { offset, size })
    if (chunk === null) return null
    const lines = readLines(chunk, limit)
    if (lines === null) return null
    const { records, read } = lines
    if (chunk.last && read === chunk.length) return { records, next: null }
    if (records.length > 0) return { records, next: offset + read }
  }
  return null
}

interface Piece {
  text: string
  length: number
  /** Whether the file ends with it. */
  last: boolean
}

async function fetchChunk(
  { remote }: ShopifyShop,
  url: string,
  { offset, size }: { offset: number; size: number },
): Promise<Piece | null> {
  const { status, headers, body } = await remote.request({
    method: 'GET',
    origin: 'download',
    path: url,
    headers: { accept: 'application/jsonl', range: `bytes=${offset}-${offset + size - 1}` },
    timeoutSeconds: 60,
  })
  if (status === 416) return { text: '', length: 0, last: true }
  if (status !== 200 && status !== 206) return null
  const sent = typeof body === 'string' ? body : ''
  // Who does not know of pieces sends everything.
  const text = status === 200 ? Buffer.from(sent).toString('utf8', offset) : sent
  const [, end, total] = /-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  return { text, length: Buffer.byteLength(text), last: status === 200 || Number(end) + 1 >= Number(total) }
}

/**
 * Whole records, and how many bytes they take: the last one may go on in the next piece, unless there is none. Null for
 * a file that is not in order.
 */
function readLines(
  { text, length, last }: Piece,
  limit: number,
): { records: BulkChunk['records']; read: number } | null {
  const records: { root: Fields; parts: Fields[]; at: number }[] = []
  let at = 0
  for (const line of text.split('\n').slice(0, last ? undefined : -1)) {
    const size = Buffer.byteLength(line) + 1
    if (line !== '') {
      const { __parentId: parent, ...fields } = fieldsOf(parseForeignJson(line, 64))
      const holder = records.at(-1)
      if (parent === undefined) {
        if (records.length === limit) return { records, read: at }
        records.push({ root: fields, parts: [], at })
      } else if (holder?.root['id'] === parent) holder.parts.push(fields)
      else return null
    }
    at += size
  }
  if (last) return { records, read: length }
  const cut = records.pop()
  return { records, read: cut?.at ?? 0 }
}
