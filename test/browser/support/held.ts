import type { Page, Request } from 'playwright-core'

/** An answer on its way that takes longer than those after it. */
export interface Held {
  /** The service has answered; the page does not know yet. */
  asked: Promise<void>
  /** The page has the answer, and has drawn what follows from it. */
  letGo(): Promise<void>
}

/** Of the next request that fits. */
export async function holdAnswer(page: Page, fits: (url: URL) => boolean, method = 'GET'): Promise<Held> {
  const asked = Promise.withResolvers<void>()
  const going = Promise.withResolvers<void>()
  let held: Request | null = null
  await page.route(fits, async (route) => {
    const request = route.request()
    if (held !== null || request.method() !== method) return await route.fallback()
    held = request
    const response = await route.fetch()
    asked.resolve()
    await going.promise
    await route.fulfill({ response })
  })
  return {
    asked: asked.promise,
    async letGo() {
      const arrived = page.waitForEvent('requestfinished', (request) => request === held)
      going.resolve()
      await arrived
      await drawn(page)
    },
  }
}

/** What has arrived is read, and painted. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    let frames = 5
    const next = () => (frames-- > 0 ? requestAnimationFrame(() => setTimeout(next)) : resolve())
    next()
  })`)
