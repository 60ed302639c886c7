import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type BrowserContext, chromium, type Browser as Running } from 'playwright-core'
import { waitMs } from '../../support/patience.ts'

/** A real Chromium: one that is there, or Debian's, fetched once where that is possible. */

/**
 * The one without windows draws, lays out and runs scripts with the same engine. The other keeps for each page a window that nobody sees, with
 * tabs and buttons that are pages of their own, which is a third of what it costs.
 */
const places = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const findChromium = () => places.find((path) => path !== undefined && existsSync(path))

function chromiumPath(): string {
  const found = findChromium()
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const run = (...args: string[]) => execFileSync('apt-get', args, { stdio: 'pipe', env: environment })
    run('update')
    run('install', '-y', '--no-install-recommends', 'chromium-headless-shell', 'fonts-liberation')
    const installed = findChromium()
    if (installed) return installed
  }
  throw new Error('The browser tests need Chromium: install it, or name it in CHROMIUM_PATH.')
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export interface Browser {
  context: BrowserContext
  close(): Promise<void>
}

export interface BrowserOptions {
  width?: number
  height?: number
  dark?: boolean
  /** A screen that is touched. */
  touch?: boolean
  locale?: string
}

/** One browser of this process, for as long as somebody looks through it. */
let running: Promise<Running> | null = null
let windows = 0
let ending: NodeJS.Timeout | undefined

// Files of tests come one after the other in the same process: the next one finds it started.
const lingersMs = process.env['VITEST'] ? 30_000 : 0

/** A browser with a memory of its own, which is gone afterwards. */
export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  windows++
  clearTimeout(ending)
  running ??= launch()
  const browser = await running
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    hasTouch: options.touch ?? false,
    locale: options.locale ?? 'en-GB',
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(waitMs)
  return {
    context,
    async close() {
      await context.close()
      if (--windows > 0) return
      if (lingersMs === 0) await end()
      else ending = setTimeout(end, lingersMs).unref()
    },
  }
}

/** Whoever ends this process by a signal ends the browser too: Playwright does that when it exits, and not before. */
const exit = () => process.exit(143)

async function launch(): Promise<Running> {
  process.once('SIGTERM', exit)
  return await chromium.launch({
    executablePath: chromiumPath(),
    headless: true,
    args: flags,
    handleSIGTERM: false,
  })
}

async function end(): Promise<void> {
  const browser = running
  running = null
  process.off('SIGTERM', exit)
  await (await browser)?.close()
}
