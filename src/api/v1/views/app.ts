/** Version 1.0 shows apps as version 2.0 does; when one of them must differ, it differs here. */
export { appSchema, appView } from '../../v2/views/app.ts'
