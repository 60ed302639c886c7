import type { Db } from '../../runtime/db/connection.ts'

export interface LiveAccount {
  id: number
  app_id: number
  remote_id: string
  active: boolean
}

/** An account of one app by the app's own name for it. */
export async function findLiveAccount(db: Db, appId: number, remoteId: string): Promise<LiveAccount | undefined> {
  return await db
    .selectFrom('accounts')
    .innerJoin('apps', 'apps.id', 'accounts.app_id')
    .select(['accounts.id', 'accounts.app_id', 'accounts.remote_id', 'accounts.active'])
    .where('accounts.app_id', '=', appId)
    .where('accounts.remote_id', '=', remoteId)
    .where('accounts.deleted_at', 'is', null)
    .where('apps.active', '=', true)
    .where('apps.deleted_at', 'is', null)
    .executeTakeFirst()
}
