import type { ClientBase } from 'pg'

/** A table as it is copied: without columns that the database fills by itself, and with its partitions in one. */
export interface CopiedTable {
  name: string
  columns: readonly string[]
}

export interface Partition {
  name: string
  parent: string
  /** `FOR VALUES …` */
  bound: string
  /** Those that its table has not, each `PRIMARY KEY (…)` or `UNIQUE (…)`. Not known of older backups. */
  keys?: readonly string[]
}

export interface Sequence {
  name: string
  last: string
}

export interface Catalogue {
  migrations: readonly string[]
  tables: readonly CopiedTable[]
  partitions: readonly Partition[]
  sequences: readonly Sequence[]
}

export async function readCatalogue(client: ClientBase): Promise<Catalogue> {
  const { rows: migrations } = await client.query<{ name: string }>('select name from migrations order by name')
  const { rows: tables } = await client.query<CopiedTable>(`
    select c.relname as name,
      (select coalesce(array_agg(a.attname::text order by a.attnum), '{}') from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'migrations'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname`)
  const { rows: partitions } = await client.query<Partition>(`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound,
      array(select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype in ('p', 'u') and k.conparentid = 0 order by k.conname) as keys
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where c.relispartition and c.relkind in ('r', 'p') and p.relnamespace = 'public'::regnamespace order by c.relname`)
  const { rows: sequences } = await client.query<Sequence>(`
    select sequencename as name, coalesce(last_value, 0)::text as last from pg_sequences where schemaname = 'public'
    order by sequencename`)
  return { migrations: migrations.map(({ name }) => name), tables, partitions, sequences }
}
