import type { Locator, Page } from 'playwright-core'

/** Somebody who describes a service in the studio from nothing, as people do: by clicks that are counted and keys that are pressed. */
export interface StudioHand {
  clicks: number
  keys: number
  click(target: Locator): Promise<void>
  type(target: Locator, text: string): Promise<void>
  /** From a list that opens: two clicks. */
  pick(target: Locator, label: string): Promise<void>
}

export function studioHand(): StudioHand {
  const hand: StudioHand = {
    clicks: 0,
    keys: 0,
    async click(target) {
      hand.clicks += 1
      await target.click()
    },
    async type(target, text) {
      await hand.click(target)
      await target.fill('')
      await target.pressSequentially(text)
      hand.keys += text.length
      await target.press('Tab')
    },
    async pick(target, label) {
      hand.clicks += 2
      await target.selectOption({ label })
    },
  }
  return hand
}

/**
 * What a person needs for it, by the figures that are usual for such estimates: 0.28 s for a key, 1.3 s to point and click,
 * and 10 s to think before each click, which is generous.
 */
export const minutesOf = ({ clicks, keys }: StudioHand, waitedSeconds: number): number =>
  (keys * 0.28 + clicks * (1.3 + 10) + waitedSeconds) / 60

export interface Wanted {
  address: string
  orders: string
  products: string
  currency: string
  /** What is picked from a list, or typed, after that, by the label of its field: in this order. */
  further?: readonly { pick?: string; type?: string; at: string }[]
  /** By what their fields are called. */
  keys: Readonly<Record<string, string>>
  name: string
  type: string
}

/** From the list of own services to one that is published: everything in between is taken from suggestions. */
export async function describeByHand(page: Page, hand: StudioHand, wanted: Wanted): Promise<void> {
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  await hand.click(page.getByRole('link', { name: 'Describe a service' }))
  await hand.type(page.getByLabel('Address', { exact: true }), wanted.address)
  await hand.type(page.getByLabel('Path of its orders'), wanted.orders)
  await hand.type(page.getByLabel('Path of its products'), wanted.products)
  await hand.type(page.getByLabel('Currency'), wanted.currency)
  for (const { at, pick, type } of wanted.further ?? []) {
    const target = page.getByLabel(at)
    if (pick !== undefined) await hand.pick(target, pick)
    if (type !== undefined) await hand.type(target, type)
  }
  for (const [label, key] of Object.entries(wanted.keys)) await hand.type(page.getByLabel(label), key)
  // What is suggested may make more visible: lines that were only ids before, and what is read of them.
  for (let round = 0; round < 3; round++) {
    await hand.click(button('Fetch a sample'))
    await page.getByText('Asking the shop…').waitFor({ state: 'hidden' })
    const all = button(/^Use all/)
    if (round > 0 && (await all.count()) === 0) break
    await hand.click(all)
    await all.waitFor({ state: 'hidden' })
  }
  await hand.click(button('Try everything'))
  await page.getByText('A level would be sent').waitFor()
  await page.getByText('Complete', { exact: true }).waitFor()
  await hand.type(page.getByLabel('Name', { exact: true }), wanted.name)
  await hand.type(page.getByLabel('Type', { exact: true }), wanted.type)
  await hand.click(button('Publish').last())
  await page.getByRole('heading', { name: wanted.name }).waitFor()
}
