import { bytesToHex, decodeUtf8 } from '@latchkey/wire'
import { getBase58Decoder } from '@solana/kit'
import { formatUnits } from 'viem'
import type { SolanaChain } from '../config.ts'
import { requestNode } from '../node.ts'
import type { Instruction } from './readTransaction.ts'

/** Description of an instruction: its action and its parameters. */
export type Description = { title: string; facts: Record<string, string>; isUnknown?: true }

type Describe = (
  instruction: Instruction,
  chain: SolanaChain,
) => Description | undefined | Promise<Description | undefined>

const tokenAccountBytes = 165

/** Describes an instruction of a supported program. Any other program is described as unknown. */
export async function describeInstruction(
  chain: SolanaChain,
  instruction: Instruction,
): Promise<Description> {
  const { program, data } = instruction
  // Data that is too short for its kind is shown as unreadable.
  const known = await attempt(async () => programs[program]?.(instruction, chain))
  if (known) return known
  const facts = { Program: program, Data: `${data.length} bytes: ${toHex(data)}` }
  return { title: 'Unknown instruction', facts, isUnknown: true }
}

const describeSystem: Describe = ({ accounts, data }) => {
  const [from = '', to = ''] = accounts
  const kind = view(data).getUint32(0, true)
  if (kind === 2)
    return { title: 'Send SOL', facts: { Amount: toSol(readU64(data, 4)), From: from, To: to } }
  if (kind === 0)
    return {
      title: 'Create an account',
      facts: {
        Account: to,
        Owner: readAddress(data, 20),
        Costs: toSol(readU64(data, 4)),
        From: from,
      },
    }
  return undefined
}

const describeToken: Describe = async ({ accounts, data, program }, chain) => {
  const kind = data[0]
  if (kind === 3) {
    const [source = '', destination = '', authority = ''] = accounts
    const { mint, decimals } = await readSource(chain, source)
    const amount = await toAmount(chain, { mint, decimals, units: readU64(data, 1) })
    const to = await describeReceiver(chain, destination)
    return { title: 'Send a token', facts: { Amount: amount, Token: mint, ...to, By: authority } }
  }
  const hasFee = kind === 26 && data[1] === 1
  if (kind === 12 || hasFee) {
    const [, mint = '', destination = '', authority = ''] = accounts
    const at = hasFee ? 2 : 1
    const decimals = data[at + 8] ?? 0
    const amount = await toAmount(chain, { mint, decimals, units: readU64(data, at) })
    const to = await describeReceiver(chain, destination)
    const fee = hasFee && {
      'Transfer fee': await toAmount(chain, { mint, decimals, units: readU64(data, at + 9) }),
    }
    const facts = { Amount: amount, Token: mint, ...to, ...fee, By: authority }
    return { title: 'Send a token', facts }
  }
  if (kind === 9) {
    const [account = '', to = ''] = accounts
    return { title: 'Close a token account', facts: { Account: account, 'SOL goes to': to } }
  }
  if (kind === 4 || kind === 13) {
    const delegate = (kind === 4 ? accounts[1] : accounts[2]) ?? ''
    const units = readU64(data, 1)
    const facts = {
      Account: accounts[0] ?? '',
      Delegate: delegate,
      Units: `${units}`,
      Program: program,
    }
    return { title: 'Let somebody else spend a token', facts, isUnknown: true }
  }
  return undefined
}

const describeAssociatedToken: Describe = async ({ accounts, data }, chain) => {
  if ((data[0] ?? 0) > 1) return undefined
  const [payer = '', account = '', wallet = '', mint = ''] = accounts
  const rent = await requestNode(chain, 'getMinimumBalanceForRentExemption', [tokenAccountBytes])
  const costs = `${toSol(BigInt(Number(rent)))}, unless it exists`
  const facts = { Account: account, For: wallet, Token: mint, Costs: costs, 'Paid by': payer }
  return { title: 'Create a token account', facts }
}

const describeComputeBudget: Describe = ({ data }) => {
  if (data[0] === 2)
    return { title: 'Compute limit', facts: { Units: `${view(data).getUint32(1, true)}` } }
  if (data[0] === 3)
    return { title: 'Priority fee', facts: { 'Micro-lamports a unit': `${readU64(data, 1)}` } }
  return undefined
}

const describeMemo: Describe = ({ data }) => {
  const text = decodeUtf8(data)
  return text === undefined ? undefined : { title: 'Memo', facts: { Text: text } }
}

const programs: Record<string, Describe> = {
  '11111111111111111111111111111111': describeSystem,
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: describeToken,
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: describeToken,
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: describeAssociatedToken,
  ComputeBudget111111111111111111111111111111: describeComputeBudget,
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: describeMemo,
  Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo: describeMemo,
  Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH: describeMemo,
}

type ParsedAccount = { value: { data: { parsed?: { info?: Record<string, unknown> } } } | null }

const readParsed = async (chain: SolanaChain, address: string) => {
  const options = { encoding: 'jsonParsed', commitment: 'confirmed' }
  const answer = (await requestNode(chain, 'getAccountInfo', [address, options])) as ParsedAccount
  return answer.value?.data.parsed?.info
}

async function readSource(chain: SolanaChain, source: string) {
  const info = await readParsed(chain, source)
  const { decimals } = (info?.tokenAmount ?? {}) as { decimals?: number }
  if (typeof info?.mint !== 'string' || decimals === undefined) throw new Error('No token account')
  return { mint: info.mint, decimals }
}

// The receiver is the owner of the token account. An account that this transaction creates has no
// owner yet.
async function describeReceiver(chain: SolanaChain, destination: string) {
  const info = await readParsed(chain, destination)
  return typeof info?.owner === 'string'
    ? { To: info.owner, 'Token account': destination }
    : { 'To the token account': destination }
}

async function toAmount(
  chain: SolanaChain,
  { mint, decimals, units }: { mint: string; decimals: number; units: bigint },
) {
  const symbol = chain.symbols[mint] ?? (await attempt(() => readSymbol(chain, mint)))
  return `${formatUnits(units, decimals)} ${symbol ?? 'of an unnamed token'}`
}

async function readSymbol(chain: SolanaChain, mint: string): Promise<string | undefined> {
  const info = await readParsed(chain, mint)
  const extensions = (info?.extensions ?? []) as {
    extension: string
    state?: { symbol?: string }
  }[]
  return extensions.find(({ extension }) => extension === 'tokenMetadata')?.state?.symbol
}

/** Formats lamports as SOL. */
export const toSol = (lamports: bigint): string => `${formatUnits(lamports, 9)} SOL`

const view = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength)
const readU64 = (data: Uint8Array, at: number) => view(data).getBigUint64(at, true)

function readAddress(data: Uint8Array, at: number): string {
  const bytes = data.slice(at, at + 32)
  if (bytes.length !== 32) throw new RangeError('Too short')
  return getBase58Decoder().decode(bytes)
}

const toHex = (data: Uint8Array) => bytesToHex(data.slice(0, 64))

async function attempt<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work()
  } catch {
    return undefined
  }
}
