import pg from 'pg'
import { fromPostgres } from '../../lib/timestamp.ts'

/** How columns become values: ids and counts fit a number (below 2^53), and times stay text to keep microseconds. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? pg.types.getTypeParser(oid, format),
}

const asText = (value: string) => value

/** Enough for numbers and times, which hold neither commas nor escapes. */
const arrayOf = (parse: (value: string) => unknown) => (value: string) =>
  value === '{}'
    ? []
    : value
        .slice(1, -1)
        .split(',')
        .map((entry) => (entry === 'NULL' ? null : parse(entry.replaceAll('"', ''))))

/** The driver knows the arrays too, but its types do not list them. */
const anyTextArray = (pg.types.getTypeParser as (oid: number) => (value: string) => unknown)(1009)

/** Names and the like hold nothing that must be quoted; the driver's own parser goes letter by letter (20 times slower). */
const textArray = (value: string): unknown =>
  /["\\]|\{.*\{|NULL/.test(value) ? anyTextArray(value) : value === '{}' ? [] : value.slice(1, -1).split(',')

const parsers = new Map<number, (value: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [1016, arrayOf(Number)],
  [1009, textArray],
  [1015, textArray],
  [pg.types.builtins.TIMESTAMPTZ, fromPostgres],
  [1185, arrayOf(fromPostgres)],
  [pg.types.builtins.TIMESTAMP, asText],
  [pg.types.builtins.DATE, asText],
  [pg.types.builtins.NUMERIC, asText],
])
