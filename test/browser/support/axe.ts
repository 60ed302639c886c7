import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  violations: { id: string; help: string; nodes: { target: unknown; failureSummary: string }[] }[]
}

const all = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Of texts that look alike so many are judged by their colours. */
const maxAlike = 10

const mark = 'data-alike'

/**
 * Marks all further ones. Alike are those whose elements have the same name, and the same of everything that a style may ask for,
 * from the root down to them. Colours are two thirds of what axe does, and a guide has a thousand paragraphs and items.
 */
const markAlike = `((mark, max) => {
  const kinds = new Map()
  const seen = new Map()
  const kindOf = (element, above) => {
    const said = [...element.attributes].filter(({ name }) => name !== mark && name !== 'id')
    const words = said.map(({ name, value }) => name + (/^(href|src|datetime|for|aria-(label|labelledby|describedby|controls))$/.test(name) ? '' : '=' + value))
    const name = above + ' ' + element.localName + ' ' + words.sort().join(' ')
    if (!kinds.has(name)) kinds.set(name, kinds.size)
    return kinds.get(name)
  }
  const isRead = (element) =>
    [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '') && element.checkVisibility()
  const walk = (element, above) => {
    const kind = kindOf(element, above)
    const count = (seen.get(kind) ?? 0) + (isRead(element) ? 1 : 0)
    seen.set(kind, count)
    element.toggleAttribute(mark, count > max)
    for (const child of element.children) walk(child, kind)
    for (const child of element.shadowRoot?.children ?? []) walk(child, kind)
  }
  walk(document.documentElement, '')
})('${mark}', ${maxAlike})`

/**
 * What axe holds against a page as it is now, shadow trees included; empty if nothing. `rules` alone, where given. Rows of
 * long tables are made by one piece of code: the first twenty stand for all.
 */
export async function axeViolations(page: Page, rules: readonly string[] = all): Promise<string[]> {
  // By the debugger rather than by a script tag, which the page's own policy would refuse.
  if (!(await page.evaluate('"axe" in window'))) {
    await page.evaluate(source)
    await page.evaluate(`axe.configure({ rules: [{ id: 'color-contrast', selector: '*:not([${mark}])' }] })`)
  }
  await page.evaluate(markAlike)
  const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'] })
  const { violations } = (await page.evaluate(
    `axe.run({ exclude: [['tbody tr:nth-child(n+21)']] }, ${options})`,
  )) as AxeResult
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary}`),
  )
}
