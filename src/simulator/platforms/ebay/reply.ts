import { type Answer, answer } from '../../http/route.ts'

/** The newer interfaces tell errors by number. */
export const no = (status: number, errorId: number, message: string): Answer =>
  answer(status, { errors: [{ errorId, domain: 'API', category: 'REQUEST', message }] })

export const badToken = () => no(401, 1001, 'Invalid access token')

/** The older interface wraps them in another way. */
export const oldNo = (status: number, message: string): Answer =>
  answer(status, { error: [{ errorId: 1616, domain: 'post_order', category: 'REQUEST', message }] })
