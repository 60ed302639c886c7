import type { Fields } from '../../commerce/reading.ts'
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

const address = 'https://storage.googleapis.com/bulk-results/orders.jsonl?signed=yes'

export function makeBulk(books: Books): Bulk {
  let file = Buffer.alloc(0)
  const bulk: Bulk = {
    status: 'RUNNING',
    mostBytes: 20_000,
    begun: 0,
    mutations: {
      bulkOperationRunQuery({ query, groupObjects }) {
        bulk.begun++
        if (groupObjects !== true)
          return { bulkOperation: null, userErrors: [{ message: 'Not grouped.', field: null }] }
        file = Buffer.from(linesOf(books, String(query)).join('\n'))
        return { bulkOperation: { id: gid('BulkOperation', 1) }, userErrors: [] }
      },
    },
    operation: ({ id }) => ({ id, status: bulk.status, url: bulk.status === 'COMPLETED' ? address : null }),
    download(url, { headers }) {
      if (url !== address) return { status: 403, headers: {}, body: '<Error/>' }
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

/** Each order on a line of its own, its lines below it, as the platform writes them. */
function linesOf({ orders }: Books, query: string): string[] {
  const [root] = readDocument(query, {}).selections
  const node = root?.inner?.[0]?.inner?.[0]?.inner ?? []
  return orders.flatMap((order) => {
    const { lineItems, ...told } = carryOut(order, node) as { id: string; lineItems: { edges: { node: Fields }[] } }
    const lines = lineItems.edges.map((edge) => ({ ...edge.node, __parentId: told.id }))
    return [told, ...lines].map((one) => JSON.stringify(one))
  })
}
