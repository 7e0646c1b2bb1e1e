import { isError } from '@latchkey/wire'
import { en } from '../locales/en.ts'

/** An error in words for a person. */
export const errorMessage = (error: unknown): string =>
  isError(error) && error.code !== 'INTERNAL' ? error.message : en.error.unknown
