import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { arrayIn, bodyOf, bodyOrNull, fieldsOf, maybeText, numberIn } from '../../commerce/reading.ts'
import type { SandboxShop } from './settings.ts'

export function listOf(body: unknown): RawPage {
  const fields = fieldsOf(body)
  return { items: arrayIn(fields, 'items'), next: maybeText(fields, 'next'), total: numberIn(fields, 'total') }
}

export const readPage =
  (path: string) =>
  async ({ remote }: SandboxShop, { updatedSince, cursor, limit }: ReadQuery): Promise<RawPage> => {
    const query = { updated_since: updatedSince, cursor, limit }
    return listOf(bodyOf(await remote.request({ method: 'GET', path, query })))
  }

export const readOne =
  (path: string) =>
  async ({ remote }: SandboxShop, remoteId: string): Promise<unknown> =>
    bodyOrNull(await remote.request({ method: 'GET', path: `${path}/${encodeURIComponent(remoteId)}` }))

/** Whatever is sent twice is done once here: orders by their reference, parcels by their number. */
export const write = async (
  { remote }: SandboxShop,
  method: 'POST' | 'PUT',
  path: string,
  body: unknown,
  operation: { id: string },
): Promise<unknown> =>
  bodyOf(await remote.request({ method, path, body, headers: { 'x-operation-id': operation.id }, repeatable: true }))

/** What would be done again if it were sent again. */
export const writeOnce = async (
  { remote }: SandboxShop,
  path: string,
  body: unknown,
  operation: { id: string },
): Promise<unknown> =>
  bodyOf(await remote.request({ method: 'POST', path, body, headers: { 'x-operation-id': operation.id } }))
