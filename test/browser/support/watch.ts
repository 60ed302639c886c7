import type { Page } from 'playwright-core'

/** Everything that should not happen on a page of ours, as it happens: errors, refused resources, foreign hosts. */
export function watchPage(page: Page, origins: readonly string[]): { problems: string[] } {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
      problems.push(`console: ${message.text()}`)
  })
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !origins.includes(origin)) problems.push(`foreign host: ${request.url()}`)
  })
  return { problems }
}
