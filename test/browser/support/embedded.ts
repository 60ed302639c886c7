import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { data, rows } from '../../integrations/support.ts'
import { axeViolations } from './axe.ts'
import type { Browser } from './chromium.ts'
import { type HostOptions, openHostPage } from './host-page.ts'
import type { Stage } from './stage.ts'
import { watchPage } from './watch.ts'

interface Host extends Pick<HostOptions, 'language' | 'direction'> {
  tokens?: () => Promise<string>
  dark?: boolean
}

/** A page of somebody else's with this in it, and what should not have happened on it. */
export async function hostIn(
  { stage, browser }: { stage: Stage; browser: Browser },
  body: string,
  { tokens = stage.accountToken, dark, ...manner }: Host = {},
) {
  const page = await browser.context.newPage()
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
  const outsider = await openHostPage({ service: stage.origin, body, token: tokens, ...manner })
  const { problems } = watchPage(page, [outsider.origin, stage.origin])
  await page.goto(outsider.url)
  const close = async () => {
    expect(problems).toEqual([])
    await page.close()
    await outsider.close()
  }
  return { page, problems, close }
}

/** On the stage and in the browser of a file. */
export type HostIn = (body: string, options?: Host) => ReturnType<typeof hostIn>

/** Accessible in light and in dark, where only the colours are others. */
export async function bothSchemes(page: Page) {
  for (const [colorScheme, rules] of [
    ['light', undefined],
    ['dark', ['color-contrast']],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    expect([colorScheme, await axeViolations(page, rules)]).toEqual([colorScheme, []])
  }
}

/** Begins to share the stock of a shop, once its levels are there; the SKU of one article. */
export async function shareStock({ merchant }: Stage, integration: number): Promise<string> {
  const levels = async () =>
    rows(await merchant.asAccount('GET', `/inventory?integration_id=${integration}&per_page=100`))
  await expect.poll(async () => (await levels()).length).toBeGreaterThan(1)
  const [level] = await levels()
  data(await merchant.asAccount('PUT', '/stock', {}))
  data(await merchant.asAccount('PUT', `/stock/shops/${integration}`, { location: level?.['location'] }))
  data(await merchant.asAccount('POST', '/stock/articles/match', { create: true }))
  return String(level?.['sku'])
}
