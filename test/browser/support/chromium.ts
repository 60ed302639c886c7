import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'

/** A real Chromium: one that is there, or Debian's, fetched once where that is possible. */

const places = [
  process.env['CHROMIUM_PATH'],
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
    run('install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation')
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
  locale?: string
}

/** A browser with a memory of its own, which is gone afterwards. */
export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'entrepot-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath(),
    headless: true,
    args: flags,
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: options.locale ?? 'en-GB',
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(20_000)
  return {
    context,
    async close() {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}
