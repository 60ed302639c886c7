import type { Db } from '../connection.ts'

/** Nobody else changes that row until the transaction ends. */
export async function holdRow(
  trx: Db,
  table: 'apps' | 'companies' | 'oauth_clients' | 'services' | 'users',
  id: number,
): Promise<void> {
  await trx.selectFrom(table).select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** Nobody removes it until the transaction ends; false where somebody has. */
export async function holdLive(trx: Db, table: 'accounts' | 'apps', id: number): Promise<boolean> {
  const held = await trx
    .selectFrom(table)
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return held !== undefined
}
