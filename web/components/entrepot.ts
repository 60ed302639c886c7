/** Everything that an outside page may use, by one script tag. */
import './connect.ts'
