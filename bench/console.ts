import { openBrowser } from '../test/browser/support/chromium.ts'
import { signIn } from '../test/browser/support/console.ts'
import { openShowcase } from '../test/browser/support/showcase.ts'

/** The console's overview in Chromium, on a processor four times as slow: until the largest thing is there, and how much moves. */
export async function measureConsole(options: { rounds: number; progress(text: string): void }): Promise<Render[]> {
  const showcase = await openShowcase()
  const browser = await openBrowser()
  try {
    const page = await browser.context.newPage()
    await signIn(page, showcase.origin, showcase.email, showcase.password)
    const devtools = await browser.context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.addInitScript(watch)
    const renders: Render[] = []
    for (let round = 1; round <= options.rounds; round++) {
      await page.goto(`${showcase.origin}/console`)
      await page.locator('figure.chart').first().waitFor()
      await page.waitForLoadState('networkidle')
      const render = (await page.evaluate('window.render')) as Render
      renders.push(render)
      options.progress(`round ${round}: ${Math.round(render.ms)} ms, shift ${render.shift.toFixed(3)}`)
    }
    return renders
  } finally {
    await browser.close()
    await showcase.close()
  }
}

export interface Render {
  /** Largest Contentful Paint. */
  ms: number
  /** Cumulative Layout Shift. */
  shift: number
}

const watch = `window.render = { ms: 0, shift: 0 }
new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) window.render.ms = startTime })
  .observe({ type: 'largest-contentful-paint', buffered: true })
new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.render.shift += value })
  .observe({ type: 'layout-shift', buffered: true })`
