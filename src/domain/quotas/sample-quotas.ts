import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { takeSamples } from './quota-sample-store.ts'

export const sampleQuotas = job({
  name: 'sample-quotas',
  input: Type.Object({}),
  oneAtATime: () => 'sample-quotas',
  run: (context: Context) => takeSamples(context.db),
})
