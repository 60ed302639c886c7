import type { V1Usage } from '../domain/v1-usage/v1-usage.ts'
import { command, type Output } from './command.ts'
import type { Finding } from './doctor/finding.ts'
import { withProgram } from './session.ts'

const marks = { ok: 'ok  ', warning: 'warn', problem: 'FAIL' } as const

export const doctorCommand = command({
  name: 'doctor',
  summary: 'Diagnose the set-up',
  options: { v1: { type: 'boolean', description: 'List clients that still call version 1.0, and which routes' } },
  async run(values, output) {
    if (values.v1) return await reportV1(output)
    const { diagnose } = await import('./diagnose.ts')
    const findings = await diagnose()
    const broken = findings.some(({ level }) => level === 'problem')
    output.result({ ok: !broken, findings }, findings.map(line).join('\n'))
    if (broken) process.exitCode = 1
  },
})

const line = ({ level, subject, words }: Finding) => `${marks[level]}  ${subject}: ${words}`

async function reportV1(output: Output): Promise<void> {
  const [{ v1UsageList, v1UsageScope }, { paginate }] = await Promise.all([
    import('../domain/v1-usage/v1-usage-store.ts'),
    import('../runtime/db/lists/paginate.ts'),
  ])
  const everybody = v1UsageScope({ userId: 0, companyId: null, admin: true })
  const query = { page: 1, perPage: 1000, filter: {}, sort: [] }
  const { rows } = await withProgram(({ context }) => paginate<V1Usage>(context.reader, v1UsageList, everybody, query))
  const lines = rows.map(
    (row) => `client ${row.client_id}  ${row.method} ${row.route}: ${row.calls} calls, last at ${row.last_called_at}`,
  )
  output.result({ calls: rows }, lines.length === 0 ? 'No client calls version 1.0.' : lines.join('\n'))
}
