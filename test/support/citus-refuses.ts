/** Forms of a statement that PostgreSQL takes and a distributed table does not, each with what Citus says to it. */

/** STABLE, all of them: a time, a time and an interval, and what looks at settings or types. */
const unsteady =
  /\bnow\(\)|\bcurrent_timestamp\b|\bmake_interval\(|\binterval '|\b(?:jsonb_build_object|to_jsonb|format|concat|age)\(/i
const volatile = /\b(?:clock_timestamp|gen_random_uuid|random)\(/i

export function refusals(text: string): string[] {
  if (!writes.test(text))
    return /\(\s*select\s+from\b/i.test(text) && !/integration_?id/i.test(text) ? ['select from, over all shards'] : []
  const found: string[] = []
  if (unsteady.test(/\breturning\b[\s\S]*$/i.exec(text)?.[0] ?? '')) found.push('non-IMMUTABLE functions in RETURNING')
  if (unsteady.test(/\bdo update\b[\s\S]*$/i.exec(text)?.[0] ?? '')) found.push('times in the conflict clause')
  if (partsOf(text).some((part) => unsteady.test(part))) found.push('non-IMMUTABLE functions in CASE or COALESCE')
  if (/\bcase\s+(?!when\b)\w/i.test(text)) found.push('CASE that compares with a value')
  if ([...text.matchAll(/\bmake_interval\(/g)].some(({ index }) => namesColumn(insideOf(text.slice(index)))))
    found.push('STABLE functions of a column')
  if (volatile.test(text.replaceAll(/\bvalues\b[\s\S]*?\)\s*(?=on conflict|returning|`|$)/gi, '')))
    found.push('volatile functions')
  return found
}

const writes =
  /\b(?:insert\s+into|delete\s+from)\b|(?<!\bfor\s+|\bkey\s+|\bdo\s+)\bupdate\s+\w|updateTable\(|insertInto\(|deleteFrom\(/i

/** What stands in CASE … END and in COALESCE(…) of what is written; a sub-select is planned by itself. */
function partsOf(text: string): string[] {
  const set = /\bset\b[\s\S]*?(?=\bwhere\b|\breturning\b|$)/gi
  const written = [...text.matchAll(set)].map(([part]) => part).join(' ')
  const cases = [...written.matchAll(/\bcase\b[\s\S]*?\bend\b/gi)].map(([part]) => part)
  return [...cases, ...[...written.matchAll(/\bcoalesce\(/gi)].map(({ index }) => insideOf(written.slice(index)))]
}

/** Whatever is no parameter, type, function or name of an argument. */
const namesColumn = (call: string): boolean =>
  /[a-z_]/i.test(call.replaceAll(/\$\{[^}]*\}|\$\d+|::\w+|\w+ =>|\w+\(/g, ''))

function insideOf(text: string): string {
  let depth = 0
  for (const [n, letter] of [...text].entries()) {
    if (letter === '(') depth++
    if (letter === ')' && --depth === 0) return text.slice(0, n)
  }
  return text
}

const naming = [
  /integration_id"?\s*(?:=|in)\s*(?:any\()?\(?\s*(?:\$|\?)/i,
  /'(?:\w+\.)?integration_id', '(?:=|in)'/,
  /integration_id: \w/,
  /\(integration_id\b[^)]*\)\s*values\b/i,
  // The same condition for all its parts.
  /where \$\{mine\}/,
]

/** Whether every shard that a statement asks is one of an integration that it names. */
export const namesIntegrations = (text: string): boolean => naming.some((form) => form.test(text))
