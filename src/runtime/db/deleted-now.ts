import { sql } from 'kysely'

/** What is set where a record is kept, but deleted for everybody who asks. */
export const deletedNow = { deleted_at: sql<string>`now()`, updated_at: sql<string>`now()` } as const
