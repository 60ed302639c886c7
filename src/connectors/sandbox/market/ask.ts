import { bodyOf, type Fields, fieldsOf, textIn } from '../../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../../commerce/remote.ts'
import type { SandboxShop } from '../settings.ts'

/** A request that pays from the budget of its own operation. */
export const ask = ({ remote }: SandboxShop, operation: string, request: RemoteRequest): Promise<RemoteAnswer> =>
  remote.request({ ...request, budget: `market ${operation}` })

export const record = (answer: RemoteAnswer): Fields => fieldsOf(bodyOf(answer))

const beginning = '1970-01-01T00:00:00Z'

/** The first page of a question, or the one that a token stands for. */
export const pageQuery = (
  { updatedSince, cursor, limit }: { updatedSince: string | null; cursor: string | null; limit: number },
  most: number,
): NonNullable<RemoteRequest['query']> =>
  cursor === null
    ? { lastUpdatedAfter: updatedSince ?? beginning, limit: Math.min(limit, most) }
    : { nextToken: cursor }

export const nextOf = (page: Fields): string | null => (page['nextToken'] === null ? null : textIn(page, 'nextToken'))
