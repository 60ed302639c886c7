import { endpoints } from '../api/index.ts'
import { apiDocument } from '../api/openapi-page.ts'
import { command } from './command.ts'

export const openApiCommand = command({
  name: 'openapi',
  summary: 'Print the OpenAPI document',
  options: {},
  async run(_values, output) {
    const document = apiDocument(endpoints)
    output.result(document, JSON.stringify(document, null, 2))
  },
})
