import { glob, readFile } from 'node:fs/promises'
import ts from 'typescript'

/** A statement as it stands in the source: raw SQL, or a chain of the query builder. */
export interface SourceStatement {
  /** `src/…:12` */
  where: string
  text: string
  /** With the fragments of the same file that it is put together of. */
  whole: string
  tables: readonly string[]
}

/** Every statement of the source that names one of these tables. */
export async function statementsNaming(tables: readonly string[]): Promise<SourceStatement[]> {
  const found: SourceStatement[] = []
  for await (const path of glob('src/**/*.ts')) {
    if (/\.(test|gen)\.ts$/.test(path)) continue
    const file = ts.createSourceFile(path, await readFile(path, 'utf8'), ts.ScriptTarget.Latest, true)
    const fragments = fragmentsOf(file)
    walk(file, (node) => {
      const text = statementText(node)
      if (text === null) return true
      const named = tablesIn(text, tables)
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
      const whole = putTogether(text, fragments)
      if (named.length > 0) found.push({ where: `${path}:${line}`, text, whole, tables: named })
      return false
    })
  }
  return found
}

/** `visit` says whether to look inside. */
function walk(node: ts.Node, visit: (node: ts.Node) => boolean): void {
  ts.forEachChild(node, (child) => {
    if (visit(child)) walk(child, visit)
  })
}

/** SQL that has a name, or is what a function gives: `const anew = sql`…``. */
function fragmentsOf(file: ts.SourceFile): Map<string, string> {
  const fragments = new Map<string, string>()
  walk(file, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      const text = [...templatesIn(node.initializer)].join(' ')
      if (text !== '') fragments.set(node.name.text, text)
    }
    return true
  })
  return fragments
}

function templatesIn(node: ts.Expression): string[] {
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return templatesIn(node.body)
  if (ts.isParenthesizedExpression(node)) return templatesIn(node.expression)
  if (ts.isConditionalExpression(node)) return [...templatesIn(node.whenTrue), ...templatesIn(node.whenFalse)]
  if (ts.isTaggedTemplateExpression(node)) return [node.template.getText().slice(1, -1)]
  return []
}

const maxDepth = 3

function putTogether(text: string, fragments: ReadonlyMap<string, string>, depth = 0): string {
  if (depth === maxDepth) return text
  return text.replaceAll(/\$\{(\w+)(\([^{}]*\))?\}/g, (whole, name: string) => {
    const fragment = fragments.get(name)
    return fragment === undefined ? whole : putTogether(fragment, fragments, depth + 1)
  })
}

const starts = /^(selectFrom|updateTable|deleteFrom|insertInto)$/

function statementText(node: ts.Node): string | null {
  if (ts.isTaggedTemplateExpression(node) && /^sql\b/.test(node.tag.getText())) return node.template.getText()
  // The whole chain, whose last call is met first.
  if (ts.isCallExpression(node) && chainStart(node)) return node.getText()
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
    const text = node.getText()
    return /\b(select|insert into|update|delete from)\b[\s\S]*\b(from|set|values)\b/i.test(text) ? text : null
  }
  return null
}

function chainStart(node: ts.Expression): boolean {
  if (ts.isCallExpression(node)) {
    const callee = node.expression
    if (!ts.isPropertyAccessExpression(callee)) return false
    return starts.test(callee.name.text) || chainStart(callee.expression)
  }
  return false
}

/** Those of `tables` that a statement reads or writes, once for each time. */
export function tablesIn(text: string, tables: readonly string[]): string[] {
  const places = text.matchAll(/(?:\b(?:from|join|update|into)\s+"?|(?:From|Table|Into|Join)\(')(\w+)/g)
  // Logs have a table for each month.
  const names = [...places].map(([, name = '']) => (name.startsWith('integration_logs_') ? 'integration_logs' : name))
  return names.filter((name) => tables.includes(name))
}
