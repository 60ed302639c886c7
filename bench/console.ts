import type { CDPSession, Page } from 'playwright-core'
import { openBrowser } from '../test/browser/support/chromium.ts'
import { signIn } from '../test/browser/support/console.ts'
import { openShowcase } from '../test/browser/support/showcase.ts'

/**
 * The console's first page in Chromium, on a processor four times as slow, by Chromium's own trace: until the largest thing is
 * there, and how much moves.
 */
export async function measureConsole(options: { rounds: number; progress(text: string): void }): Promise<Render[]> {
  const showcase = await openShowcase()
  const browser = await openBrowser()
  try {
    const page = await browser.context.newPage()
    await signIn(page, showcase.origin, showcase.email, showcase.password)
    const devtools = await browser.context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    // Whoever comes every day has the scripts already; so has this browser from here on.
    await settle(page, showcase.origin)
    const renders: Render[] = []
    for (let round = 1; round <= options.rounds; round++) {
      const render = await traced(devtools, () => settle(page, showcase.origin))
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

async function settle(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/console`)
  await page.locator('ep-chart figure').first().waitFor()
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined)
}

interface TraceEvent {
  name: string
  ts: number
  args: { frame?: string; data?: { isOutermostMainFrame?: boolean; score?: number; had_recent_input?: boolean } }
}

/** What Chromium itself writes down of one navigation. */
async function traced(devtools: CDPSession, work: () => Promise<void>): Promise<Render> {
  const events: TraceEvent[] = []
  const collect = ({ value }: { value: unknown[] }) => events.push(...(value as TraceEvent[]))
  devtools.on('Tracing.dataCollected', collect as never)
  await devtools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['loading', 'devtools.timeline', 'blink.user_timing'] },
  })
  await work()
  const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve as never))
  await devtools.send('Tracing.end')
  await complete
  devtools.off('Tracing.dataCollected', collect as never)
  return renderIn(events)
}

/** The last candidate of the largest paint counts, as for everybody who measures it. */
export function renderIn(events: readonly TraceEvent[]): Render {
  const paint = events.filter(({ name }) => name === 'largestContentfulPaint::Candidate').at(-1)
  const begun = events.findLast(
    ({ name, ts, args }) =>
      name === 'navigationStart' && paint !== undefined && ts <= paint.ts && args.frame === paint.args.frame,
  )
  if (!paint || !begun) throw new Error('The trace has no largest paint in it.')
  const shifts = events.filter(({ name, args }) => name === 'LayoutShift' && args.data?.had_recent_input !== true)
  return {
    ms: (paint.ts - begun.ts) / 1000,
    shift: shifts.reduce((sum, { args }) => sum + (args.data?.score ?? 0), 0),
  }
}
