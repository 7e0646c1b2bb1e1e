import { entryPoint08Address } from 'viem/account-abstraction'
import type * as z from 'zod'
import { hexAddress } from '../../evm/schemas.ts'
import { BundlerError } from '../bundlerError.ts'
import { entryPoint, type UserOperation } from './userOperation.ts'

const wrong = (text: string) => new BundlerError('invalidParams', text)

/** Reads `[operation, entryPoint, …]`. Throws BundlerError. */
export function parseOperation(
  schema: z.ZodType<UserOperation>,
  [given, at]: readonly unknown[],
): UserOperation {
  if (given === undefined || given === null) throw wrong('The user operation is missing')
  if (at === undefined || at === null)
    throw wrong(`The EntryPoint is missing: it must be ${entryPoint08Address}`)
  if (hexAddress.safeParse(at).data !== entryPoint)
    throw wrong(`Only the EntryPoint ${entryPoint08Address} is supported`)
  const fields = normalize(given)
  assertNoFactory(fields)
  const parsed = schema.safeParse(fields)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw wrong(
    `${issue?.path.join('.') || 'The user operation'} ${issue?.message ?? 'is not valid'}`,
  )
}

/** Fields of which no bytes are the same as none. */
const empty: ReadonlySet<string> = new Set(['factory', 'factoryData', 'paymaster', 'paymasterData'])

/**
 * The operation without empty fields, which clients write as null or as no bytes. The factory
 * marker of a delegating account gets its short form; the EntryPoint also accepts the marker padded
 * with zeros to 20 bytes.
 */
function normalize(given: unknown): unknown {
  if (!isRecord(given)) return given
  const { eip7702Auth, factory, ...rest } = omitAbsent(given)
  return {
    ...rest,
    ...(factory !== undefined && { factory: marker.test(String(factory)) ? '0x7702' : factory }),
    ...(eip7702Auth !== undefined && {
      eip7702Auth: isRecord(eip7702Auth) ? omitAbsent(eip7702Auth) : eip7702Auth,
    }),
  }
}

const marker = /^0x7702(?:00){0,18}$/

const isRecord = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

const omitAbsent = (given: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => value !== null && !(value === '0x' && empty.has(name)),
    ),
  )

/** A factory creates the account during validation (CREATE2), which this bundler never accepts. */
function assertNoFactory(given: unknown): void {
  const { factory } = (given ?? {}) as { factory?: unknown }
  if (hexAddress.safeParse(factory).success)
    throw new BundlerError(
      'opcode',
      'factory uses banned opcode: CREATE2. Accounts that a factory creates are not supported: create the account first, or let it delegate (factory 0x7702)',
    )
}
