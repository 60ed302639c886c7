import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seedFor } from '../../../test/support/chance.ts'
import { readMigrations } from './migration-files.ts'
import { splitStatements } from './split-statements.ts'

describe('a file of SQL', () => {
  test('ends a statement at a semicolon, wherever on the line', () => {
    expect(splitStatements('select 1; select 2;\nselect 3')).toEqual(['select 1', 'select 2', 'select 3'])
  })

  test('has no statement where nothing is said', () => {
    expect(splitStatements(' ;; -- nothing;\n /* nothing; */ ;\n')).toEqual([])
  })

  test('keeps the body of a function together, in quotes or not', () => {
    const quoted = `create function f() returns trigger language plpgsql as $body$\nbegin\n  perform 1; return new;\nend $body$`
    const plain = `create or replace function g(n int) returns int begin atomic select case when n > 0 then 1 end; select 2; end`
    expect(splitStatements(`${quoted};\n${plain};\nselect 1;`)).toEqual([quoted, plain, 'select 1'])
  })

  test.each([
    [`insert into a values (';', 'it''s; ')`],
    [`select E'\\';' as a`],
    [`select ';\\' as a`],
    [`create table "a;b""c;" (id int)`],
    ['select 1 /* ; /* ; */ ; */ + 2'],
    ['select 1 -- ;\n + 2'],
    ['select a$b$ from c$b$'],
    ['create rule r as on insert to a do (select 1; select 2)'],
    ['select $$;$$, $a$ $$;$$ $a$'],
    ['select case when begin then 1 end from t'],
  ])('is one statement: %s', (sql) => {
    expect(splitStatements(`${sql};select 1`)).toEqual([sql, 'select 1'])
  })

  test.each([["select 'a;"], ['select "a;'], ['select $a$ $b$;'], ['select /* /* */ ;']])(
    'is refused unclosed: %s',
    (sql) => {
      expect(() => splitStatements(sql)).toThrow('is not closed')
    },
  )
})

const inside = fc.string({ unit: fc.constantFrom(';', "'", '"', '$', '-', '/', '*', '\\', '\n', 'a', 'é') })
const part = fc.oneof(
  fc.constantFrom('select', 'case', 'end', '(a; b)', '1', ',', 'x$y', '$1', '😀'),
  inside.map((text) => `'${text.replaceAll("'", "''")}'`),
  inside.map((text) => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`),
  inside.map((text) => `"${text.replaceAll('"', '""')}"`),
  inside.map((text) => `$q$${text.replaceAll('$', '')}$q$`),
  inside.map((text) => `-- ${text.replaceAll('\n', ' ')}\n`),
  inside.map((text) => `/* ${text.replaceAll(/[*/]/g, '')} /* ; */ */`),
)
const statement = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => `begin ${parts.join(' ')} done`)

test('whatever is put together comes apart again', () => {
  fc.assert(
    fc.property(fc.array(statement), fc.constantFrom(';', ';\n', ' ;\n-- ;\n', ';;/* ; */'), (statements, between) => {
      const apart = splitStatements(statements.join(between))
      expect(apart.map(withoutLead)).toEqual(statements)
    }),
    { seed: seedFor('split-statements'), numRuns: 500 },
  )
})

/** What stands before a statement belongs to it. */
const withoutLead = (text: string): string => text.replace(/^(-- ;\n|\/\* ; \*\/)/, '')

test('every migration has as many statements as lines that end one', async () => {
  for (const { name, sql, statements } of await readMigrations()) {
    const bodies = sql.replaceAll(/\$\$[\s\S]*?\$\$/g, '')
    expect({ name, count: statements.length }).toEqual({ name, count: bodies.match(/;[ \t]*(--[^\n]*)?$/gm)?.length })
  }
})
