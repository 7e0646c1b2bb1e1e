import { fillText, type TextNames } from '@latchkey/wire'

/**
 * Why a server does not start, or a command of the operator fails. Browsers never meet these, so
 * they are not in `errors`.
 */
const texts = {
  SERVER_CONFIGURATION_INVALID: 'The configuration is not valid:\n{problems}',
  KEYRING_UNUSABLE: 'The keyring in {dir} cannot be used: {reason}',
  DATABASE_IN_USE:
    'Another Latchkey server (process {pid}) uses the database in {dir}. Stop it, or set DATA_DIR or DATABASE_URL',
  DATABASE_FAILED: 'The database did not start: {reason}',
  PORT_TAKEN:
    'Port {port} on {host} is taken. Stop the program that listens there, or set {variable}',
  DATABASE_MISSING:
    'There is no database in {dir}. Start the server first, or set DATA_DIR or DATABASE_URL as for the server',
  PROJECT_MISSING: 'There is no project with the id {id}',
} as const

type StartErrorCode = keyof typeof texts

/**
 * An error for the operator, printed in the terminal that started the server. Its code names it.
 */
export class StartError<Code extends StartErrorCode = StartErrorCode> extends Error {
  override readonly name = 'StartError'
  readonly code: Code

  constructor(
    code: Code,
    {
      data,
      cause,
    }: { data: Record<TextNames<(typeof texts)[Code]>, string | number>; cause?: unknown },
  ) {
    super(fillText(texts[code], data), cause === undefined ? undefined : { cause })
    this.code = code
  }
}
