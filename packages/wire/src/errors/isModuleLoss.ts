import { isError } from './errors.ts'

/**
 * Whether an error is a failed load of a module: no response, or a response that is not a script.
 * Browsers use different messages, and Safari's only contains the MIME type.
 */
export function isModuleLoss(error: unknown): boolean {
  if (isError(error)) return error.cause !== undefined && isModuleLoss(error.cause)
  return error instanceof TypeError && /module|MIME type/i.test(error.message)
}
