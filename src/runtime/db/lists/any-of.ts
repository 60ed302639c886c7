import { type RawBuilder, sql } from 'kysely'

/** `where id = ${anyOf(ids)}`: one parameter, however many there are. */
export const anyOf = (ids: readonly number[]): RawBuilder<number> => sql`any(${[...ids]}::bigint[])`
