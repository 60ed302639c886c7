import { html, type TemplateResult } from 'lit'
import { define } from '../parts/element.ts'
import { problem } from '../parts/problem.ts'
import { Embedded } from './embedded.ts'
import { beside } from './words/index.ts'

/**
 * `<entrepot-stock>`: the stock that the shops of the account share. What it shows is fetched when the first one is on a page: most pages have none,
 * and would wait for it all the same.
 */
class Stock extends Embedded {
  static override properties = { ...Embedded.properties, isThere: { state: true }, failure: { state: true } }
  declare isThere: boolean
  declare failure: unknown

  constructor() {
    super()
    this.isThere = false
    this.failure = null
  }

  override async begin(): Promise<void> {
    try {
      await import(/* @vite-ignore */ beside('stock.js', '../stock.ts'))
      this.isThere = true
      this.failure = null
    } catch (error) {
      this.failure = error
    }
  }

  override render(): TemplateResult {
    const { words } = this
    if (this.failure) return problem(this.failure, { retry: () => void this.begin(), words })
    if (!this.isThere) return html`<p class="muted" role="status">${this.mayAsk ? words.loading : words.needsToken}</p>`
    return html`<ep-stock exportparts="stock, articles, article, problem, badge" lang=${this.language} .baseUrl=${this.baseUrl}
      .getToken=${this.getToken} .session=${this.session} .token=${this.token}></ep-stock>`
  }
}
define('entrepot-stock', Stock)
