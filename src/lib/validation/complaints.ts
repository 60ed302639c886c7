import { speaker } from '../words/wording.ts'

/** What a 422 says of a field. */
export const complaintSentences = {
  field_required: 'The {field} field is required.',
  field_required_without: 'The {field} field is required when {other} is not present.',
  field_selected: 'The selected {field} is invalid.',
  field_format: 'The {field} field format is invalid.',
  field_must: 'The {field} field must {what}.',
  field_duplicate: 'The {field} field has a duplicate value.',
  field_string: 'The {field} field must be a string.',
  field_integer: 'The {field} field must be an integer.',
  field_number: 'The {field} field must be a number.',
  field_boolean: 'The {field} field must be true or false.',
  field_array: 'The {field} field must be an array.',
  field_min: 'The {field} field must be at least {min}.',
  field_max: 'The {field} field must not be greater than {max}.',
  field_min_length: 'The {field} field must be at least {min} characters.',
  field_max_length: 'The {field} field must not be greater than {max} characters.',
  field_min_items: 'The {field} field must have at least {min} items.',
  field_max_items: 'The {field} field must not have more than {max} items.',
  field_max_size: 'The {field} field must not be greater than {max} kilobytes.',
  field_email: 'The {field} field must be a valid email address.',
  field_url: 'The {field} field must be a valid URL.',
  field_uuid: 'The {field} field must be a valid UUID.',
  field_timezone: 'The {field} field must be a valid timezone.',
  field_date: 'The {field} field must be a valid date.',
} as const

export const complaint = speaker(complaintSentences)
