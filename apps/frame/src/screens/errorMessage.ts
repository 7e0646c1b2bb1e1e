import { isError } from '@latchkey/wire'
import { en } from '../locales/en.ts'

/** The message that the user sees for an error. */
export const errorMessage = (error: unknown): string =>
  isError(error) && error.code !== 'INTERNAL' ? error.message : en.error.unknown
