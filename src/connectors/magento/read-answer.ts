import type { AnswerReading } from '../../commerce/connector/remote-rules.ts'
import { fieldsOf, isFields } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'

export const where =
  'System → Extensions → Integrations → API (one that was deactivated or deleted is answered in the same way)'

/** Rights that are missing are told with the status of wrong keys, and by name. */
export function readAnswer({ status, body }: RemoteAnswer): AnswerReading {
  if (status !== 401 || !isFields(body) || !/authorized to access/.test(String(body['message']))) return {}
  const given = isFields(body['parameters']) ? fieldsOf(body['parameters'])['resources'] : null
  return { missingRight: { name: typeof given === 'string' ? given : 'a resource', where } }
}
