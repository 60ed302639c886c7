import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { executeSync } from 'graphql'
import { type Moment, second } from '../../clock.ts'
import { type Answer, answer, type Call } from '../../http/route.ts'
import { type Fields, isFields, textOf } from '../../json.ts'
import { type Asked, connection } from './asked.ts'
import { fieldsIn, type Read, readDocument } from './documents.ts'
import { gid, indexOf } from './ids.ts'
import { done, userError } from './order-mutations.ts'
import type { Parts } from './queries.ts'
import { schema } from './schema.ts'

export const storageHost = 'storage.googleapis.com'

/** A question that the platform works through by itself. What it finds is laid down as a file, packed. */
interface Operation {
  id: number
  /** By the shop's clock: no sooner than that. */
  readyAt: Moment
  list: Int32Array
  read: number
  objects: number
  pieces: { packed: Buffer; start: number; end: number }[]
  failed: boolean
}

const perPiece = 250
const maxRunning = 5
const ends = ['FAILED', 'CANCELED', 'EXPIRED']

export function createBulk({ world, goods, orders }: Parts) {
  const { shop, clock, settings, secretFor } = world
  const operations: Operation[] = []
  const end = ends.find((word) => word === settings.variant['bulk']) ?? 'COMPLETED'

  const sizeOf = ({ pieces }: Operation) => pieces.at(-1)?.end ?? 0
  function statusOf(one: Operation): string {
    if (one.failed) return 'FAILED'
    return one.read < one.list.length || clock.now() < one.readyAt ? 'RUNNING' : end
  }
  const signatureOf = ({ id }: Operation) => secretFor(`bulk ${id}`)

  function view(one: Operation) {
    const isThere = statusOf(one) === 'COMPLETED'
    const query = new URLSearchParams({ Expires: '1893456000', Signature: signatureOf(one) })
    const file = `https://${storageHost}/shopify-bulk-results/bulk-${one.id}.jsonl?${query}`
    // Where nothing was found there is no file.
    const url = isThere && one.objects > 0 ? file : null
    return { id: gid('BulkOperation', one.id), status: statusOf(one), url }
  }

  /** A piece of the file, then the next when others have had their turn. */
  function work(one: Operation, { document }: Read, asked: Asked, grouped: boolean): void {
    const rows = [...one.list.subarray(one.read, one.read + perPiece)]
    const positionOf = () => ({ at: 0, index: 0 })
    const all = <Row, Node>(found: readonly Row[], view: (row: Row) => Node | null) =>
      connection({ rows: found, more: false, positionOf }, view)
    const rootValue = {
      orders: () =>
        all(
          rows.flatMap((index) => shop.book.get(index) ?? []),
          orders.order,
        ),
      products: () => all(rows, goods.productAt),
    }
    const contextValue = { ...asked, whole: true }
    const { data, errors } = executeSync({ schema: schema(), document, rootValue, contextValue })
    one.failed = errors !== undefined
    const lines = Object.values(data ?? {}).flatMap((list) => nodesIn(list).flatMap((node) => linesOf(node, null)))
    const sorted = grouped ? lines : lines.toSorted((a, b) => Number(a.isPart) - Number(b.isPart))
    const bytes = Buffer.from(sorted.map(({ text }) => `${text}\n`).join(''))
    const start = sizeOf(one)
    one.pieces.push({ packed: deflateRawSync(bytes, { level: 1 }), start, end: start + bytes.length })
    one.objects += lines.length
    one.read += rows.length
    if (one.read < one.list.length && !one.failed)
      setImmediate(() => work(one, { document, operations: [], errors: [] }, asked, grouped)).unref()
  }

  return {
    queries: {
      bulkOperation({ id }: Fields) {
        const found = operations.find((one) => one.id === indexOf('BulkOperation', id))
        return found ? view(found) : null
      },
    },

    mutations: {
      bulkOperationRunQuery({ query, groupObjects }: Fields, asked: Asked) {
        const text = String(query)
        const read = readDocument(text)
        const [name] = fieldsIn(read.operations[0]?.selectionSet, {}).map((one) => one.name.value)
        const [error] = read.errors
        if (error) return userError(['query'], error.message, 'INVALID')
        if (name !== 'orders' && name !== 'products')
          return userError(['query'], 'Bulk queries are imitated of orders and products.', 'INVALID')
        if (operations.filter((one) => statusOf(one) === 'RUNNING').length >= maxRunning)
          return userError(['query'], 'Too many bulk operations are running.', 'LIMIT_REACHED')
        const list =
          name === 'orders'
            ? shop.book.byNumber().slice()
            : Int32Array.from(shop.stockroom.byChange(), ({ index }) => index).sort()
        const readyAt = clock.now() + (5 + list.length / 5000) * second
        const one = { id: operations.length + 1, readyAt, list, read: 0, objects: 0, pieces: [], failed: false }
        operations.push(one)
        work(one, read, asked, groupObjects === true)
        asked.record.effect('bulk.run', gid('BulkOperation', one.id))
        return done({ bulkOperation: view(one) })
      },
    },

    /** The file, or the piece of it that is asked for. */
    download(call: Call): Answer {
      const id = Number(/^\/shopify-bulk-results\/bulk-(\d+)\.jsonl$/.exec(call.path)?.[1])
      const found = operations.find((one) => one.id === id && call.query.get('Signature') === signatureOf(one))
      if (!found || statusOf(found) !== 'COMPLETED')
        return answer(403, forbidden, { 'content-type': 'application/xml' })
      const size = sizeOf(found)
      const range = /^bytes=(\d+)-(\d*)$/.exec(call.header('range') ?? '')
      const from = Number(range?.[1] ?? 0)
      const to = Math.min(range?.[2] ? Number(range[2]) + 1 : size, size)
      if (from >= size) return answer(416, undefined, { 'content-range': `bytes */${size}` })
      const some = found.pieces.filter((piece) => piece.end > from && piece.start < to)
      const first = some[0]?.start ?? 0
      const bytes = Buffer.concat(some.map(({ packed }) => inflateRawSync(packed))).subarray(from - first, to - first)
      const headers = { 'content-type': 'application/jsonl' }
      return range
        ? answer(206, bytes, { ...headers, 'content-range': `bytes ${from}-${to - 1}/${size}` })
        : answer(200, bytes, headers)
    },
  }
}

const forbidden = "<?xml version='1.0' encoding='UTF-8'?><Error><Code>AccessDenied</Code></Error>"

const nodesIn = (value: unknown): readonly Fields[] =>
  isFields(value) && Array.isArray(value['edges']) ? value['edges'].map((edge) => edge.node).filter(isFields) : []

interface Line {
  text: string
  isPart: boolean
}

/** Each record on a line of its own, what belongs to it right below it. */
function linesOf(node: Fields, parent: string | null): Line[] {
  const isList = (value: unknown) => isFields(value) && Array.isArray(value['edges'])
  const own = Object.fromEntries(Object.entries(node).filter(([, value]) => !isList(value)))
  const text = JSON.stringify(parent === null ? own : { ...own, __parentId: parent })
  const parts = Object.values(node).flatMap(nodesIn)
  return [{ text, isPart: parent !== null }, ...parts.flatMap((one) => linesOf(one, textOf(node['id'])))]
}
