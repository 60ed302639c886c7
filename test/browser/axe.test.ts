import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'

/** Texts that are alike are not all judged, and what is not alike is found among them. */

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const many = (item: string) => Array.from({ length: 40 }, () => item).join('')

async function contrastOf(items: string): Promise<string[]> {
  const page = await browser.context.newPage()
  await page.setContent(`<!doctype html><html lang="en"><title>List</title><style>
    li { color: #333; background: #fff } .pale { color: #ccc } .away { display: none }</style><ul>${items}</ul></html>`)
  const wrong = await axeViolations(page, ['color-contrast'])
  await page.close()
  return wrong
}

test('the first ten of those that are alike stand for the others', async () => {
  expect(await contrastOf(many('<li>Text</li>'))).toEqual([])
  expect(await contrastOf(many('<li class="pale">Text</li>'))).toHaveLength(10)
})

test.each([
  ['another class', '<li class="pale">Text</li>'],
  ['a style of its own', '<li style="color: #ccc">Text</li>'],
  ['something within', '<li><span class="pale">Text</span></li>'],
])('one with %s is found behind them', async (_, odd) => {
  expect(await contrastOf(`${many('<li>Text</li>')}${odd}${many('<li>Text</li>')}`)).toHaveLength(1)
})

test('those that nobody sees stand for none', async () => {
  expect(await contrastOf(`${many('<li class="pale"></li>')}<li class="pale">Text</li>`)).toHaveLength(1)
  expect(await contrastOf(`${many('<li class="pale away">Text</li>')}<li class="pale">Text</li>`)).toHaveLength(1)
})
