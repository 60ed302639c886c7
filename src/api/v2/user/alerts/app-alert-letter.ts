import { type Static, Type } from 'typebox'
import { readTemplate } from '../../../../domain/alerts/merchants/letter-store.ts'
import {
  type LetterTemplate,
  merchantKinds,
  placeholders,
} from '../../../../domain/alerts/merchants/letter-template.ts'
import { previewTemplate, writeTemplate } from '../../../../domain/alerts/merchants/tell-merchants.ts'
import { choice, flag, list, object, optional, text } from '../../../../lib/validation/fields.ts'
import { record } from '../../../../runtime/http/endpoint.ts'
import { endpoint } from '../../../define.ts'
import { groups } from '../../../groups.ts'
import { appInPath, mutableAppInPath } from '../../in-path.ts'

const names = placeholders.map((name) => `\`{${name}}\``).join(', ')

const fields = {
  active: flag('Whether merchants who have agreed get letters'),
  kinds: list(choice(merchantKinds), { max: merchantKinds.length, unique: true, description: 'Of what they are told' }),
  subject: text({ max: 200, description: `With ${names}` }),
  body: text({ max: 5000, description: `Paragraphs with an empty line between them, with ${names}` }),
}
const body = object({
  active: optional(fields.active),
  kinds: optional(fields.kinds),
  subject: optional(fields.subject),
  body: optional(fields.body),
})

const letterSchema = Type.Object({
  active: Type.Boolean(),
  kinds: Type.Array(Type.String()),
  subject: Type.String(),
  body: Type.String(),
})

const view = ({ active, kinds, subject, body: said }: LetterTemplate): Static<typeof letterSchema> => ({
  active,
  kinds,
  subject,
  body: said,
})

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/alert-letter',
  right: 'read-app',
  extension: true,
  summary: 'Get what merchants are told by letter',
  find: appInPath,
  returns: record(letterSchema),
  handle: async ({ context, found }) => view(await readTemplate(context.db, found.id)),
})

const update = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/apps/{appId}/alert-letter',
  right: 'manage-access',
  extension: true,
  summary: 'Change what merchants are told by letter',
  description:
    'One letter to each account that has agreed and has an e-mail address, when something of these kinds is opened for its shops.',
  find: mutableAppInPath,
  body,
  example: { active: true, kinds: ['integration_error'], subject: '{app}: {shops} has to be connected again' },
  returns: record(letterSchema),
  handle: async ({ context, found, body: changes }) => view(await writeTemplate(context, found.id, changes)),
})

const preview = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/alert-letter/preview',
  right: 'read-app',
  extension: true,
  summary: 'See a letter to merchants',
  description: 'As it would be with these changes. Nothing is kept or sent.',
  unauditedBecause: 'It changes nothing.',
  status: 200,
  find: appInPath,
  body,
  example: { subject: '{app}: {shops} has to be connected again' },
  returns: record(Type.Object({ subject: Type.String(), text: Type.String(), html: Type.String() })),
  handle: ({ context, found, body: changes }) => previewTemplate(context, found, changes),
})

export const userAppAlertLetter = [get, update, preview]
