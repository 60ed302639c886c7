import type { Tool } from '../tool.ts'
import { generalTools } from './general.ts'
import { orderChangeTools } from './order-changes.ts'
import { orderTools } from './orders.ts'
import { repairTools } from './repairs.ts'
import { shopTools } from './shops.ts'

/** Every tool there is, reads first. */
export const tools: readonly Tool[] = [
  ...shopTools,
  ...orderTools,
  ...generalTools,
  ...orderChangeTools,
  ...repairTools,
]

export const toolNamed = (name: string): Tool | undefined => tools.find((tool) => tool.name === name)

/** What a person chooses from. */
export const chosenTools = tools.filter((tool) => !tool.always)
export const writeToolNames = tools.filter((tool) => tool.kind === 'write').map(({ name }) => name)
