import { type Static, Type } from 'typebox'
import { answerDevice, findDevice } from '../../domain/oauth/device/decide-device.ts'
import type { DeviceAuthorization } from '../../domain/oauth/device/device-store.ts'
import { choice, object, text } from '../../lib/validation/fields.ts'
import { record } from '../../runtime/http/endpoint.ts'
import { endpoint } from '../define.ts'
import { groups } from '../groups.ts'
import { nullableText, timestamp } from '../v2/views/record.ts'

const decisions = ['approve', 'deny'] as const
const userCode = text({ max: 20, description: 'As the program shows it' })

const deviceSchema = Type.Object({
  client: Type.String(),
  scopes: Type.Array(Type.String()),
  address: Type.String({ description: 'Where the program asks from' }),
  agent: nullableText,
  state: Type.String({ description: '`pending`, `approved`, `denied` or `used`' }),
  created_at: timestamp,
  expires_at: timestamp,
})

const deviceView = (device: DeviceAuthorization): Static<typeof deviceSchema> => ({
  client: device.client,
  scopes: device.scopes,
  address: device.address,
  agent: device.agent,
  state: device.state,
  created_at: device.createdAt,
  expires_at: device.expiresAt,
})

const look = endpoint({
  group: groups.console,
  method: 'POST',
  path: '/device/look',
  extension: true,
  summary: 'Look at a program that asks for a token',
  unauditedBecause: 'It changes nothing.',
  body: object({ user_code: userCode }),
  example: { user_code: 'BCDF-GHJK' },
  status: 200,
  returns: record(deviceSchema),
  handle: async ({ context, caller, body }) => deviceView(await findDevice(context, caller, body.user_code)),
})

const decide = endpoint({
  group: groups.console,
  method: 'POST',
  path: '/device/decide',
  extension: true,
  summary: 'Approve or deny a program that asks for a token',
  description: 'It gets a token of the person who approves, with the scopes that were shown and no others.',
  audits: 'sign_in',
  detailOf: (body) =>
    decisions.find(
      (known) => typeof body === 'object' && body !== null && 'decision' in body && body.decision === known,
    ),
  body: object({ user_code: userCode, decision: choice(decisions) }),
  example: { user_code: 'BCDF-GHJK', decision: 'approve' },
  status: 200,
  returns: record(deviceSchema),
  async handle({ context, caller, body: { user_code: code, decision } }) {
    const device = await findDevice(context, caller, code)
    return deviceView(await answerDevice(context, caller, { device, approves: decision === 'approve' }))
  },
})

export const consoleDevice = [look, decide]
