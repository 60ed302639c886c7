import { glob, readFile } from 'node:fs/promises'
import ts from 'typescript'

/** A statement as it stands in the source: raw SQL, or a chain of the query builder. */
export interface SourceStatement {
  /** `src/…:12` */
  where: string
  text: string
  tables: readonly string[]
}

/** Every statement of the source that names one of these tables. */
export async function statementsNaming(tables: readonly string[]): Promise<SourceStatement[]> {
  const found: SourceStatement[] = []
  for await (const path of glob('src/**/*.ts')) {
    if (/\.(test|gen)\.ts$/.test(path)) continue
    const file = ts.createSourceFile(path, await readFile(path, 'utf8'), ts.ScriptTarget.Latest, true)
    walk(file, (node) => {
      const text = statementText(node)
      if (text === null) return true
      const named = tablesIn(text, tables)
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
      if (named.length > 0) found.push({ where: `${path}:${line}`, text, tables: named })
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
  const places = text.matchAll(/\b(?:from|join|update|into|From\('|Table\('|Into\('|Join\(')\s*"?(\w+)"?/g)
  return [...places].map(([, name = '']) => name).filter((name) => tables.includes(name))
}
