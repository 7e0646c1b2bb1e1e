import { expect, test } from 'vitest'
import { errorCodeFromText, isError, LatchkeyError, toError } from './errors.ts'
import { getAlertText, getPresentation } from './presentation.ts'

test('default', () => {
  const cause = new Error('inner')
  const error = new LatchkeyError('NO_ADAPTER', { data: { namespace: 'solana' }, cause })
  expect(error.message).toBe("Adapter for namespace solana doesn't exist")
  expect(error.code).toBe('NO_ADAPTER')
  expect(error.cause).toBe(cause)
  expect(getPresentation('NO_ADAPTER')).toBe('inline')
})

test('param: data fills the long text too', () => {
  const error = new LatchkeyError('INVALID_APP_CONFIGURATION', { data: { origin: 'https://a.b' } })
  expect(error.message).toBe('Invalid App Configuration')
  expect(getAlertText(error)).toContain('https://a.b')
  expect(getPresentation(error.code)).toBe('alert')
  expect(getPresentation('SEND_FAILED')).toBe('toast')
})

test('behavior: matched by shape, never by class', () => {
  expect(isError({ name: 'LatchkeyError', code: 'TIMEOUT' }, 'TIMEOUT')).toBe(true)
  expect(isError({ name: 'LatchkeyError', code: 'NOPE' })).toBe(false)
  expect(isError(new Error('TIMEOUT'))).toBe(false)
  expect(isError(undefined)).toBe(false)
})

test('behavior: any thrown thing becomes a LatchkeyError', () => {
  const ours = new LatchkeyError('TIMEOUT')
  expect(toError(ours)).toBe(ours)
  expect(toError('text').code).toBe('INTERNAL')
  expect(toError(undefined).code).toBe('INTERNAL')
  expect(toError(new DOMException('x', 'AbortError')).code).toBe('ABORTED')
})

test('behavior: messages of other services', () => {
  expect(errorCodeFromText('Unauthorized: origin not allowed')).toBe('INVALID_APP_CONFIGURATION')
  expect(errorCodeFromText('JWT validation error: JWT Token is not yet valid: x')).toBe(
    'SESSION_EXPIRED',
  )
  expect(errorCodeFromText('Unauthorized: invalid key')).toBe('INVALID_PROJECT_ID')
  expect(errorCodeFromText('fine')).toBeUndefined()
})
