import { firstEra } from '../../src/domain/inbound/eras/era-store.ts'
import { dataPlane } from '../../src/runtime/db/citus/data-plane.ts'
import { refusals } from './citus-refuses.ts'

/** What a statement of a migration may not do to a table that is distributed already, each with what Citus says to it. */
export function migrationRefusals(statement: string): string[] {
  const text = statement
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
  const [, table = '', changes = ''] = /^alter table (?:if exists )?(?:only )?(\w+) (.*)$/.exec(text) ?? []
  if (isDistributed(table)) return ofChanges(subcommands(changes))
  const trigger = /^create (?:constraint )?trigger .* on (\w+)/.exec(text)?.[1]
  if (trigger && isDistributed(trigger)) return ['a trigger on a distributed table']
  const written = /^(?:update|insert into|delete from) (\w+)/.exec(text)?.[1]
  return written && isDistributed(written) ? refusals(statement) : []
}

const isDistributed = (table: string): boolean => table === firstEra || dataPlane.some((name) => name === table)

function ofChanges(changes: readonly string[]): string[] {
  const added = changes.filter((change) => /^add (?:column )?(?!constraint|check|foreign|unique|primary)/.test(change))
  const constraints = changes.filter((change) => /^add (?:constraint|check|foreign|unique|primary)/.test(change))
  const found: string[] = []
  if (added.some((change) => /\b(?:small|big)?serial\b|\bgenerated\b.*\bidentity\b/.test(change)))
    found.push('ADD COLUMN involving serial pseudotypes')
  if (added.some((change) => /\b(?:check|references|unique|primary key)\b/.test(change)))
    found.push('ADD COLUMN with a constraint')
  if (constraints.length > 0 && changes.length > 1) found.push('ADD CONSTRAINT with other subcommands')
  if (
    changes.some((change) => /^alter (?:column )?\w+ (?:set|reset) (?:storage|statistics|compression|\()/.test(change))
  )
    found.push('how a column is stored')
  if (changes.some((change) => /on delete set (?:null|default)/.test(change))) found.push('ON DELETE SET NULL')
  return found
}

/** At the commas that stand in no parentheses. */
function subcommands(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of text) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim())
}
