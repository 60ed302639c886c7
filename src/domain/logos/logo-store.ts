import type { Db } from '../../runtime/db/connection.ts'
import type { Logo } from './logo.ts'

export interface NewLogo {
  name: string
  mime_type: string
  width: number
  height: number
  size: number
  bytes: Buffer
}

export async function insertLogo(db: Db, logo: NewLogo): Promise<Logo> {
  return await db
    .insertInto('logos')
    .values(logo)
    .returning(['id', 'name', 'mime_type', 'width', 'height', 'size'])
    .executeTakeFirstOrThrow()
}

export async function deleteLogo(db: Db, name: string): Promise<void> {
  await db.deleteFrom('logos').where('name', '=', name).execute()
}

/** Logos are public to whoever knows the name: a browser that shows one brings no token. */
export async function readLogo(db: Db, name: string): Promise<{ mime_type: string; bytes: Buffer } | undefined> {
  return await db.selectFrom('logos').select(['mime_type', 'bytes']).where('name', '=', name).executeTakeFirst()
}
