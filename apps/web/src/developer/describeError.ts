import { isError } from '@latchkey/wire'
import { text } from '../locales/text.ts'

/**
 * Describes an error: its message, its code, and the message of its cause if that adds information.
 */
export function describeError(error: unknown): { message: string; detail: string | undefined } {
  const message = getErrorMessage(error) ?? text('dev.unknown')
  const cause = error instanceof Error ? getErrorMessage(error.cause) : undefined
  const parts = [isError(error) ? error.code : undefined, cause === message ? undefined : cause]
  const detail = parts.filter((part) => part !== undefined).join(' · ')
  return { message, detail: detail === '' ? undefined : detail }
}

function getErrorMessage(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined
  return typeof error.message === 'string' && error.message !== '' ? error.message : undefined
}
