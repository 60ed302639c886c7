import { type Fields, isFields } from '../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import { carryOut, readDocument } from './stand-graphql.ts'
import { type Books, gid } from './stand-records.ts'

/** Bulk operations of the stand, and the storage that their results lie in. */
export interface Bulk {
  mutations: { bulkOperationRunQuery(args: Fields): Fields }
  operation(args: Fields): Fields | null
  download(url: string, request: RemoteRequest): RemoteAnswer
  /** What the platform says of all of them; `RUNNING` at first. */
  status: string
  /** How much of a file goes out at once, whatever was asked for. */
  mostBytes: number
  /** How often one was begun. */
  begun: number
}

const address = (id: unknown) =>
  `https://storage.googleapis.com/bulk-results/${String(id).split('/').at(-1)}.jsonl?signed=yes`

export function makeBulk(books: Books): Bulk {
  const files = new Map<string, Buffer>()
  const bulk: Bulk = {
    status: 'RUNNING',
    mostBytes: 20_000,
    begun: 0,
    mutations: {
      bulkOperationRunQuery({ query, groupObjects }) {
        bulk.begun++
        if (groupObjects !== true)
          return { bulkOperation: null, userErrors: [{ message: 'Not grouped.', field: null }] }
        const id = gid('BulkOperation', bulk.begun)
        files.set(address(id), Buffer.from(linesOf(books, String(query)).join('\n')))
        return { bulkOperation: { id }, userErrors: [] }
      },
    },
    operation: ({ id }) => ({ id, status: bulk.status, url: bulk.status === 'COMPLETED' ? address(id) : null }),
    download(url, { headers }) {
      const file = files.get(url)
      if (!file) return { status: 403, headers: {}, body: '<Error/>' }
      const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(headers?.['range'] ?? '') ?? []
      const end = Math.min(Number(to) + 1, Number(from) + bulk.mostBytes, file.length)
      if (Number(from) >= file.length) return { status: 416, headers: {}, body: null }
      return {
        status: 206,
        headers: { 'content-type': 'application/jsonl', 'content-range': `bytes ${from}-${end - 1}/${file.length}` },
        body: file.subarray(Number(from), end).toString(),
      }
    },
  }
  return bulk
}

/** Each record on a line of its own, what belongs to it right below it, as the platform writes them. */
function linesOf({ orders, products }: Books, query: string): string[] {
  const [root] = readDocument(query, {}).selections
  const node = root?.inner?.[0]?.inner?.[0]?.inner ?? []
  const list = root?.name === 'products' ? products : orders
  return list.flatMap((record) => {
    const told = Object.entries(carryOut(record, node) as Fields)
    const parts = told.flatMap(([, value]) => (isConnection(value) ? value.edges : []))
    const own = Object.fromEntries(told.filter(([, value]) => !isConnection(value)))
    return [own, ...parts.map((edge) => ({ ...edge.node, __parentId: record.id }))].map((one) => JSON.stringify(one))
  })
}

const isConnection = (value: unknown): value is { edges: { node: Fields }[] } =>
  isFields(value) && Array.isArray(value['edges'])
