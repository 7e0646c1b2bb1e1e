import { bytesToHex } from '@latchkey/wire'
import { readBytes, type SolanaByteReader, type SolanaMessage } from '@latchkey/wire/solana'
import { findProgram, type KnownProgram, programs, sysvars } from '../programs.ts'
import { type Layout, layouts, type ProgramLayouts } from './layouts.ts'

export type LayoutField = bigint | string | undefined

/** An account of an instruction. `uses`: the instruction acts with its authority. */
type Role = { readonly role: string; readonly address: string; readonly uses: boolean }

/**
 * A decoded instruction: its name, its fields and its accounts. Without a name, it could not be
 * decoded completely.
 */
export type DecodedInstruction = {
  readonly program: string
  readonly known: KnownProgram | undefined
  readonly name: string | undefined
  readonly fields: Readonly<Record<string, LayoutField>>
  readonly roles: readonly Role[]
  readonly data: Uint8Array
  /** Whether the program gets the signature of an account. */
  isSignedBy(address: string): boolean
}

/**
 * Decodes instructions. `accounts`: all addresses of the message, including those from lookup
 * tables.
 */
export function decodeInstructions(
  message: SolanaMessage,
  accounts: readonly string[],
): DecodedInstruction[] {
  const signers = accounts.slice(0, message.signerCount)
  return message.instructions.flatMap((raw) => {
    const at = (index: number) => accounts[index] ?? ''
    const call = {
      program: at(raw.program),
      accounts: raw.accounts.map(at),
      data: raw.data,
    }
    return (splitBatch(call) ?? [call]).map((one) => decode(one, signers))
  })
}

type RawInstruction = { program: string; accounts: readonly string[]; data: Uint8Array }
const batchTag = 255

/** The instructions of the token program's batch; undefined if the data is not a valid batch. */
function splitBatch({ program, accounts, data }: RawInstruction): RawInstruction[] | undefined {
  if (findProgram(program) !== 'token' || data[0] !== batchTag) return undefined
  const calls: RawInstruction[] = []
  const reader = readBytes(data.subarray(1))
  let position = 0
  try {
    while (reader.left() > 0) {
      const count = reader.u8()
      const inner = reader.take(reader.u8())
      const own = accounts.slice(position, position + count)
      if (own.length !== count || inner[0] === batchTag) return undefined
      position += count
      calls.push({ program, accounts: own, data: inner })
    }
  } catch {
    return undefined
  }
  return calls.length > 0 && position === accounts.length ? calls : undefined
}

function decode(
  { program, accounts, data }: RawInstruction,
  signers: readonly string[],
): DecodedInstruction {
  const known = findProgram(program)
  const found = known && layouts[known]
  const read = found && readLayout(found, { accounts, data })
  return {
    program,
    known,
    name: read?.name,
    fields: read?.fields ?? {},
    roles:
      read?.roles ??
      accounts.map((address) => ({ role: 'account', address, uses: signers.includes(address) })),
    data,
    isSignedBy: (address) => signers.includes(address) && accounts.includes(address),
  }
}

function readLayout(found: ProgramLayouts, { accounts, data }: Omit<RawInstruction, 'program'>) {
  try {
    const reader = readBytes(data)
    const layout = findLayout(found, { reader, data })
    const roles = layout && nameAccounts(found, layout, accounts)
    if (!layout || !roles?.every(isInItsRole)) return undefined
    const fields = Object.fromEntries(
      layout.fields.map((field) => {
        const [name = '', type = ''] = field.split(':')
        return [name, readField(reader, type)]
      }),
    )
    reader.end()
    return { name: layout.name, fields, roles }
  } catch {
    return undefined
  }
}

const interfaceTagBytes = 8

