import { type ErrorCode, LatchkeyError } from '@latchkey/wire'

type InputCode = Extract<ErrorCode, 'INVALID_PARAMS' | 'EMAIL_INVALID' | 'PARSE_ERROR'>

/**
 * The error for an invalid field of a request, or for its `body`. `reason` is a sentence that
 * describes the expected value, with an example if that helps.
 */
export function badInput(
  field: string,
  reason: string,
  code: InputCode = 'INVALID_PARAMS',
): LatchkeyError {
  const data = { field, reason }
  return new LatchkeyError(code as 'INVALID_PARAMS', { data })
}

/** The sentence for a field that is no email address. */
export const noAddress = (field: string): string =>
  `${field} must be an email address, such as "ada@example.com"`

/** The field and the sentence of a {@link badInput}; undefined for other errors. */
export function readBadInput({ data }: LatchkeyError) {
  const { field, reason } = data as Readonly<Record<string, string | number | undefined>>
  if (field === undefined || reason === undefined) return undefined
  return { field: String(field), description: String(reason) }
}
