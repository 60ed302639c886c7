import { sql } from 'kysely'
import { notFound } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { type Content, unsealContents } from './sealed-delivery.ts'

type ContentRow = Content & { integration_id: number; delivery_id: string; private: Buffer | null }

/** What a message says, as it came. Empty once it is no longer kept. */
export async function readContent(db: Db, integrationId: number, id: number): Promise<Content> {
  const { rows } = await sql<ContentRow>`
    select integration_id, delivery_id, headers, query, body, private from shop_messages
    where integration_id = ${integrationId} and id = ${id}`.execute(db)
  const [content] = await unsealContents(db, rows)
  if (!content) throw notFound()
  return content
}
