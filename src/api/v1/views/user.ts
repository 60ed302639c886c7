/** Version 1.0 shows users as version 2.0 does; when one of them must differ, it differs here. */
export { userSchema, userView } from '../../v2/views/user.ts'
