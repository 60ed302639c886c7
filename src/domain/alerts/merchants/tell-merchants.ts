import { type FieldErrors, invalid } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { holdApp } from '../../apps/app-store.ts'
import type { Context } from '../../context.ts'
import { messageOf } from '../../mail/letter.ts'
import { hasMail, postLetter } from '../../mail/send-mail.ts'
import type { Alert } from '../alert.ts'
import { linkFor } from '../sending/link.ts'
import { readersOf, readTemplate, saveTemplate } from './letter-store.ts'
import { type LetterTemplate, letterFrom, unknownNames } from './letter-template.ts'

/** One letter to each merchant who has agreed, about all shops of theirs that something was opened for. */
export async function tellMerchants(
  context: Pick<Context, 'mail' | 'keys' | 'enqueue' | 'publicUrl'>,
  trx: Db,
  opened: readonly Alert[],
): Promise<void> {
  if (!hasMail(context)) return
  const shops = [...new Set(opened.flatMap(({ integration_id: id }) => (id === null ? [] : [id])))]
  const readers = await readersOf(trx, shops)
  for (const ofAccount of Map.groupBy(readers, ({ account_id: id }) => id).values()) {
    const [reader] = ofAccount
    const theirs = new Set(ofAccount.map(({ integration_id: id }) => id))
    const alerts = opened.filter(
      ({ integration_id: id, kind, muted_until: muted }) =>
        id !== null && theirs.has(id) && muted === null && reader?.kinds.includes(kind),
    )
    if (!reader || alerts.length === 0) continue
    const about = { app: reader.app_name, merchant: reader.name, alerts }
    const endUrl = linkFor(context, { does: 'unsubscribe', account: reader.account_id })
    await postLetter(context, trx, letterFrom(reader, about, { to: reader.email, endUrl }))
  }
}

function check({ subject, body }: Partial<LetterTemplate>): void {
  const errors: FieldErrors = {}
  for (const [field, text = ''] of Object.entries({ subject, body })) {
    const [unknown] = unknownNames(text)
    if (unknown !== undefined) errors[field] = [`Nothing stands for {${unknown}}.`]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

export type TemplateChanges = { [Field in keyof LetterTemplate]?: LetterTemplate[Field] | undefined }

export async function writeTemplate(
  context: Pick<Context, 'transaction'>,
  appId: number,
  changes: TemplateChanges,
): Promise<LetterTemplate> {
  const given = definedOf(changes)
  check(given)
  return await context.transaction(async (trx) => {
    await holdApp(trx, appId)
    const after = { ...(await readTemplate(trx, appId)), ...given }
    await saveTemplate(trx, appId, after)
    return after
  })
}

const definedOf = (changes: TemplateChanges): Partial<LetterTemplate> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))

/** As a merchant would get it, with a shop that stands for theirs. Nothing is kept or sent. */
export async function previewTemplate(
  context: Pick<Context, 'db' | 'publicUrl'>,
  app: { id: number; name: string },
  changes: TemplateChanges,
): Promise<{ subject: string; text: string; html: string }> {
  const given = definedOf(changes)
  check(given)
  const template = { ...(await readTemplate(context.db, app.id)), ...given }
  const about = { app: app.name, merchant: 'Ada', alerts: [exampleAlert(app.id)] }
  const place = { to: 'merchant@example.com', endUrl: `${context.publicUrl}/…` }
  const { subject, text, html } = messageOf('preview', letterFrom(template, about, place))
  return { subject, text, html }
}

const exampleAlert = (appId: number): Alert => ({
  ...{ id: 0, app_id: appId, kind: 'integration_error', cause: 'integration:0', severity: 'critical', count: null },
  ...{ integration_id: 0, integration_name: 'Atelier Nord', webhook_id: null, webhook_url: null, user_id: null },
  ...{ run_id: null, since: null, opened_at: '', updated_at: '', closed_at: null, acknowledged_at: null },
  ...{ acknowledged_by: null, muted_until: null, reason: 'credentials_rejected' },
})
