/** Version 1.0 shows schedules as version 2.0 does; when one of them must differ, it differs here. */
export { scheduleSchema, scheduleView } from '../../v2/views/schedule.ts'
