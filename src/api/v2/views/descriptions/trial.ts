import { type Static, Type } from 'typebox'
import type { TrialReport } from '../../../../domain/descriptions/try-description.ts'
import { partNames, stepNames, stepStates } from '../../../../domain/descriptions/try-step.ts'
import { choice } from '../../../../lib/validation/fields.ts'
import { nullableText } from '../record.ts'

const part = choice(partNames)
const place = Type.String({ description: 'Path, expression or template in the record of the shop' })

export const trialSchema = Type.Object({
  ok: Type.Boolean({ description: 'Whether the description could be published as it is' }),
  mistakes: Type.Array(
    Type.Object({ at: Type.String({ description: 'Place in the description' }), messages: Type.Array(Type.String()) }),
  ),
  steps: Type.Array(
    Type.Object({
      name: choice(stepNames),
      part: Type.Union([part, Type.Null()]),
      state: choice(stepStates),
      words: Type.String(),
    }),
    { description: 'What was tried, in order' },
  ),
  samples: Type.Array(
    Type.Object({
      part,
      theirs: Type.Unknown({
        description:
          'The record as the shop sent it, with what was joined to it; only the beginning of one that is too large to be read',
      }),
      ours: Type.Unknown({ description: 'What we make of it; null where that failed' }),
      error: nullableText,
      fields: Type.Array(Type.Object({ field: Type.String(), place, found: Type.Unknown() }), {
        description: 'Our fields that are mapped, where each comes from, and what the record has there',
      }),
    }),
  ),
  suggestions: Type.Array(
    Type.Object({
      part,
      field: Type.String({ description: 'Place in that part of the description' }),
      place,
      example: Type.String(),
      certainty: Type.Integer({ minimum: 0, maximum: 100 }),
      at: Type.String({ description: 'Place in the whole description' }),
      value: Type.Unknown({ description: 'What would stand there' }),
    }),
    {
      description:
        'What the description most likely lacks, by names and shapes of the records: places of fields, how the list goes on, words of statuses, what would be sent',
    },
  ),
  suggested_format: Type.Union([Type.Object({ time: Type.String() }), Type.Null()]),
  requests: Type.Array(
    Type.Object({
      method: Type.String(),
      path: Type.String(),
      status: Type.Union([Type.Integer(), Type.Null()], { description: 'Null where no answer came' }),
    }),
    { description: 'What the shop was asked; at most 60' },
  ),
})

export const trialView = (report: TrialReport): Static<typeof trialSchema> => ({
  ok: report.ok,
  mistakes: report.mistakes.map(({ at, messages }) => ({ at, messages: [...messages] })),
  steps: [...report.steps],
  samples: report.samples.map((sample) => ({ ...sample, fields: [...sample.fields] })),
  suggestions: [...report.suggestions],
  suggested_format: report.suggestedFormat,
  requests: [...report.requests],
})

export const schemaOfDefinitions = Type.Object({
  schema: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema, draft 2020-12' }),
})

export const draftSchema = Type.Object({
  definition: Type.Record(Type.String(), Type.Unknown()),
  found: Type.Array(Type.Object({ part, path: Type.String(), method: Type.String() })),
  open: Type.Array(Type.String(), { description: 'What the document does not tell' }),
})
