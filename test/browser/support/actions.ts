import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Somebody at the console whose actions are counted. One action is: a chord with the text that follows it, text typed into the
 * field that has the focus, or a tap; typing into a field that has to be tapped first is one as well.
 */
export interface Person {
  page: Page
  /** Opens the search over everything and types. */
  find(text: string): Promise<void>
  /** Takes what is offered first. */
  take(name: string | RegExp): Promise<void>
  /** Types into a field: by keyboard the one that has the focus, after a chord where that has to come first. */
  type(field: Locator, text: string, chord?: string): Promise<void>
  /** Sends the form, or answers the question. */
  confirm(button: Locator): Promise<void>
  actions(): number
}

interface InTree {
  getRootNode(): { activeElement: unknown }
}

async function focused(field: Locator): Promise<void> {
  await field.waitFor()
  for (let tries = 0; tries < 200; tries++) {
    if (await field.evaluate((element: InTree) => element.getRootNode().activeElement === element)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The focus is not at ${String(field)}.`)
}

const offered = (page: Page, name: string | RegExp) => page.getByRole('option', { name }).first()

export function byKeyboard(page: Page): Person {
  let count = 0
  const press = async (chord: string) => {
    count++
    await page.keyboard.press(chord)
  }
  return {
    page,
    async find(text) {
      await press('Control+k')
      await focused(page.getByRole('combobox', { name: 'Find anything' }))
      await page.keyboard.type(text)
    },
    async take(name) {
      const option = offered(page, name)
      await option.waitFor()
      await expect
        .poll(() => option.getAttribute('aria-selected'), { message: `${String(name)} is first` })
        .toBe('true')
      await press('Enter')
    },
    async type(field, text, chord) {
      if (chord) await page.keyboard.press(chord)
      count++
      await focused(field)
      await page.keyboard.type(text)
    },
    async confirm(button) {
      await button.waitFor()
      await press('Enter')
    },
    actions: () => count,
  }
}

export function byTouch(page: Page): Person {
  let count = 0
  return {
    page,
    async find(text) {
      count++
      await page.getByRole('button', { name: 'Find anything' }).tap()
      await focused(page.getByRole('combobox', { name: 'Find anything' }))
      await page.keyboard.type(text)
    },
    async take(name) {
      count++
      await offered(page, name).tap()
    },
    async type(field, text) {
      count++
      await field.tap()
      await focused(field)
      await page.keyboard.type(text)
    },
    async confirm(button) {
      count++
      await button.tap()
    },
    actions: () => count,
  }
}
