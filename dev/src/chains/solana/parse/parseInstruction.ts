import { programs } from '../definition.ts'
import type { Parsed } from './parsed.ts'
import { parseSystem } from './parseSystem.ts'
import { parseTokenInstruction } from './parseTokenInstruction.ts'

/** Parses an instruction from its accounts and data; undefined if a node leaves it unparsed. */
type Parse = (accounts: readonly string[], data: Buffer) => Parsed | undefined

const parsers: Record<string, readonly [name: string, parse: Parse]> = {
  [programs.system]: ['system', parseSystem],
  [programs.token]: ['spl-token', parseTokenInstruction],
  [programs.token2022]: ['spl-token', parseTokenInstruction],
  [programs.associatedToken]: ['spl-associated-token-account', parseAssociatedToken],
  [programs.memo]: ['spl-memo', parseMemo],
  [programs.oldMemo]: ['spl-memo', parseMemo],
  [programs.newMemo]: ['spl-memo', parseMemo],
}

/**
 * Parses an instruction of a program that nodes support; undefined for every other program, whose
 * instructions stay encoded.
 */
export function parseInstruction(parameters: {
  programId: string
  accounts: readonly string[]
  data: Uint8Array
}): { program: string; parsed: Parsed } | undefined {
  const { programId, accounts, data } = parameters
  const parser = parsers[programId]
  if (!parser) return undefined
  try {
    const parsed = parser[1](accounts, Buffer.from(data))
    return parsed === undefined ? undefined : { program: parser[0], parsed }
  } catch {
    // Too short for its kind.
    return undefined
  }
}

function parseMemo(_: readonly string[], data: Buffer): Parsed {
  return data.toString('utf8')
}

function parseAssociatedToken(accounts: readonly string[], data: Buffer): Parsed | undefined {
  const type = data.length === 0 || data[0] === 0 ? 'create' : 'createIdempotent'
  if ((data[0] ?? 0) > 1) return undefined
  const [source, account, wallet, mint, systemProgram, tokenProgram] = accounts
  return { type, info: { source, account, wallet, mint, systemProgram, tokenProgram } }
}
