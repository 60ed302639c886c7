import { css, html, nothing, type TemplateResult } from 'lit'
import type { Series } from '../../../parts/chart.ts'
import { define, Element } from '../../../parts/element.ts'
import { problem, problems } from '../../../parts/problem.ts'
import { asApp, ask } from '../../api.ts'
import { byDay, type Comparison } from './coverage-days.ts'

const figureIn = (result: unknown, name: string): number => {
  const value = Object(result)[name] as unknown
  return typeof value === 'number' ? value : 0
}

/** The last thirty days, or as far back as there are any; runs are kept for ninety. */
async function readComparisons(app: string, integrationId: string): Promise<Comparison[]> {
  const query = { 'filter[resource]': 'reconcile', 'filter[status]': 'completed', per_page: 100 } as never
  const params = { path: { integrationId }, query }
  const { data } = await ask(asApp(app).GET('/api/2.0/app/integrations/{integrationId}/runs', { params }))
  return data.flatMap(({ finished_at: at, result }) =>
    at === null
      ? []
      : [
          {
            at,
            compared: figureIn(result, 'compared'),
            missing: figureIn(result, 'missing'),
            stale: figureIn(result, 'stale'),
            healed: figureIn(result, 'healed'),
          },
        ],
  )
}

/** Coverage over time: how much was compared, what was missing or outdated, and what was healed. Read anew after each comparison. */
class Coverage extends Element {
  static override properties = {
    app: {},
    integration: {},
    proven: {},
    comparisons: { state: true },
    failure: { state: true },
  }
  declare app: string
  declare integration: string
  /** When the last comparison was. */
  declare proven: string
  declare comparisons: readonly Comparison[] | null
  declare failure: unknown

  constructor() {
    super()
    this.comparisons = null
    this.failure = null
    void import('../../../parts/chart.ts')
  }

  override willUpdate(changed: Map<PropertyKey, unknown>) {
    if (changed.has('proven') || changed.has('integration')) void this.#read()
  }

  #read = async () => {
    try {
      this.comparisons = await readComparisons(this.app, this.integration)
      this.failure = null
    } catch (error) {
      this.failure = error
    }
  }

  override render(): TemplateResult | typeof nothing {
    if (this.failure) return problem(this.failure, { retry: () => void this.#read() })
    if (!this.comparisons || this.comparisons.length === 0) return nothing
    const { steps, ...days } = byDay(this.comparisons)
    const found: Series[] = [
      { name: 'Missing', colour: '--_critical', values: days.missing },
      { name: 'Outdated', colour: '--_notice', values: days.stale },
    ]
    const healed: Series[] = [{ name: 'Healed', colour: '--_positive', values: days.healed }]
    const compared: Series[] = [{ name: 'Compared', colour: '--_accent', values: days.compared }]
    const chart = (heading: string, series: readonly Series[]) =>
      html`<ep-chart .heading=${heading} .steps=${steps} .step=${'day'} .unit=${'records'} .series=${series}></ep-chart>`
    return html`${chart('Compared with the shop', compared)}${chart('Found missing or outdated', found)}${chart('Healed', healed)}`
  }

  static override styles = [
    ...Element.styles,
    problems,
    css`
      :host {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr));
        gap: 16px 24px;
      }
      ep-chart {
        min-height: 192px;
      }
    `,
  ]
}
define('ep-coverage', Coverage)
