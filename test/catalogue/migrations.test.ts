import { describe, expect, test } from 'vitest'
import { readMigrations } from '../../src/runtime/db/migration-files.ts'

/** What was there before the rule: no version was released yet. */
const before = '0058'

/** Programs of the version before go on while one starts that has migrated: what they read or write must still be there. */
const breaking: readonly [RegExp, string][] = [
  [/\bdrop\s+(?:table|column|view|type|sequence)\b/i, 'removes something'],
  [/\brename\s+(?:to|column|constraint)?\b/i, 'renames something'],
  [/\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/i, 'changes the type of a column'],
  [/\balter\s+(?:column\s+)?\w+\s+set\s+not\s+null\b/i, 'demands a value that may be missing'],
  [/\balter\s+(?:column\s+)?\w+\s+drop\s+default\b/i, 'takes away a default'],
  [
    /\badd\s+column\b(?:(?!\bdefault\b|,).)*\bnot\s+null\b(?!(?:(?!,).)*\bdefault\b)/is,
    'adds a column that others do not fill',
  ],
  [/\badd\s+(?:constraint\s+\w+\s+)?(?:check|unique|foreign key|exclude)\b/i, 'demands what others may not keep to'],
]

const breaches = (statements: readonly string[]): string[] =>
  statements.flatMap((statement) => breaking.filter(([form]) => form.test(statement)).map(([, what]) => what))

const migrations = await readMigrations()

test.each(migrations.filter(({ name }) => name > before).map((one) => [one.name, one] as const))(
  '%s leaves programs of the version before in peace, or says which understand it',
  (name, { statements, needs }) => {
    if (needs === null) expect(breaches(statements)).toEqual([])
    else expect(needs < name.slice(0, 4)).toBe(true)
  },
)

describe('the rule', () => {
  test.each([
    ['alter table orders drop column note', 'removes something'],
    ['alter table orders rename column note to remark', 'renames something'],
    ['alter table orders alter column total type numeric', 'changes the type of a column'],
    ['alter table orders alter note set not null', 'demands a value that may be missing'],
    ['alter table orders add column place text not null', 'adds a column that others do not fill'],
    ['alter table orders add constraint whole check (total > 0)', 'demands what others may not keep to'],
  ])('knows %s', (statement, what) => expect(breaches([statement])).toEqual([what]))

  test.each([
    'create table more (id bigint primary key, name text not null, check (id > 0))',
    "alter table orders add column place text not null default 'here'",
    'alter table orders add column place text',
    'alter table orders add column place text, add column size integer not null default 0',
    'create index concurrently orders_place on orders (place)',
    'drop index orders_old',
  ])('lets %s pass', (statement) => expect(breaches([statement])).toEqual([]))
})
