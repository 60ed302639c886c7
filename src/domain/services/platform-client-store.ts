import { sql } from 'kysely'
import type { AnyFields } from '../../commerce/shop.ts'
import { type KeyRing, open, seal } from '../../lib/secret-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { PlatformClient } from './platform-client.ts'

interface Place {
  serviceId: number
  /** Null: the service's own, for every app that brings none. */
  appId: number | null
}

/** Whose it is: moved to another row, it no longer opens. */
export const platformClientPlace = ({ serviceId, appId }: Place): string =>
  appId === null ? `services|client|${serviceId}` : `app_services|client|${serviceId}|${appId}`

export async function savePlatformClient(db: Db, keys: KeyRing, place: Place, client: PlatformClient): Promise<void> {
  const sealed =
    client === null
      ? { client: null, client_key_id: null }
      : { client: seal(keys, JSON.stringify(client), platformClientPlace(place)), client_key_id: keys[0].id }
  if (place.appId === null) {
    await db.updateTable('services').set(sealed).where('id', '=', place.serviceId).execute()
    return
  }
  await db
    .updateTable('app_services')
    .set(sealed)
    .where('app_id', '=', place.appId)
    .where('service_id', '=', place.serviceId)
    .execute()
}

/** That of the app alone, or of the service alone. */
export async function readOwnPlatformClient(db: Db, keys: KeyRing, place: Place): Promise<AnyFields | null> {
  const row = await (place.appId === null
    ? db.selectFrom('services').select('client').where('id', '=', place.serviceId).where('deleted_at', 'is', null)
    : db
        .selectFrom('app_services')
        .select('client')
        .where('service_id', '=', place.serviceId)
        .where('app_id', '=', place.appId)
  ).executeTakeFirst()
  return row?.client ? JSON.parse(open(keys, row.client, platformClientPlace(place))) : null
}

/** All that there are for a kind of service: its own, and those of apps. */
export const platformClientsOf = async (db: Db, keys: KeyRing, type: string): Promise<AnyFields[]> =>
  (await platformClientsIn(db, keys, type)).map(({ read }) => read())

/** The same, with the places where they are kept; each is opened by whoever reads it. */
export async function platformClientsIn(
  db: Db,
  keys: KeyRing,
  type: string,
): Promise<(Place & { read: () => AnyFields })[]> {
  const { rows } = await sql<Place & { sealed: Buffer }>`
    select id as "serviceId", null::bigint as "appId", client as sealed from services
    where type = ${type} and client is not null and deleted_at is null
    union all
    select s.id, a.app_id, a.client from services s join app_services a on a.service_id = s.id
    where s.type = ${type} and a.client is not null and s.deleted_at is null`.execute(db)
  return rows.map(({ sealed, ...place }) => ({
    ...place,
    read: () => JSON.parse(open(keys, sealed, platformClientPlace(place))),
  }))
}

/** The app's own, else the service's, else null. */
export async function readPlatformClient(db: Db, keys: KeyRing, place: Place): Promise<AnyFields | null> {
  const row = await db
    .selectFrom('services')
    .leftJoin('app_services', (join) =>
      join.onRef('app_services.service_id', '=', 'services.id').on('app_services.app_id', '=', place.appId),
    )
    .select(['services.client as common', 'app_services.client as own'])
    .where('services.id', '=', place.serviceId)
    .executeTakeFirst()
  if (row?.own) return JSON.parse(open(keys, row.own, platformClientPlace(place)))
  if (row?.common) return JSON.parse(open(keys, row.common, platformClientPlace({ ...place, appId: null })))
  return null
}
