import type pg from 'pg'

/** Names of SQL, quoted: peers use capitals, and words like "order". */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Further rows like those of a table that `where` chooses, `count` of each. `changed` says what differs in a column: an expression over the row `t`
 * and the number `n` of the copy.
 */
export function copies(table: string, where: string, changed: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(changed).map(([column, value]) => `'${column}', ${value}`)
  return `insert into ${quoted(table)}
    select r.* from (select * from ${quoted(table)} where ${where}) t, generate_series(1, $1::int) n,
      lateral jsonb_populate_record(null::${quoted(table)}, to_jsonb(t) || jsonb_build_object(${pairs.join(', ')})) r`
}

/** What follows from a sequence goes on after what is there. */
export async function moveSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('select setval(%L, coalesce((select max(%I) from %s), 0) + 1)', pg_get_serial_sequence(c.oid::regclass::text, attname), attname, c.oid::regclass) as statement
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
       and pg_get_serial_sequence(c.oid::regclass::text, attname) is not null`,
  )
  for (const { statement } of rows) await client.query(statement)
}
