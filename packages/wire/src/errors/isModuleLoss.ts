import { isError } from './errors.ts'

/**
 * Whether an error says that a module did not load: nobody answered, or the answer was no script.
 * Browsers word it differently, and Safari names only the MIME type.
 */
export function isModuleLoss(error: unknown): boolean {
  if (isError(error)) return error.cause !== undefined && isModuleLoss(error.cause)
  return error instanceof TypeError && /module|MIME type/i.test(error.message)
}
