import { html, type TemplateResult } from 'lit'
import '../../../components/schedules.ts'
import { define } from '../../../parts/element.ts'
import { empty } from '../../../parts/table.ts'
import { accountSession } from '../../api.ts'
import { Page } from '../../page.ts'
import { picker, readChosen } from '../../shops/integration-picker.ts'
import { noIntegrations } from '../../shops/no-integrations.ts'

type Data = Awaited<ReturnType<typeof read>>

/** Pages that show one of the embedded elements for an integration that is picked. */
abstract class OfIntegration extends Page<Data> {
  abstract heading: string
  abstract element(session: Readonly<Record<string, string>>, integration: number): TemplateResult

  override load() {
    return read(this.params['app'] ?? '', this.query)
  }

  override show({ chosen }: Data): TemplateResult {
    const app = this.params['app'] ?? ''
    if (!chosen) return html`<h1>${this.heading}</h1>${noIntegrations(app)}`
    return html`<h1>${this.heading}</h1>
      <div class="row">${picker(app, chosen)}</div>
      ${
        chosen.account_id === null
          ? empty(
              'This shop is not linked to a merchant yet',
              'This shop is not linked to a merchant yet. What belongs to it appears here once it is.',
            )
          : this.element(accountSession(app, chosen.account_id), chosen.id)
      }`
  }
}

class SchedulesPage extends OfIntegration {
  override heading = 'Schedules'
  override element = (session: Readonly<Record<string, string>>, integration: number) =>
    html`<entrepot-schedules .session=${session} .integration=${String(integration)}></entrepot-schedules>`
}
define('ep-page-schedules', SchedulesPage)

const read = async (app: string, query: URLSearchParams) => ({ chosen: await readChosen(app, query) })
