import { findProposalOfGrant } from '../../../domain/agents/proposal-store.ts'
import { Fault } from '../../../lib/fault.ts'
import { id, object, text } from '../../../lib/validation/fields.ts'
import { allGuides } from '../../guide-pages.ts'
import { fieldsOf, readTool, refusalOf, ToolRefusal } from '../tool.ts'

/** What every agent has: its own bounds, what became of its wishes, and the documentation. */

const limits = readTool({
  name: 'limits',
  title: 'Look at your limits',
  description:
    'Shows what you may use: tools, shops, customer data, calls an hour and changes a day, and what is left.',
  always: true,
  input: object({}),
  async run(asking) {
    const { bounds, grantId } = asking.agent
    await asking.get('/api/2.0/app/integrations?per_page=1')
    const used = asking.used ?? { calls: 0, writes: 0 }
    return {
      text: `${Math.max(0, bounds.calls_per_hour - used.calls)} calls are left in this hour, ${Math.max(0, bounds.writes_per_day - used.writes)} changes today.`,
      data: {
        agent_id: grantId,
        tools: bounds.tools,
        shops: bounds.shops ?? 'all',
        customer_data: bounds.customer_data,
        calls_per_hour: { limit: bounds.calls_per_hour, used: used.calls },
        writes_per_day: { limit: bounds.writes_per_day, used: used.writes },
        requests_per_minute: asking.window,
      },
    }
  },
})

const approvalStatus = readTool({
  name: 'approval_status',
  title: 'Ask what became of a change',
  description:
    'Shows whether a change that you asked for still waits, was approved or refused by a person, and how it went. Ask again after a while; do not ask for the change again.',
  always: true,
  input: object({ approval_id: id('As the change was answered with') }),
  async run(asking, { approval_id: approval }) {
    const { context, agent } = asking
    const proposal = await findProposalOfGrant(context.db, context.keys, {
      grantId: agent.grantId,
      id: approval,
    }).catch((error: unknown) => {
      if (error instanceof Fault) throw new ToolRefusal('unknown', 'You have asked for no such change.')
      throw error
    })
    const { status, tool, answer } = proposal
    const common = {
      approval_id: approval,
      tool,
      status,
      expires_at: proposal.expires_at,
      decided_at: proposal.decided_at,
    }
    if (status === 'failed' && answer) {
      const { message, data } = refusalOf(answer.status, answer.body)
      return { text: `It was approved and failed. ${message}`, data: { ...data, ...common } }
    }
    const result = status === 'done' && answer ? fieldsOf(answer.body) : undefined
    return { text: words[status], data: { ...common, ...(result && { result }) } }
  },
})

const words = {
  waiting: 'A person has not decided yet.',
  approved: 'It was approved and is being carried out.',
  done: 'It was approved and carried out.',
  failed: 'It was approved and failed.',
  refused: 'A person has refused it.',
  expired: 'Nobody decided within a day; nothing was done.',
} as const

const maxHits = 5
const maxShown = 1500

const searchDocs = readTool({
  name: 'search_docs',
  title: 'Search the documentation',
  description: 'Finds sections of the guides by words: installing, orders, webhooks, limits, errors, operation.',
  always: true,
  input: object({ query: text({ max: 200 }) }),
  async run(asking, { query }) {
    const wanted = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_-]{2,}/gu) ?? [])]
    if (wanted.length === 0) throw new ToolRefusal('invalid', 'Send words to look for.')
    const sections = (await allGuides()).flatMap((guide) => guide.sections)
    const scored = sections.flatMap((section) => {
      const [title, body] = [section.title.toLowerCase(), section.text.toLowerCase()]
      const hits = wanted.filter((word) => title.includes(word) || body.includes(word))
      const score = hits.length * 10 + wanted.filter((word) => title.includes(word)).length * 5
      return hits.length === 0 ? [] : [{ section, score }]
    })
    scored.sort((a, b) => b.score - a.score || a.section.text.length - b.section.text.length)
    const found = scored.slice(0, maxHits).map(({ section }) => ({
      guide: section.guide,
      title: section.title,
      url: asking.context.publicUrl + section.address,
      text: section.text.slice(0, maxShown),
    }))
    return { text: `${found.length} of ${scored.length} sections.`, data: { sections: found } }
  },
})

export const generalTools = [limits, approvalStatus, searchDocs]
