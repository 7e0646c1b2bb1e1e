import { type ErrorCode, errors, isError, LatchkeyError, toError } from '@latchkey/wire'

/** Serializes an error: its code and the data for its message, never a cause or a stack. */
export function serializeError(error: unknown): {
  code: ErrorCode
  data: Record<string, string | number>
} {
  const { code, data } = toError(error)
  return { code, data: { ...data } }
}

/** Restores the error of {@link serializeError}; unknown codes become INTERNAL. */
export function deserializeError(failure: {
  code: string
  data: Record<string, string | number>
}): Error {
  const restored = { name: 'LatchkeyError', code: failure.code }
  if (!isError(restored) || !Object.hasOwn(errors, failure.code))
    return new LatchkeyError('INTERNAL')
  return new LatchkeyError(failure.code as 'RPC_FAILED', {
    data: failure.data as { reason: string },
  })
}
