import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { createServer, type Plugin } from 'vite'
import { openBrowser } from '../test/browser/support/chromium.ts'
import { type PartName, partNames } from '../web/console/pages/parts/part-names.ts'

const root = join(import.meta.dirname, '..')
const typeface = join(root, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')

/** `/console/_parts` by itself: it asks the service for nothing. */
const bare = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<style>@font-face { font-family: 'Inter Variable'; font-weight: 100 900; src: url('/@fs${typeface}') format('woff2') }
body { margin: 16px 16px 240px }</style>
<script type="module">import '/console/pages/parts/parts.ts'
document.body.append(Object.assign(document.createElement('ep-page-parts'), { params: {}, query: new URLSearchParams() }))</script>
</head><body></body></html>`

const barePage: Plugin = {
  name: 'parts-page',
  configureServer(server) {
    server.middlewares.use((request, response, next) => {
      if (request.url !== '/') return next()
      response.setHeader('content-type', 'text/html').end(bare)
    })
  },
}

/** What is there only while somebody uses it: how it comes to be, and what is to be seen then. */
const used: Partial<Record<PartName, (page: Page, panel: Locator) => Promise<Locator>>> = {
  async menu(_page, panel) {
    await panel.getByRole('button', { name: 'Columns' }).click()
    return panel
  },
  async dialog(_page, panel) {
    await panel.getByRole('button', { name: 'Disconnect shop' }).click()
    return panel.getByRole('dialog')
  },
  async toast(page, panel) {
    await panel.getByRole('button', { name: 'Save' }).click()
    // It floats over nothing there.
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    return page.locator('ep-toasts p')
  },
}

/** A picture of each part, light and dark beside each other. */
export async function shootParts(folder: string): Promise<void> {
  const pages = await createServer({
    root: join(root, 'web'),
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    cacheDir: join(root, 'node_modules/.cache/vite'),
    plugins: [barePage],
    server: { host: '127.0.0.1', port: 0, fs: { allow: [root] } },
  })
  await pages.listen()
  const [url = ''] = pages.resolvedUrls?.local ?? []
  const browser = await openBrowser({ width: 1280, height: 900 })
  try {
    const page = await browser.context.newPage()
    await page.goto(url)
    await page.locator('#toast').waitFor()
    await page.waitForLoadState('networkidle')
    await page.evaluate('document.fonts.ready')
    await mkdir(folder, { recursive: true })
    for (const name of partNames) {
      const act = used[name]
      const panels = page.locator(`#${name} .schemes`)
      await page.mouse.move(0, 0)
      const picture = act ? await joined(page, name, act) : await panels.screenshot()
      await sharp(picture)
        .webp({ quality: 88 })
        .toFile(join(folder, `${name}.webp`))
      process.stdout.write(`${name}\n`)
    }
  } finally {
    await browser.close()
    await pages.close()
  }
}

const gap = 16

async function joined(page: Page, name: PartName, act: NonNullable<(typeof used)[PartName]>): Promise<Buffer> {
  const pictures: Buffer[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const shown = await act(page, page.locator(`#${name} .scheme.${colorScheme}`))
    pictures.push(await shown.screenshot())
    await page.keyboard.press('Escape')
  }
  await page.emulateMedia({ colorScheme: 'light' })
  const sizes = await Promise.all(pictures.map((picture) => sharp(picture).metadata()))
  const [first = { width: 0 }] = sizes
  return await sharp({
    create: {
      width: sizes.reduce((sum, { width }) => sum + width, gap),
      height: Math.max(...sizes.map(({ height }) => height)),
      channels: 4,
      background: '#00000000',
    },
  })
    .composite(pictures.map((input, n) => ({ input, top: 0, left: n * (first.width + gap) })))
    .png()
    .toBuffer()
}
