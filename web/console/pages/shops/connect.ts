import { html, nothing, type TemplateResult } from 'lit'
import '../../../components/connect.ts'
import { define } from '../../../parts/element.ts'
import { settled } from '../../../parts/settled.ts'
import { empty } from '../../../parts/table.ts'
import { accountSession, asApp, ask } from '../../api.ts'
import { Page } from '../../page.ts'
import { changeQuery, href, navigate } from '../../router.ts'

type Data = Awaited<ReturnType<typeof read>>

/** A shop is connected in the same element that merchants use, in the name of one of the app's accounts. */
class ConnectPage extends Page<Data> {
  override load() {
    return read(this.params['app'] ?? '', this.query.get('integration'))
  }

  override show({ accounts, owner }: Data): TemplateResult {
    const app = this.params['app'] ?? ''
    const chosen = accounts.find(({ id }) => id === owner || String(id) === this.query.get('account')) ?? accounts[0]
    if (!chosen) {
      return html`<h1>Connect a shop</h1>${empty(
        'There is no account yet',
        'A shop belongs to an account: one of your merchants. Make the first one, then connect its shop.',
        html`<a class="button primary" href=${href(`/apps/${app}/accounts`)}>Go to accounts</a>`,
      )}`
    }
    const integration = this.query.get('integration')
    const pick = (value: string) => changeQuery({ account: value }, { replace: true })
    const done = (event: CustomEvent<{ integration_id: number }>) =>
      navigate(`/apps/${app}/integrations/${event.detail.integration_id}`)
    return html`<h1>${integration ? 'Connect a shop again' : 'Connect a shop'}</h1>
      ${
        integration
          ? nothing
          : html`<label class="row">For the account
              <select ${settled(pick)}>
                ${accounts.map(({ id, name, remote_id: remoteId }) => html`<option value=${id} .selected=${id === chosen.id}>${name ?? remoteId}</option>`)}
              </select>
            </label>`
      }
      <div class="card">
        <entrepot-connect .session=${accountSession(app, chosen.id)} .service=${this.query.get('service')} .integration=${integration} autofocus @entrepot-connected=${done}></entrepot-connect>
      </div>`
  }
}
define('ep-page-connect', ConnectPage)

async function read(app: string, integration: string | null) {
  const client = asApp(app)
  const { data: accounts } = await ask(client.GET('/api/2.0/app/accounts', { params: { query: { per_page: 100 } } }))
  if (!integration) return { accounts, owner: null }
  const path = { integration }
  const { data } = await ask(client.GET('/api/2.0/app/integrations/{integration}', { params: { path } }))
  return { accounts, owner: data.account_id }
}
