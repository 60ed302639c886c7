/** Version 1.0 shows accounts as version 2.0 does; when one of them must differ, it differs here. */
export { accountSchema, accountView } from '../../v2/views/account.ts'
