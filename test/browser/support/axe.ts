import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  violations: { id: string; help: string; nodes: { target: unknown; failureSummary: string }[] }[]
}

const all = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * What axe holds against a page as it is now, shadow trees included; empty if nothing. `rules` alone, where given. Rows of
 * long tables are made by one piece of code: the first twenty stand for all.
 */
export async function axeViolations(page: Page, rules: readonly string[] = all): Promise<string[]> {
  // By the debugger rather than by a script tag, which the page's own policy would refuse.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source)
  const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'] })
  const { violations } = (await page.evaluate(
    `axe.run({ exclude: [['tbody tr:nth-child(n+21)']] }, ${options})`,
  )) as AxeResult
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary}`),
  )
}
