import { endpoints } from '../api/index.ts'
import { apiFacts } from '../api/openapi-page.ts'
import { openApiDocument } from '../runtime/http/openapi.ts'
import { command } from './command.ts'

export const openApiCommand = command({
  name: 'openapi',
  summary: 'Print the OpenAPI document',
  options: {},
  async run(_values, output) {
    const document = openApiDocument(endpoints, apiFacts)
    output.result(document, JSON.stringify(document, null, 2))
  },
})