function findLayout(
  { tagBytes, layouts: all }: ProgramLayouts,
  { reader, data }: { reader: SolanaByteReader; data: Uint8Array },
): Layout | undefined {
  const only = all['*']
  if (only) return only
  const interfaceTag = bytesToHex(data.subarray(0, interfaceTagBytes))
  if (interfaceTag.length === 2 * interfaceTagBytes && Object.hasOwn(all, interfaceTag)) {
    reader.take(interfaceTagBytes)
    return all[interfaceTag]
  }
  if (reader.left() === 0) return all['']
  const tag = tagBytes === 1 ? reader.u8() : reader.u32()
  if (Object.hasOwn(all, tag)) return all[tag]
  const long = `${tag}.${reader.u8()}`
  return Object.hasOwn(all, long) ? all[long] : undefined
}

/**
 * The only accounts that can have a role. If an optional account is left out, the accounts after
 * it move up, so their roles are checked against this list.
 */
const onlyIn: Readonly<Record<string, readonly string[]>> = {
  sysvar: sysvars,
  system: [programs.system],
  tokenProgram: [programs.token, programs.token2022],
}

const isInItsRole = ({ role, address }: Role): boolean =>
  !Object.hasOwn(onlyIn, role) || onlyIn[role]?.includes(address) === true

function nameAccounts(
  { hasMoreSigners = false }: ProgramLayouts,
  { accounts: wanted }: Layout,
  accounts: readonly string[],
): Role[] | undefined {
  const required = wanted.filter((name) => !/[?*]$/.test(name)).length
  if (accounts.length < required) return undefined
  const last = wanted.at(-1) ?? ''
  const isSigned = hasMoreSigners && wanted.some((name) => name.includes('!'))
  const rest = last.endsWith('*') ? last : isSigned ? 'signer!' : 'other'
  return accounts.map((address, index) => {
    const name = wanted[index] ?? rest
    return { role: name.replace(/[!?*]/g, ''), address, uses: name.includes('!') }
  })
}

/** Metadata fields that are encoded as a number, without a key. */
const metadataFields = ['name', 'symbol', 'uri']

function readField(reader: SolanaByteReader, type: string): LayoutField {
  switch (type) {
    case 'u8':
      return BigInt(reader.u8())
    case 'u16':
      return BigInt(reader.u16())
    case 'i8':
      return BigInt.asIntN(8, BigInt(reader.u8()))
    case 'i16':
      return BigInt.asIntN(16, BigInt(reader.u16()))
    case 'u32':
      return BigInt(reader.u32())
    case 'u64':
      return reader.u64()
    case 'i64':
      return reader.i64()
    case 'f64': {
      const bytes = Uint8Array.from(reader.take(8))
      return String(new DataView(bytes.buffer).getFloat64(0, true))
    }
    case 'key':
      return reader.key()
    case 'keyOrZero': {
      const key = reader.key()
      return /^1+$/.test(key) ? undefined : key
    }
    case 'key?':
    case 'u64?':
    case 'i64?': {
      const flag = reader.u8()
      if (flag > 1) throw new RangeError('an option is neither there nor absent')
      return flag === 1 ? readField(reader, type.slice(0, -1)) : undefined
    }
    case 'str': {
      const length = reader.u64()
      return reader.text(Number(length))
    }
    case 'text32':
      return reader.text(reader.u32())
    case 'metadataField': {
      const kind = reader.u8()
      if (kind > 3) throw new RangeError('no such field')
      return metadataFields[kind] ?? reader.text(reader.u32())
    }
    case 'b32':
    case 'b36':
    case 'b64':
      return `0x${bytesToHex(reader.take(Number(type.slice(1))))}`
    case 'text':
      return reader.text(reader.left())
    case 'u16s': {
      if (reader.left() % 2 !== 0) throw new RangeError('half a number')
      return Array.from({ length: reader.left() / 2 }, reader.u16).join(', ')
    }
  }
  throw new RangeError(`no such type: ${type}`)
}

/** The address of the account in a role. */
export const getAccountAddress = (
  { roles }: DecodedInstruction,
  role: string,
): string | undefined => roles.find((one) => one.role === role)?.address
