/** Everything that an outside page may use, by one script tag. */
import './connect.ts'
import './integrations.ts'
import './logs.ts'
import './order.ts'
import './schedules.ts'
import './stock-element.ts'
